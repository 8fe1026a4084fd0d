// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, third dispatch: the strings and the begins of the rows of each word, the numbers of
// rows and brackets before it in its partition, and the errors inside of strings and numbers.
//
// The workgroup scans twice: first the state of the lexer, which says what is in a string, and then
// the numbers of rows and brackets, and the last token.

#import grid
#import text_config
#import text
#import byte_planes
#import json_bytes
#import json_state
#import json_effects
#import json_tokens
#import json_reasons
#import json_partitions
#import json_error
#import json_words
#import utf8_bytes

@group(0) @binding(2) var<storage> states: array<u32>;
@group(0) @binding(4) var<storage, read_write> words: array<u32>;

// Whether the second scan runs.
var<private> is_second_scan = false;

alias Scanned = u32;

fn scan_join(x: u32, y: u32) -> u32 {
    if is_second_scan {
        return packed_then(x, y);
    }
    return state_then(x, y);
}

#import ordered_scan

// Item i describes the first bytes of word i, which word i - 1 looks ahead to:
//
// | bits   | content                                         |
// |--------|-------------------------------------------------|
// | 0..5   | hexadecimal digits                              |
// | 5      | a character that can follow a backslash, except u |
// | 6      | u                                               |
// | 7..10  | continuation bytes                              |
// | 10, 11 | continuation bytes 80 to 8f, and 90 to 9f       |
// | 12, 13 | digits                                          |
// | 14     | 0                                               |
// | 15     | scalar bytes                                    |
var<workgroup> heads: array<u32, WORKGROUP_SIZE>;

// The sets of bytes of a word that the word before looks ahead to.
struct Ahead {
    hexadecimal: u32,
    escapable: u32,
    u: u32,
    digit: u32,
    zero: u32,
    scalar: u32,
}

fn ahead_of(p: Planes) -> Ahead {
    let digit = digits(p);
    let letter_row = ~p.b7 & p.b6 & p.b5;
    let a_to_f = ~p.b7 & p.b6 & ~(p.b4 | p.b3) & (p.b2 | p.b1 | p.b0) & ~(p.b2 & p.b1 & p.b0);
    // b f n, r t: 62 66 6e, 72 74.
    let bfn = letter_row & ~p.b4 & p.b1 & ~p.b0 & (p.b2 | ~p.b3);
    let rt = letter_row & p.b4 & ~p.b3 & (p.b2 ^ p.b1) & ~p.b0;
    let slash = space_row(p) & p.b3 & p.b2 & p.b1 & p.b0;
    return Ahead(
        digit | a_to_f,
        bfn | rt | slash | quotation_marks(p) | backslashes(p),
        letter_row & p.b4 & ~p.b3 & p.b2 & ~p.b1 & p.b0,
        digit,
        digit & ~(p.b3 | p.b2 | p.b1 | p.b0),
        scalar_bytes(p),
    );
}

fn head_of(ahead: Ahead, multibyte: Multibyte) -> u32 {
    return (ahead.hexadecimal & 31u)
        | ((ahead.escapable & 1u) << 5u)
        | ((ahead.u & 1u) << 6u)
        | ((multibyte.continuation & 7u) << 7u)
        | ((multibyte.low & 1u) << 10u)
        | ((multibyte.middle & 1u) << 11u)
        | ((ahead.digit & 3u) << 12u)
        | ((ahead.zero & 1u) << 14u)
        | ((ahead.scalar & 1u) << 15u);
}

// The bytes whose n-th next byte is in a set, of which `head` has the part in the next word.
fn followed_by(bytes: u32, head: u32, n: u32) -> u32 {
    return (bytes >> n) | (head << (32u - n));
}

// The backslashes that begin no escape sequence.
fn bad_escapes(escapes: u32, ahead: Ahead, head: u32) -> u32 {
    if escapes == 0u {
        return 0u;
    }
    var four_digits = 0xffffffffu;
    #repeat i 4
    four_digits &= followed_by(ahead.hexadecimal, head, $i + 2u);
    #endrepeat
    let short = followed_by(ahead.escapable, head >> 5u, 1u);
    return escapes & ~(short | (followed_by(ahead.u, head >> 6u, 1u) & four_digits));
}

// The bytes at which a number is not one. `run` is the part of a number before the word, and
// `last_byte` the byte there.
fn bad_numbers(p: Planes, scalar: u32, begins: u32, run: u32, last_byte: u32, ahead: Ahead, head: u32) -> u32 {
    let minus = minuses(p);
    let number_begins = begins & (ahead.digit | minus);
    let number = reached(number_begins | u32(run != RUN_NONE), scalar) & scalar;
    if number == 0u {
        return 0u;
    }
    // + and -, which are 2b and 2d.
    let sign = minus | (space_row(p) & p.b3 & ~p.b2 & p.b1 & p.b0);
    let point = points(p);
    let exponent = exponents(p);
    let after_digit = (ahead.digit << 1u) | u32(last_byte >= 0x30u && last_byte <= 0x39u);
    let after_exponent = (exponent << 1u) | u32((last_byte | 0x20u) == 0x65u);
    let had_exponent = reached(((exponent & number) << 1u) | u32(run == RUN_EXPONENT), scalar);
    let had_point = reached(((point & number) << 1u) | u32(run == RUN_POINT), scalar);
    let bad_signs = sign & ~number_begins & ~after_exponent;
    let bad_points = point & (~after_digit | had_point | had_exponent);
    let bad_exponents = exponent & (~after_digit | had_exponent);
    let other = ~(ahead.digit | sign | point | exponent);
    let bad_ends = ~ahead.digit & ~followed_by(ahead.scalar, head >> 15u, 1u);
    let zero_next = followed_by(ahead.zero, head >> 14u, 1u);
    let digit_next = followed_by(ahead.digit, head >> 12u, 1u);
    let digit_after = followed_by(ahead.digit, head >> 12u, 2u);
    let leading_zeros = number_begins & ((ahead.zero & digit_next) | (minus & zero_next & digit_after));
    return number & (bad_signs | bad_points | bad_exponents | other | bad_ends | leading_zeros);
}

// The effect of a word on the last token.
fn effect_on_before(p: Planes, tokens: u32, begins_of_strings: u32, breaks: u32) -> u32 {
    if tokens == 0u {
        return 0u;
    }
    let last = 0x80000000u >> countLeadingZeros(tokens);
    let bracket = bracket_bytes(p) & p.b1;
    var after = AFTER_VALUE;
    if (begins_of_strings & last) != 0u {
        let earlier = tokens & (last - 1u);
        if earlier == 0u {
            return PENDING_STRING;
        }
        let is_value = (colons(p) & (0x80000000u >> countLeadingZeros(earlier))) != 0u;
        after = select(AFTER_STRING, AFTER_STRING_VALUE, is_value);
    } else if (bracket & last) != 0u {
        after = select(AFTER_ARRAY, AFTER_OBJECT, (p.b5 & last) != 0u);
    } else if (commas(p) & last) != 0u {
        after = AFTER_COMMA;
    } else if (colons(p) & last) != 0u {
        after = AFTER_COLON;
    } else if (breaks & last) != 0u {
        after = AFTER_NOTHING;
    }
    return IS_TOKEN + after;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_text_partitions() {
        return;
    }
    let word = part * PARTITION_WORDS + local;
    let p = planes_of(word_at(word));
    let ahead = ahead_of(p);
    let multibyte = multibyte_of(p);
    heads[local] = head_of(ahead, multibyte);
    if local == 0u {
        atomicStore(&workgroup_error, NO_ERROR);
    }
    let quad_before = quad_before_word(word);
    let last_byte = quad_before >> 24u;
    let backslash = backslashes(p);
    let marks = quotation_marks(p);
    ordered_scan(local, effect_on_strings(backslash, marks) | effect_on_numbers(p, ahead.scalar, last_byte));
    var state = states[part];
    if local > 0u {
        state = state_then(state, scanned_through(local - 1u));
    }

    let escaped = escaped_bytes(backslash, starts_escaped(state));
    let quotes = marks & ~escaped.x;
    let in_string = in_strings(quotes, is_in_string(state));
    let scalar = ahead.scalar & ~in_string;
    // A scalar byte continues the run of the byte before it. If that byte is in a string, the first
    // byte of the word is not scalar.
    let continues = u32(is_scalar_byte(last_byte));
    let begins = scalar & ~((scalar << 1u) | continues);
    let begins_of_strings = quotes & in_string;
    let bracket = bracket_bytes(p) & ~in_string;
    let rows = bracket | begins_of_strings | begins;
    let breaks = select(0u, line_breaks(p) & ~in_string, config.has_lines != 0u);
    let tokens = rows | scalar | ((commas(p) | colons(p)) & ~in_string) | breaks;
    var packed = 0u;
    if local < PARTITION_WORDS {
        packed = packed_counts(rows, bracket, effect_on_before(p, tokens, begins_of_strings, breaks));
    }
    // The first scan has been read.
    workgroupBarrier();
    is_second_scan = true;
    ordered_scan(local, packed);

    if local < PARTITION_WORDS {
        var before = 0u;
        if local > 0u {
            before = scanned_through(local - 1u);
        }
        if word < n_words() {
            words[QUOTES * n_words() + word] = quotes;
            words[ROWS * n_words() + word] = rows;
            words[BRACKETS * n_words() + word] = bracket;
            words[BEFORE * n_words() + word] = before | (u32(is_in_string(state)) << 31u);
        }
        let head = heads[local + 1u];
        let contents = in_string & ~quotes;
        keep_error(local, bad_numbers(p, scalar, begins, run_in(state), last_byte, ahead, head), NUMBER);
        keep_error(local, control_characters(p) & contents, CONTROL_CHARACTER);
        keep_error(local, bad_escapes(escaped.y & contents, ahead, head), ESCAPE);
        keep_error(local, bad_characters(p, multibyte, head, quad_before) & contents, UTF8);
    }
    workgroupBarrier();
    if local == 0u {
        let total = scanned_through(PARTITION_WORDS - 1u);
        partitions.items[part] = JsonPartition(
            packed_rows(total),
            packed_brackets(total),
            packed_before(total),
            first_error_of(part),
        );
    }
}
