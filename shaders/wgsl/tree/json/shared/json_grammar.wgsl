// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: AFTER_COLON, AFTER_STRING, AFTER_STRING_VALUE, EXTRA_COLON, EXTRA_COMMA, LINE_BREAK
// requires: MISMATCHED, MISSING_COLON, MISSING_COMMA, MISSING_KEY, MISSING_VALUE, OUTSIDE_ROOT
// requires: UNOPENED
// requires: reached
// provides: Before, Containers, Tokens, before_tokens, reason_of, refused_tokens

// The grammar: which tokens of a word are allowed after the tokens before them and in what contains
// them.

// The sets of the tokens of a word.
struct Tokens {
    opens: u32,
    closes: u32,
    braces: u32,
    comma: u32,
    colon: u32,
    strings: u32,
    scalars: u32,
    breaks: u32,
}

// The bits of the codes AFTER_* of the last token before each token.
struct Before {
    b0: u32,
    b1: u32,
    b2: u32,
}

// The bytes in objects and in arrays.
struct Containers {
    object: u32,
    array: u32,
}

// What precedes each token. `white` are the spaces outside of strings.
fn before_tokens(tokens: Tokens, scalar: u32, in_string: u32, quotes: u32, white: u32, after: u32, starts_in_string: bool) -> Before {
    // If the word starts in a string, the token before it reaches no further than the first byte.
    let after_colon = reached((tokens.colon << 1u) | u32(after == AFTER_COLON), white);
    // The strings that follow a colon, up to and including their last quotation mark.
    let value = u32(starts_in_string && after == AFTER_STRING_VALUE);
    let string_values = reached((tokens.strings & after_colon) | value, in_string);
    let ends = quotes & ~in_string;
    let values = scalar | tokens.closes;
    let open_objects = tokens.opens & tokens.braces;
    let open_arrays = tokens.opens & ~tokens.braces;
    return Before(
        reached(((open_objects | tokens.comma | (ends & ~string_values) | values) << 1u) | (after & 1u), white),
        reached(((open_arrays | tokens.comma | (ends & string_values) | values) << 1u) | ((after >> 1u) & 1u), white),
        reached(((tokens.colon | ends | values) << 1u) | (after >> 2u), white),
    );
}

// The tokens that the grammar does not allow.
fn refused_tokens(tokens: Tokens, before: Before, containers: Containers) -> u32 {
    let values = tokens.strings | tokens.scalars | tokens.opens;
    let after_value = before.b2 & (before.b1 | before.b0);
    let after_key = before.b2 & ~before.b1 & before.b0;
    let after_colon = before.b2 & ~before.b1 & ~before.b0;
    let after_open_object = ~before.b2 & ~before.b1 & before.b0;
    let after_open_array = ~before.b2 & before.b1 & ~before.b0;
    let close_braces = tokens.closes & tokens.braces;
    let close_squares = tokens.closes & ~tokens.braces;

    let in_root = tokens.closes | tokens.comma | tokens.colon | (values & (before.b2 | before.b1 | before.b0));
    let in_array = close_braces
        | tokens.colon
        | (tokens.comma & ~after_value)
        | (close_squares & ~after_value & ~after_open_array)
        | (values & after_value)
        | tokens.breaks;
    let in_object = close_squares
        | (after_key & ~tokens.colon)
        | (tokens.colon & ~after_key)
        | (after_colon & (tokens.comma | close_braces))
        | (after_value & values)
        | (~before.b2 & (tokens.comma | (values & ~tokens.strings) | (close_braces & ~after_open_object)))
        | tokens.breaks;
    let all = values | tokens.closes | tokens.comma | tokens.colon | tokens.breaks;
    let roots = ~(containers.object | containers.array);
    return all & ((roots & in_root) | (containers.array & in_array) | (containers.object & in_object));
}

// Why the grammar does not allow a token, which is the only bit of `at`.
fn reason_of(at: u32, tokens: Tokens, before: Before, containers: Containers) -> u32 {
    let after = u32((before.b0 & at) != 0u) | (u32((before.b1 & at) != 0u) << 1u) | (u32((before.b2 & at) != 0u) << 2u);
    let is_close = (tokens.closes & at) != 0u;
    let is_of_brace = (tokens.braces & at) != 0u;
    let is_colon = (tokens.colon & at) != 0u;
    let is_comma = (tokens.comma & at) != 0u;
    let is_after_value = after >= AFTER_STRING;
    let is_in_object = (containers.object & at) != 0u;
    if ((containers.object | containers.array) & at) == 0u {
        return select(OUTSIDE_ROOT, UNOPENED, is_close);
    }
    if (tokens.breaks & at) != 0u {
        return LINE_BREAK;
    }
    if is_close && is_of_brace != is_in_object {
        return MISMATCHED;
    }
    if is_in_object && after == AFTER_STRING {
        return MISSING_COLON;
    }
    if is_colon {
        return EXTRA_COLON;
    }
    if is_in_object && after == AFTER_COLON {
        return MISSING_VALUE;
    }
    if is_comma || is_close {
        return EXTRA_COMMA;
    }
    return select(MISSING_KEY, MISSING_COMMA, is_after_value);
}
