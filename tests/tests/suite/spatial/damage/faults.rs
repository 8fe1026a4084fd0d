//! Faults in the shaders of stage *damage* are noticed.

use boxwood::Context;
use boxwood_tests::{Fault, assert_all_caught, bounded_source, gpu};

use super::{cases, first_difference, grids, masks};

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(in super::super) const FAULTS: &[Fault] = &[
    ("damage_mark", "any(old_box != new_box)", "old_box.x != new_box.x"),
    ("damage_mark", "is_changed |= old_signatures[old] != new_signatures[element]", "is_changed |= false"),
    ("damage_mark", "bitcast<vec4<f32>>(old_box)", "bitcast<vec4<f32>>(new_box)"),
    ("damage_mark", "(vec2(1u) << level)", "vec2(1u)"),
    ("damage_mark", "if all(is_other)", "if false"),
    ("damage_mark", "if is_other.x", "if false"),
    ("damage_mark", "config.n_columns > 128u", "config.n_columns > 127u"),
    ("damage_mark", "pixels(floor(own.xy))", "pixels(ceil(own.xy))"),
    ("damage_mark", "pixels(ceil(own.zw))", "pixels(floor(own.zw))"),
    ("damage_mark", "(high + last)", "high"),
    ("damage_mark", "!is_empty(own) && all(low < high)", "!is_empty(own)"),
    ("damage_mark", "level.y * config.n_column_levels", "level.y * config.n_row_levels"),
    ("damage_mark", "changed[word] =", "changed[local] ="),
    ("damage_mark_partners", "var is_changed = ((changed", "var is_changed = false && ((changed"),
    ("damage_mark_partners", "partner_ordinals[element] > 0u", "true"),
    ("damage_mark_partners", "old_box = old_boxes[old]", "old_box = old_boxes[element]"),
    ("damage_mark_partners", "old_signatures[old]", "old_signatures[element]"),
    ("damage_partners", "partner + 1u, partner < n_old", "partner + 1u, partner <= n_old"),
    ("damage_partners", "atomicMax(&last_ordinal, partner + 1u)", "atomicMax(&last_ordinal, partner)"),
    ("damage_partners", "part * WORKGROUP_SIZE + local", "local"),
    ("damage_partners", "1u << (partner % 32u)", "1u << (element % 32u)"),
    ("damage_order", "own == 0u || ", ""),
    ("damage_order", "max(up_to, atomicLoad(&latest_before))", "up_to"),
    ("damage_order", "max(up_to, atomicLoad(&latest_before))", "atomicLoad(&latest_before)"),
    ("damage_order", "let length = 1u << 5u", "let length = 1u << 4u"),
    ("damage_order", "i = local; i < part", "i = local; i + 1u < part"),
    ("damage_order", "part * WORDS_PER_WORKGROUP + local", "local"),
    ("damage_vanished", "& 1u) == 0u", "& 1u) == 1u"),
    ("damage_vanished", "has_partner[word] = 0u", "has_partner[word] = 1u"),
    ("damage_vanished", "touch_tiles(tiles_touched(bitcast<vec4<f32>>(old_boxes[element])))", ""),
    ("damage_vanished", "vanished[word] =", "vanished[local] ="),
    ("damage_rectangles", "touched[at] = vec4(0u)", "touched[at].x = 0u"),
    ("damage_rectangles", "touched[at + 1u] = vec4(0u)", "touched[at + 1u].x = 0u"),
    ("damage_rectangles", "vec4(row.low.w, row.high.xyz)", "vec4(0u, row.high.xyz)"),
    ("damage_rectangles", "vec4(row.low.zw, row.high.xy)", "vec4(row.low.zw, row.high.zw)"),
    ("damage_rectangles", "return Row(vec4(0u), row.low);", "return row;"),
    ("damage_rectangles", "(high_before >> right)", "(low_before >> right)"),
    ("damage_rectangles", "let height = 1u << j", "let height = 2u << j"),
    ("damage_rectangles", "(ones & is_open)", "0u"),
    ("damage_rectangles", "is_open = filled >> 31u", "is_open = ones >> 31u"),
    ("damage_rectangles", "distance < 32u", "distance < 16u"),
    ("damage_rectangles", "(row_word(y, word + 1) << 31u)", "0u"),
    ("damage_rectangles", "connected & (filled << distance)", "filled << distance"),
    ("damage_rectangles", "(own << 1u)", "own"),
    ("damage_rectangles", "(before >> 31u)", "0u"),
    ("damage_rectangles", "(after << 31u)", "0u"),
    ("damage_rectangles", "(firstLeadingBit(zeros) + 1u)", "firstLeadingBit(zeros | 1u) + 1u"),
    ("damage_rectangles", "& ~below", ""),
    ("damage_rectangles", "(0xffffffffu << (column % 32u))", "0xffffffffu"),
    ("damage_rectangles", "0x0f0f0f0fu", "0x0f0f0f07u"),
    ("damage_rectangles", "2 * word + 1)", "2 * word)"),
    ("damage_rectangles", "n <= config.max_rectangles {", "n < config.max_rectangles {"),
    ("damage_rectangles", "last.z >= run.z", "true"),
    ("damage_rectangles", "i = n; i > 0u; i--", "i = 1u; i > 0u; i--"),
    ("damage_rectangles", "config.lg_tile + level", "config.lg_tile"),
    ("damage_rectangles", "vec2(config.width, config.height).xyxy", "vec4(0xffffffffu)"),
    ("damage_rectangles", "tiles[local * words_per_row + 1u]", "tiles[local * words_per_row]"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let mut cases = cases(&[700], &grids()[3..]);
    cases.extend(masks());
    assert_eq!(first_difference(&unbroken, &cases), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| first_difference(broken, &cases).is_some(),
    );
}
