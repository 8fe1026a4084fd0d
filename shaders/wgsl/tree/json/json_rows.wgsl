// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, after the links of brackets: the rows, and the errors of the grammar.
//
// Whether a token is allowed depends on the last token before it, and on what contains it. Both are
// known as sets of the bytes of a word.

#import grid
#import entry
#import text_config
#import text
#import byte_planes
#import json_bytes
#import json_tokens
#import json_words
#import json_reasons
#import json_grammar
#import json_partitions
#import json_error
#import json_context
#import json_kinds
#import json_outputs

@group(0) @binding(2) var<storage> words: array<u32>;
@group(0) @binding(4) var<storage> contexts: array<u32>;
@group(0) @binding(5) var<storage> brackets: array<u32>;
@group(0) @binding(6) var<storage, read_write> kinds: array<u32>;
@group(0) @binding(7) var<storage, read_write> spans: array<JsonSpan>;
@group(0) @binding(8) var<storage, read_write> links: array<EntryLink>;

// The last bytes of the rows of each word. Each bracket is one of them.
var<workgroup> word_ends: array<u32, WORKGROUP_SIZE>;
// The brackets of each word.
var<workgroup> word_brackets: array<u32, WORKGROUP_SIZE>;
// The quotation marks of each word that begin a key.
var<workgroup> word_keys: array<u32, WORKGROUP_SIZE>;
// The number of brackets before each word.
var<workgroup> word_first_brackets: array<u32, WORKGROUP_SIZE>;
// The first bytes of rows, relative to the partition, on their way from the words to the
// invocations that write the rows.
const STAGED = 4u * WORKGROUP_SIZE;
var<workgroup> staged: array<u32, STAGED>;
var<workgroup> n_partition_rows: u32;

// The containers of the bytes of a word. `first` is the number of brackets before the word.
fn containers_of(tokens: Tokens, first: u32) -> Containers {
    // Up to and including the next bracket, a container extends through other bytes.
    let bracket = tokens.opens | tokens.closes;
    var containers = Containers(
        reached((tokens.opens & tokens.braces) << 1u, ~bracket),
        reached((tokens.opens & ~tokens.braces) << 1u, ~bracket),
    );
    // After a closing bracket and at the begin of the word, the container is that of the next
    // bracket.
    var here = reached(1u, ~bracket);
    var next = first;
    for (var rest = tokens.closes; true; rest &= rest - 1u) {
        let context = contexts[min(next, config.capacity)];
        let is_inside = (context & ROW) != NO_ROW;
        containers.object |= select(0u, here, is_inside && is_brace(context));
        containers.array |= select(0u, here, is_inside && !is_brace(context));
        if rest == 0u {
            return containers;
        }
        let close = rest & (0u - rest);
        here = reached(close << 1u, ~bracket);
        next = first + countOneBits(bracket & (close | (close - 1u)));
    }
    return containers;
}

// The kind of the row that begins with a byte.
fn kind_of(byte: u32, is_of_bracket: bool, is_key: bool) -> u32 {
    // { } [ ] are 7b 7d 5b 5d.
    if is_of_bracket {
        return KIND_OBJECT + u32(byte < 0x60u) + (byte & 4u) / 2u;
    }
    if byte == 0x22u {
        return select(KIND_STRING, KIND_KEY, is_key);
    }
    let literal = select(select(KIND_FALSE, KIND_NULL, byte == 0x6eu), KIND_TRUE, byte == 0x74u);
    return select(KIND_NUMBER, literal, byte == 0x74u || byte == 0x66u || byte == 0x6eu);
}

// Why a number or literal does not begin with a byte.
fn reason_of_scalar(kind: u32, byte: u32, position: u32) -> u32 {
    if kind == KIND_NUMBER {
        let is_number = byte == 0x2du || (byte >= 0x30u && byte <= 0x39u);
        return select(UNEXPECTED_BYTE, VALID, is_number);
    }
    var is_literal = false;
    if kind == KIND_TRUE {
        is_literal = is_literal_at(position, TRUE_LITERAL, 4u);
    } else if kind == KIND_NULL {
        is_literal = is_literal_at(position, NULL_LITERAL, 4u);
    } else {
        is_literal = is_literal_at(position, FALSE_LITERAL, 5u) && byte_at(position + 4u) == 0x65u;
    }
    return select(LITERAL, VALID, is_literal);
}

// "true", "null", and "fals", the first byte lowest.
const TRUE_LITERAL = 0x65757274u;
const NULL_LITERAL = 0x6c6c756eu;
const FALSE_LITERAL = 0x736c6166u;

// Whether the four bytes at a position begin a literal, and it has `length` bytes.
fn is_literal_at(position: u32, four: u32, length: u32) -> bool {
    let low = quad_at(position & ~3u) >> (8u * (position % 4u));
    // A shift by 32 is not defined.
    let high = (quad_at((position & ~3u) + 4u) << (24u - 8u * (position % 4u))) << 8u;
    return (low | high) == four && !is_scalar_byte(byte_at(position + length));
}

// The partition of a workgroup: its first row, and the offset of its first byte.
struct Place {
    first_row: u32,
    first_byte: u32,
}

// The begins of the rows of an invocation's word that have not been staged, and the first of these
// rows in the partition.
struct Pending {
    begins: u32,
    row: u32,
}

// Checks the tokens of a word, and prepares what its rows need.
fn resolve_word(part: u32, local: u32, word: u32) -> Pending {
    let quotes = words[QUOTES * n_words() + word];
    let begins = words[ROWS * n_words() + word];
    let bracket = words[BRACKETS * n_words() + word];
    let packed = words[BEFORE * n_words() + word];
    let before_partition = partitions.items[part];
    let first_bracket = before_partition.n_brackets + packed_brackets(packed);
    let after = before_then(before_partition.before, packed_before(packed)) & 7u;
    let starts_in_string = word_starts_in_string(packed);

    let p = planes_of(word_at(word));
    let in_string = in_strings(quotes, starts_in_string);
    let outside = ~(in_string | quotes);
    let scalar = scalar_bytes(p) & outside;
    let breaks = select(0u, line_breaks(p) & outside, config.has_lines != 0u);
    let white = spaces(p) & outside & ~breaks;
    let tokens = Tokens(
        bracket & p.b1,
        bracket & ~p.b1,
        bracket & p.b5,
        commas(p) & outside,
        colons(p) & outside,
        quotes & in_string,
        scalar & begins,
        breaks,
    );
    let before = before_tokens(tokens, scalar, in_string, quotes, white, after, starts_in_string);
    let containers = containers_of(tokens, first_bracket);
    let refused = refused_tokens(tokens, before, containers);
    if refused != 0u {
        let first_refused = refused & (0u - refused);
        keep_error(local, first_refused, reason_of(first_refused, tokens, before, containers));
    }

    let after_colon = before.b2 & ~(before.b1 | before.b0);
    let next_is_scalar = is_scalar_byte(byte_at(WORD_BYTES * word + WORD_BYTES));
    let ends = (quotes & ~in_string) | bracket | (scalar & ~((scalar >> 1u) | (u32(next_is_scalar) << 31u)));
    word_ends[local] = ends;
    word_brackets[local] = bracket;
    word_keys[local] = tokens.strings & containers.object & ~after_colon;
    word_first_brackets[local] = first_bracket;
    // The row that begins in an earlier word and continues in this one.
    let first_row = before_partition.n_rows + packed_rows(packed);
    let continues = starts_in_string || (scalar & ~begins & 1u) != 0u;
    if continues && ends != 0u && first_row > 0u && first_row <= config.capacity {
        spans[first_row - 1u].last = WORD_BYTES * word + firstTrailingBit(ends);
    }
    return Pending(begins, packed_rows(packed));
}

// Writes a row, whose first byte is at an offset in the partition.
fn write_row(place: Place, row: u32, offset: u32) {
    let position = place.first_byte + offset;
    let word = offset / WORD_BYTES;
    let bit = 1u << (offset % WORD_BYTES);
    let bracket = word_first_brackets[word] + countOneBits(word_brackets[word] & (bit - 1u));
    let context = min(bracket, config.capacity);
    let container = row_of(contexts[context]);
    let byte = (text[position / 16u][(position / 4u) % 4u] >> (8u * (position % 4u))) & 0xffu;
    let kind = kind_of(byte, (word_brackets[word] & bit) != 0u, (word_keys[word] & bit) != 0u);
    kinds[row] = kind;
    if kind <= KIND_ARRAY_END {
        let other = contexts[OTHERS * (config.capacity + 1u) + context];
        if kind >= KIND_OBJECT_END {
            spans[row] = JsonSpan(position, position);
            links[row] = EntryLink(row_of(other), container);
        } else {
            // A bracket that is not closed has no end, and any number there.
            let end = min(other, config.capacity - 1u);
            spans[row] = JsonSpan(position, brackets[POSITIONS * config.capacity + end]);
            links[row] = EntryLink(container, row_of(brackets[end]));
        }
        return;
    }
    links[row] = EntryLink(container, -1);
    let ends = word_ends[word] & ~(bit - 1u);
    if ends == 0u {
        // The word in which it ends writes the last byte.
        spans[row].first = position;
    } else {
        spans[row] = JsonSpan(position, place.first_byte + WORD_BYTES * word + firstTrailingBit(ends));
    }
    if kind >= KIND_NUMBER {
        let reason = reason_of_scalar(kind, byte, position);
        if reason != VALID {
            keep_error(word, bit, reason);
        }
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_text_partitions() {
        return;
    }
    let first_row = partitions.items[part].n_rows;
    let has_room = partitions.n_rows <= config.capacity;
    let word = part * PARTITION_WORDS + local;
    if local == 0u {
        atomicStore(&workgroup_error, NO_ERROR);
    }
    if local == last_word_of(part) {
        let n = packed_rows(words[BEFORE * n_words() + word]) + countOneBits(words[ROWS * n_words() + word]);
        // The numbers of other partitions are wrong if the length of the text changes between the
        // recording and the execution.
        n_partition_rows = select(0u, min(n, config.capacity - min(first_row, config.capacity)), has_room);
    }
    // The loop below has barriers, so its bound must be uniform.
    let n_rows = workgroupUniformLoad(&n_partition_rows);
    var pending = Pending(0u, 0u);
    if local < PARTITION_WORDS && word < n_words() && has_room {
        pending = resolve_word(part, local, word);
    }
    let place = Place(first_row, PARTITION_BYTES * part);
    for (var batch = 0u; batch < n_rows; batch += STAGED) {
        while pending.begins != 0u && pending.row < batch + STAGED {
            staged[pending.row - batch] = WORD_BYTES * local + firstTrailingBit(pending.begins);
            pending.begins &= pending.begins - 1u;
            pending.row += 1u;
        }
        workgroupBarrier();
        for (var i = local; i < min(n_rows - batch, STAGED); i += WORKGROUP_SIZE) {
            write_row(place, first_row + batch + i, staged[i]);
        }
        workgroupBarrier();
    }
    workgroupBarrier();
    if local == 0u {
        let error = first_error_of(part);
        partitions.items[part].error = min(partitions.items[part].error, error);
    }
}
