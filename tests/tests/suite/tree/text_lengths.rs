//! The stages that read texts never access memory outside of their buffers. This includes two
//! special cases: the length changes between recording and submission, or there is no room for a
//! byte.

use boxwood::Context;
use boxwood::tree::{Brackets, Json, TextCapacity, TextReport};
use boxwood_cpu::specification::tree::{BracketSyntax, JsonReason, JsonRoots};
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, Gpu, assert_all_caught, bounded_source, context, gpu};

use super::json::GROUP;
use crate::spatial::{buffer, read, record};

/// A bit pattern that no shader writes.
const GUARD: u32 = 0xffc0_ffee;

/// The number of rows that the buffers have room for, and the number that the shaders are told.
const N_ROWS: u32 = 5000;
const N_TOLD: u32 = 100;

/// The source of a shader that knows of less room than there is.
fn told_less(source: &str) -> String {
    source.replace("config.capacity", &format!("(config.capacity - {}u)", N_ROWS - N_TOLD))
}

/// A text with brackets, and with strings that continue through several words.
fn text() -> Vec<u8> {
    let mut text = format!("[\"{}\",", "a".repeat(60)).repeat(GROUP / 60).into_bytes();
    text.truncate(GROUP + 16);
    text
}

/// A stage that reads texts.
trait TextStage {
    fn set_length(&mut self, n_bytes: usize);
    fn record(&self, pass: &mut wgpu::ComputePass<'_>);
    /// The buffers with items for rows, and the words of an item.
    fn rows(&self) -> [(&wgpu::Buffer, usize); 3];
    fn report(&self) -> &wgpu::Buffer;
}

macro_rules! text_stage {
    ($stage:ty, $(($buffer:ident, $n_words:expr)),*) => {
        impl TextStage for $stage {
            fn set_length(&mut self, n_bytes: usize) {
                let n_bytes = u32::try_from(n_bytes).expect("the text is short");
                self.set_length(&gpu().queue, n_bytes).expect("the text is within the capacity");
            }

            fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
                self.record(pass);
            }

            fn rows(&self) -> [(&wgpu::Buffer, usize); 3] {
                [$((self.$buffer(), $n_words)),*]
            }

            fn report(&self) -> &wgpu::Buffer {
                self.report()
            }
        }
    };
}

text_stage!(Json, (kinds, 1), (spans, 2), (links, 2));
text_stage!(Brackets, (roles, 1), (positions, 1), (links, 2));

/// Both stages for texts in a buffer.
fn stages(context: &Context, text: &wgpu::Buffer, capacity: TextCapacity) -> [Box<dyn TextStage>; 2] {
    let json = Json::new(context, text, capacity, JsonRoots::One).expect("the text is short");
    let brackets = Brackets::new(context, text, capacity, &BracketSyntax::c()).expect("the text is short");
    [Box::new(json), Box::new(brackets)]
}

/// Whether a stage changes rows beyond its capacity. It is recorded for a text of one group of
/// partitions, and executed for one of two: no dispatch has found what is before the second group.
fn changes_other_rows(context: &Context) -> bool {
    let Gpu { device, queue, .. } = gpu();
    let text = text();
    let buffer = buffer(&text);
    let capacity = TextCapacity { n_bytes: u32::try_from(text.len()).expect("it is short"), n_rows: N_ROWS };
    stages(context, &buffer, capacity).into_iter().any(|mut stage| {
        for (rows, n_words) in stage.rows() {
            let guards = vec![GUARD; n_words * N_ROWS as usize];
            queue.write_buffer(rows, 0, bytemuck::cast_slice(&guards));
        }
        stage.set_length(GROUP);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        stage.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        stage.set_length(text.len());
        queue.submit([encoder.finish()]);
        let is_changed = |(rows, n_words): (&wgpu::Buffer, usize)| {
            let words: Vec<u32> = read(rows, n_words * N_ROWS as usize);
            words[n_words * N_TOLD as usize..].iter().any(|word| *word != GUARD)
        };
        stage.rows().into_iter().any(is_changed)
    })
}

/// The clamps that keep writes inside of the rows.
const FAULTS: &[Fault] = &[
    ("json_rows", "min(n, config.capacity - min(first_row, config.capacity))", "n"),
    ("json_rows", "&& first_row <= config.capacity", ""),
    ("bracket_rows", "if row < config.capacity", "if true"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn a_length_that_changes_before_submission_changes_no_other_rows() {
    let checked = Context::new(&gpu().device).with_changes(|shader| told_less(&bounded_source(shader)));
    let compile =
        |source: &dyn Fn(&Shader) -> String| checked.with_changes(|shader| told_less(&source(shader)));
    assert!(!changes_other_rows(&checked));
    assert_all_caught(FAULTS, compile, |context, _| changes_other_rows(context));
}

#[test]
fn stages_without_room_for_a_byte_have_a_report() {
    let text = buffer(&[0x5b_u8; 16]);
    let capacity = TextCapacity { n_bytes: 0, n_rows: 0 };
    let [json, brackets] = stages(context(), &text, capacity).map(|stage| {
        record(|pass| stage.record(pass));
        read::<TextReport>(stage.report(), 1)[0]
    });
    assert_eq!(json, TextReport { n_rows: 0, reason: JsonReason::NoValue as u32, offset: 0 });
    assert_eq!(brackets, TextReport { n_rows: 0, reason: 0, offset: 0 });
}
