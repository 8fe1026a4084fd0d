//! Tests of the operators that WGSL does not mix.

use super::check_operators;

/// Expressions that the grammar of WGSL derives.
const ACCEPTED: &[&str] = &[
    // Chains of one operator, and the mixes that have a precedence.
    "a & b & c",
    "a | b | c",
    "a ^ b ^ c",
    "a + b * c - d / e % f",
    "a * b == c + d",
    "a < b + c * d",
    "a << b < c >> d",
    "a << b == c + d",
    "p && q && a < b",
    "p || a + b == c || q",
    "a << b < c && d + e < f",
    // Unary operators belong to operands.
    "a & -b",
    "-a ^ ~b",
    "~a << b",
    "a << -b",
    "a - -b * -c",
    "!p && !q",
    "*x & *y",
    "a * *x",
    "!(a < b) == p",
    // Parentheses, brackets, and arguments are operands.
    "a * (b ^ c)",
    "(a * b) ^ c",
    "a << (b + c)",
    "(a << b) << c",
    "(a < b) == (c < d)",
    "(p && q) || r",
    "(a & b) == c",
    "a & f(b + c)",
    "f(a & b, c | d)",
    "f(a > b, c < d)",
    "a & values[b + c]",
    "values[a & b] + c",
    "v.x ^ v.y",
    // Template lists are not comparisons.
    "vec2<u32>(a, b).x < c",
    "vec2<u32>(a) == vec2<u32>(b)",
    "bitcast<u32>(a) ^ bitcast<u32>(b)",
    "array<vec2<u32>, 4>()[a] >= b",
    "array<u32, (4 >> 1)>(a, b)[c] > d",
    "array<u32, u32((4) <= 3)>(a)[b] ^ c",
    "vec2 < u32 > (a).x ^ b",
    // The minus of an exponent is not an operator, unlike that after a hexadecimal digit.
    "1e-5f < x",
    "a ^ 0x1e5 ^ 0X1E5",
    ".5E+3f < 0x1P-3f",
    // Comments are not operators.
    "a /* + b /* * */ - */ ^ b // + c",
];

/// Expressions that need parentheses, and the two operators.
const REFUSED: &[(&str, &str, &str)] = &[
    ("4u * step ^ mirror", "*", "^"),
    ("a ^ b * c", "^", "*"),
    ("a + b & c", "+", "&"),
    ("a & b | c", "&", "|"),
    ("a | b ^ c", "|", "^"),
    ("a & b == c", "&", "=="),
    ("a == b & c", "==", "&"),
    ("a < b | c", "<", "|"),
    ("a & b << c", "&", "<<"),
    ("a >> b & c", ">>", "&"),
    ("a & b && p", "&", "&&"),
    ("p || a ^ b", "||", "^"),
    ("a << b << c", "<<", "<<"),
    ("a << b >> c", "<<", ">>"),
    ("a << b + c", "<<", "+"),
    ("a << b * c", "<<", "*"),
    ("a + b >> c", "+", ">>"),
    ("a * b + c << d", "+", "<<"),
    ("a == b + c >> d", "+", ">>"),
    ("a < b < c", "<", "<"),
    ("a < b <= c", "<", "<="),
    ("a > b == p", ">", "=="),
    ("a == b == p", "==", "=="),
    ("a + b < c + d == p", "<", "=="),
    ("a == b != p", "==", "!="),
    ("p && q || r", "&&", "||"),
    ("p || q && r", "||", "&&"),
    ("a < b && c < d || p", "&&", "||"),
    // Unary operators do not separate.
    ("a * -b ^ c", "*", "^"),
    ("-a * b ^ c", "*", "^"),
    ("*x + b & c", "+", "&"),
    ("!p && q || r", "&&", "||"),
    // Brackets do not separate what is outside of them, and are searched.
    ("a * (b) ^ c", "*", "^"),
    ("a + values[0] & c", "+", "&"),
    ("a + f(b, c) & d", "+", "&"),
    ("f(b, a * b ^ c)", "*", "^"),
    ("values[a << b << c]", "<<", "<<"),
    ("(a ^ (b | c & d))", "|", "&"),
    ("a * vec2<u32>(b).x ^ c", "*", "^"),
    ("array<u32, 4 & 3 + 1>()[a]", "&", "+"),
    ("a * b /* ( */ ^ c", "*", "^"),
    ("0x1e-a ^ b", "-", "^"),
];

/// A statement with an expression in each place where the grammar has one, as a source.
fn sources(expression: &str) -> Vec<String> {
    [
        "let x = @;",
        "x = @;",
        "x += @;",
        "*x ^= @;",
        "_ = @;",
        "return @;",
        "if @ { x++; }",
        "if p { x--; } else if (@) { }",
        "while @ { }",
        "switch @ { case 1u, 2u { } default: { } }",
        "for (var i = 0u; @; i++) { }",
        "loop { continuing { break if @; } }",
        "const_assert @;",
        "for (let i: vec2<u32> = @; i <= 3u; i <<= 1u) { *x &= i; }",
    ]
    .iter()
    .map(|statement| {
        format!(
            "fn f(x: ptr<function, u32>, y: u32) -> u32 {{\n{}\n}}",
            statement.replace('@', &format!("{expression}\n"))
        )
    })
    .collect()
}

#[test]
fn expressions_of_the_grammar_are_accepted() {
    for source in ACCEPTED.iter().flat_map(|expression| sources(expression)) {
        assert_eq!(check_operators(&source), Ok(()), "{source}");
    }
}

#[test]
fn mixed_operators_are_refused_in_every_place() {
    for (expression, first, second) in REFUSED {
        for source in sources(expression) {
            let error = check_operators(&source).expect_err(&source);
            assert_eq!((error.line, error.first, error.second), (2, *first, *second), "{source}");
        }
    }
}

#[test]
fn declarations_are_accepted_and_searched() {
    let source = "
        @group(0) @binding(1 << 1) var<storage, read_write> values: array<vec4<u32>>;
        const N: u32 = 3u; const M = N<<2u; alias Values = array<u32, N>;
        struct Pair { @align(16) a: u32, @size(N * 4) b: array<array<u32, N>, (1 >> 0) + 1>, }
        @compute @workgroup_size(N ^ 1, 1) fn main(@builtin(local_invocation_index) local: u32) { }
        fn f(x: ptr<function, array<f32, 4>>) -> bool { if (*x)[0] < 1.0 { return N<M && M>N; } return -1<2; }";
    assert_eq!(check_operators(source), Ok(()));
    for (valid, mixed, line) in [
        ("N<<2u", "N<<2u+1u", 3),
        ("1 >> 0", "1 >> 0 + 1", 4),
        ("N * 4", "N * 4 ^ 1", 4),
        ("N ^ 1", "N ^ 1 + 1", 5),
        ("N<M && M>N", "N<M && M>N || true", 6),
    ] {
        assert!(source.contains(valid));
        let error = check_operators(&source.replace(valid, mixed)).expect_err(mixed);
        assert_eq!(error.line, line, "{mixed}");
    }
}

#[test]
fn an_error_names_both_operators_and_the_remedy() {
    let error = check_operators("const X = 4u * 2u ^ 1u;").expect_err("it mixes operators");
    assert_eq!(
        error.to_string(),
        "`*` and `^` need parentheses around one of them: WGSL gives them no precedence"
    );
}

/// naga accepts the text with the fault.
#[test]
#[cfg(feature = "spatial")]
fn a_planted_fault_in_a_shader_is_found() {
    for shader in
        [&*crate::spatial::SORT_BITONIC, &crate::spatial::SORT_BITONIC_INDICES, &crate::spatial::SORT_MERGE]
    {
        let valid = "swizzled((4u * step) ^ mirror)";
        assert!(shader.source.contains(valid), "{}", shader.name);
        let error = check_operators(&shader.source.replace(valid, "swizzled(4u * step ^ mirror)"));
        assert!(error.is_err_and(|error| (error.first, error.second) == ("*", "^")), "{}", shader.name);
    }
}
