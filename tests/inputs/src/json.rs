//! JSON texts of any size.

use crate::{NoSuchFamily, Random};

/// A kind of JSON text.
#[derive(Clone, Copy)]
pub struct JsonFamily {
    /// A name, for tables and messages.
    pub name: &'static str,
    generate: fn(&mut Vec<u8>, usize, &mut Random),
}

/// The name alone.
impl std::fmt::Debug for JsonFamily {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl JsonFamily {
    /// A valid text of about `n_bytes`, and at most that many if it is long enough for one record.
    pub fn generate(self, n_bytes: usize, seed: u64) -> Vec<u8> {
        let mut text = Vec::with_capacity(n_bytes + 1024);
        (self.generate)(&mut text, n_bytes, &mut Random::new(seed));
        text
    }

    /// Whether each line of a text is a value or blank, as in JSON Lines. Otherwise, a text is one
    /// value.
    pub fn has_lines(self) -> bool {
        self.name == "lines"
    }
}

/// The family of JSON texts with this name.
///
/// # Errors
///
/// [`NoSuchFamily`], with the names of all families of JSON texts.
pub fn json_family(name: &str) -> Result<JsonFamily, NoSuchFamily> {
    let found = json_families().into_iter().find(|family| family.name == name);
    found.ok_or_else(|| NoSuchFamily::new(name, json_families().iter().map(|family| family.name)))
}

/// The kinds of texts.
pub fn json_families() -> [JsonFamily; 5] {
    [
        JsonFamily { name: "messages", generate: messages },
        JsonFamily { name: "coordinates", generate: coordinates },
        JsonFamily { name: "deep nest", generate: deep_nest },
        JsonFamily { name: "long strings", generate: long_strings },
        JsonFamily { name: "lines", generate: lines },
    ]
}

/// The levels of a nest of the family "deep nest".
const DEEPEST: usize = 1_000_000;

/// Appends records to an array while there is room, and closes it.
fn array(text: &mut Vec<u8>, n_bytes: usize, mut record: impl FnMut(&mut Vec<u8>)) {
    text.push(b'[');
    let mut n_records = 0;
    loop {
        let end = text.len();
        if n_records > 0 {
            text.push(b',');
        }
        record(text);
        if text.len() + 1 > n_bytes && n_records > 0 {
            text.truncate(end);
            break;
        }
        n_records += 1;
        if text.len() + 1 >= n_bytes {
            break;
        }
    }
    text.push(b']');
}

fn append(text: &mut Vec<u8>, part: &str) {
    text.extend_from_slice(part.as_bytes());
}

const WORDS: [&str; 12] = [
    "box",
    "clip",
    "blend",
    "leaf",
    "日本語",
    "ñandú",
    "path",
    "fill",
    "stroke",
    "emoji 🎨",
    "\\\"quoted\\\"",
    "tree",
];

fn sentence(random: &mut Random, n_words: usize) -> String {
    let words: Vec<&str> = (0..n_words).map(|_| WORDS[random.below(WORDS.len())]).collect();
    words.join(" ")
}

/// Messages with their authors, with indentation, as an API of a social network returns them: about
/// one token per 11 bytes.
fn messages(text: &mut Vec<u8>, n_bytes: usize, random: &mut Random) {
    array(text, n_bytes, |text| message(text, random, "\n      "));
}

fn message(text: &mut Vec<u8>, random: &mut Random, newline: &str) {
    let id = random.bits() >> 4;
    let (author, likes) = (random.below(100_000), random.below(9999));
    let n_words = 3 + random.below(20);
    let n_marks = random.below(3);
    append(text, &format!("{newline}{{{newline}  \"id\": {id},{newline}  \"id_str\": \"{id}\",{newline}"));
    append(text, &format!("  \"text\": \"{}\",{newline}", sentence(random, n_words)));
    append(
        text,
        &format!("  \"created_at\": \"Sun Aug 31 00:29:{:02} +0000 2014\",{newline}", random.below(60)),
    );
    append(
        text,
        "  \"source\": \"<a href=\\\"https:\\/\\/example.org\\/app\\\" rel=\\\"nofollow\\\">App<\\/a>\",",
    );
    append(
        text,
        &format!(
            "{newline}  \"truncated\": false,{newline}  \"reply_to\": null,{newline}  \"user\": {{{newline}"
        ),
    );
    append(
        text,
        &format!("    \"id\": {author},{newline}    \"name\": \"{}\",{newline}", sentence(random, 2)),
    );
    append(
        text,
        &format!("    \"followers_count\": {likes},{newline}    \"verified\": {},{newline}", likes % 7 == 0),
    );
    append(text, "    \"url\": null,");
    append(
        text,
        &format!(
            "{newline}    \"color\": \"C0DEED\",{newline}    \"entities\": {{ \"urls\": [] }}{newline}  }},"
        ),
    );
    append(text, &format!("{newline}  \"geo\": null,{newline}  \"marks\": ["));
    for i in 0..n_marks {
        let begin = random.below(100);
        append(text, if i > 0 { ", " } else { "" });
        append(
            text,
            &format!("{{ \"text\": \"{}\", \"indices\": [{begin}, {}] }}", sentence(random, 1), begin + 9),
        );
    }
    append(
        text,
        &format!(
            "],{newline}  \"likes\": {likes},{newline}  \"score\": {:.6e}{newline}}}",
            random.unit() * 1e-3
        ),
    );
}

/// Outlines of regions: arrays of pairs of numbers with many digits.
fn coordinates(text: &mut Vec<u8>, n_bytes: usize, random: &mut Random) {
    append(
        text,
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":",
    );
    let end = "}}]}";
    let rest = n_bytes.saturating_sub(text.len() + end.len());
    let first = text.len();
    let mut region = Vec::new();
    text.push(b'[');
    while text.len() - first < rest {
        region.clear();
        let n_points = 1 + random.below(200);
        for i in 0..n_points {
            let [x, y] = [-140.0 + 90.0 * random.unit(), 40.0 + 40.0 * random.unit()];
            append(&mut region, if i > 0 { "," } else { "[" });
            append(&mut region, &format!("[{x:.15},{y:.15}]"));
        }
        region.push(b']');
        if text.len() - first > 1 {
            if text.len() - first + region.len() + 2 > rest {
                break;
            }
            text.push(b',');
        }
        text.extend_from_slice(&region);
    }
    text.push(b']');
    append(text, end);
}

/// Nests of a million levels of objects and arrays, or fewer in a short text.
fn deep_nest(text: &mut Vec<u8>, n_bytes: usize, random: &mut Random) {
    array(text, n_bytes, |text| {
        let n_pairs = (n_bytes / 12).clamp(1, DEEPEST / 2);
        for _ in 0..n_pairs {
            append(text, if random.percent(50) { "{\"k\":[" } else { "{\"\":[" });
        }
        append(text, "0");
        for _ in 0..n_pairs {
            append(text, "]}");
        }
    });
}

/// Strings of up to 64 KiB with escape sequences, quotation marks, and runs of backslashes.
fn long_strings(text: &mut Vec<u8>, n_bytes: usize, random: &mut Random) {
    let longest = (n_bytes / 4).clamp(16, 1 << 16);
    array(text, n_bytes, |text| {
        text.push(b'"');
        let end = text.len() + 1 + random.below(longest);
        while text.len() < end {
            match random.below(12) {
                0 => append(text, "\\\\".repeat(random.below(40)).as_str()),
                1 => append(text, "\\\""),
                2 => append(text, "\\u00e9\\n"),
                3 => append(text, "{[,:]}"),
                n => append(text, WORDS[n % 10]),
            }
        }
        text.push(b'"');
    });
}

/// JSON Lines: a message per line, and now and then a blank line.
fn lines(text: &mut Vec<u8>, n_bytes: usize, random: &mut Random) {
    loop {
        let end = text.len();
        message(text, random, " ");
        append(text, if random.percent(3) { "\n\r\n" } else { "\n" });
        if text.len() > n_bytes && end > 0 {
            text.truncate(end);
            return;
        }
        if text.len() >= n_bytes {
            return;
        }
    }
}

/// A random valid text: values of every kind, white space, escape sequences, and characters of
/// every length.
pub fn random_json(random: &mut Random, n_values: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut n_left = n_values;
    white(&mut text, random);
    value(&mut text, random, &mut n_left, 0);
    white(&mut text, random);
    text
}

fn white(text: &mut Vec<u8>, random: &mut Random) {
    let n = if random.percent(3) { random.below(90) } else { random.below(3) };
    for _ in 0..n {
        text.push(b" \t\r\n"[random.below(4)]);
    }
}

fn value(text: &mut Vec<u8>, random: &mut Random, n_left: &mut usize, depth: usize) {
    *n_left = n_left.saturating_sub(1);
    match random.below(if *n_left == 0 || depth > 60 { 6 } else { 12 }) {
        0 => append(text, ["true", "false", "null"][random.below(3)]),
        1 | 2 => number(text, random),
        3..6 => string(text, random),
        kind => {
            let is_object = kind % 2 == 0;
            let n = random.below(if depth < 3 { 12 } else { 4 });
            text.push(if is_object { b'{' } else { b'[' });
            white(text, random);
            for i in 0..n {
                if i > 0 {
                    text.push(b',');
                    white(text, random);
                }
                if is_object {
                    string(text, random);
                    white(text, random);
                    text.push(b':');
                    white(text, random);
                }
                value(text, random, n_left, depth + 1);
                white(text, random);
            }
            text.push(if is_object { b'}' } else { b']' });
        }
    }
}

fn number(text: &mut Vec<u8>, random: &mut Random) {
    let digits = |text: &mut Vec<u8>, random: &mut Random| {
        let n = if random.percent(3) { 1 + random.below(80) } else { 1 + random.below(4) };
        (0..n).for_each(|_| text.push(b"0123456789"[random.below(10)]));
    };
    append(text, if random.percent(30) { "-" } else { "" });
    if random.percent(30) {
        text.push(b'0');
    } else {
        text.push(b"123456789"[random.below(9)]);
        if random.percent(70) {
            digits(text, random);
        }
    }
    if random.percent(40) {
        text.push(b'.');
        digits(text, random);
    }
    if random.percent(30) {
        append(text, ["e", "E", "e+", "E-"][random.below(4)]);
        digits(text, random);
    }
}

fn string(text: &mut Vec<u8>, random: &mut Random) {
    text.push(b'"');
    let n = if random.percent(5) { random.below(100) } else { random.below(8) };
    for _ in 0..n {
        let part = random.below(20);
        match part {
            0 => append(text, ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"][random.below(8)]),
            1 => append(text, &format!("\\u{:04x}", random.below(1 << 16))),
            2 => append(text, &"\\\\".repeat(random.below(20))),
            3 => append(text, ["é", "߿", "ࠀ", "퟿", "", "𐀀", "􏿿", "\u{7f}"][random.below(8)]),
            4 => append(text, ["{", "}", "[", "]", ",", ":", "true", "-1e5"][random.below(8)]),
            _ => text.push(b"abcdefnrtu/.-+0123 "[random.below(19)]),
        }
    }
    text.push(b'"');
}

/// Changes a text at one place: a byte is replaced, removed, or inserted, or two bytes change
/// places.
pub fn mutated(text: &[u8], random: &mut Random) -> Vec<u8> {
    const BYTES: &[u8] = b"{}[]:,\"\\ \n\t0123456789-+.eEtrufalsnx/\x00\x1f\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc2\xe0\xed\xef\xf0\xf4\xf5\xff";
    let mut text = text.to_vec();
    let byte = BYTES[random.below(BYTES.len())];
    let at = random.below(text.len().max(1));
    match random.below(4) {
        0 | 1 if at < text.len() => text[at] = byte,
        2 if at < text.len() => drop(text.remove(at)),
        _ => text.insert(at.min(text.len()), byte),
    }
    text
}
