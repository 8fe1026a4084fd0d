//! Numbers with units, and `calc()`, `min()`, `max()` and `clamp()` of them.

/// The largest depth of nested parentheses, in conditions as well.
const MAX_NESTING: u32 = 32;

/// A sum of a number and of multiples of units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Value {
    pub(crate) number: f64,
    pub(crate) px: f64,
    pub(crate) percent: f64,
    /// The multiple of the font size.
    pub(crate) em: f64,
    pub(crate) degrees: f64,
}

impl Value {
    pub(crate) const fn of_px(px: f64) -> Self {
        Self { number: 0.0, px, percent: 0.0, em: 0.0, degrees: 0.0 }
    }

    pub(crate) const fn of_em(em: f64) -> Self {
        Self { number: 0.0, px: 0.0, percent: 0.0, em, degrees: 0.0 }
    }

    pub(crate) fn of_degrees(degrees: f64) -> Self {
        Self { degrees, ..Self::default() }
    }

    const fn of_number(number: f64) -> Self {
        Self { number, px: 0.0, percent: 0.0, em: 0.0, degrees: 0.0 }
    }

    fn components(self) -> [f64; 5] {
        [self.number, self.px, self.percent, self.em, self.degrees]
    }

    /// The number, if it has no unit.
    pub(crate) fn as_number(self) -> Option<f64> {
        (self == Self::of_number(self.number)).then_some(self.number)
    }

    /// The angle in degrees. Zero may have no unit.
    pub(crate) fn as_degrees(self) -> Option<f64> {
        (self == Self { degrees: self.degrees, ..Self::default() }).then_some(self.degrees)
    }

    /// Whether it is a length, which may be zero without a unit.
    pub(crate) fn is_length(self) -> bool {
        self.number == 0.0 && self.degrees == 0.0
    }

    fn plus(self, other: Self, factor: f64) -> Self {
        Self {
            number: self.number + factor * other.number,
            px: self.px + factor * other.px,
            percent: self.percent + factor * other.percent,
            em: self.em + factor * other.em,
            degrees: self.degrees + factor * other.degrees,
        }
    }

    fn times(self, factor: f64) -> Self {
        Self::default().plus(self, factor)
    }

    /// The value as usvg reads it, if it has at most one unit.
    pub(crate) fn plain(self) -> Option<String> {
        let Self { number, px, percent, em, degrees } = self;
        let used =
            [(number + px, ""), (percent, "%"), (em, "em")].into_iter().filter(|(value, _)| *value != 0.0);
        let used: Vec<_> = used.collect();
        match used[..] {
            [] if degrees == 0.0 => Some("0".to_owned()),
            [(value, unit)] if degrees == 0.0 => Some(format!("{value}{unit}")),
            _ => None,
        }
    }
}

/// The px of a unit that depends on nothing (CSS Values, section 6.2). The name is in lower case.
pub(crate) fn absolute_unit(name: &str) -> Option<f64> {
    Some(match name {
        "px" => 1.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "pt" => 96.0 / 72.0,
        "pc" => 96.0 / 6.0,
        _ => return None,
    })
}

/// The degrees of a unit of angles. The name is in lower case.
pub(crate) fn angle(name: &str) -> Option<f64> {
    match name {
        "deg" => Some(1.0),
        "grad" => Some(0.9),
        "rad" => Some(1_f64.to_degrees()),
        "turn" => Some(360.0),
        _ => None,
    }
}

/// The meaning of units.
pub(crate) trait Units {
    /// One of a unit whose name is in lower case.
    fn unit(&self, name: &str) -> Option<Value>;

    /// A length in px.
    fn px(&self, value: Value) -> f64;
}

/// The value of a text that is a number, possibly with a unit, or a mathematical function. `None`
/// for anything else, and for values that are not finite.
pub(crate) fn evaluate(text: &str, units: &dyn Units) -> Option<Value> {
    let mut parser = Parser { rest: text.trim(), units, nesting: 0 };
    let value = parser.value()?;
    (parser.rest.is_empty() && value.components().into_iter().all(f64::is_finite)).then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
    units: &'a dyn Units,
    nesting: u32,
}

impl<'a> Parser<'a> {
    /// Takes a prefix of the rest, of some length in bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len()))
    }

    fn takes(&mut self, expected: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(expected)?;
        Some(())
    }

    fn value(&mut self) -> Option<Value> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
            && !self.rest.starts_with("-webkit-")
        {
            return self.number();
        }
        let name = self.take_while(|c| c.is_ascii_alphabetic() || c == '-').to_ascii_lowercase();
        // CSS Values 4, section 10.7.1: constants are numbers inside of calculations.
        match &*name {
            "pi" if self.nesting > 0 => return Some(Value::of_number(std::f64::consts::PI)),
            "e" if self.nesting > 0 => return Some(Value::of_number(std::f64::consts::E)),
            _ => {}
        }
        self.takes('(')?;
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return None;
        }
        let mut arguments = vec![self.sum()?];
        while self.takes(',').is_some() {
            arguments.push(self.sum()?);
        }
        self.takes(')')?;
        self.nesting -= 1;
        self.call(&name, &arguments)
    }

    fn call(&self, name: &str, arguments: &[Value]) -> Option<Value> {
        let is_less = |a: Value, b: Value| match (a.as_number(), b.as_number()) {
            (Some(a), Some(b)) => a < b,
            _ => self.units.px(a) < self.units.px(b),
        };
        let least = |a, b| if is_less(b, a) { b } else { a };
        let greatest = |a, b| if is_less(a, b) { b } else { a };
        match (name, arguments) {
            ("" | "calc" | "-webkit-calc", [value]) => Some(*value),
            ("min", values) => values.iter().copied().reduce(least),
            ("max", values) => values.iter().copied().reduce(greatest),
            ("clamp", [low, value, high]) => Some(greatest(*low, least(*value, *high))),
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<Value> {
        let mut sum = self.product()?;
        loop {
            // Without spaces, the sign would belong to a number.
            let operator = self.rest.strip_prefix(char::is_whitespace).map_or("", str::trim_start);
            let (factor, rest) = match (operator.strip_prefix('+'), operator.strip_prefix('-')) {
                (Some(rest), _) => (1.0, rest),
                (_, Some(rest)) => (-1.0, rest),
                (None, None) => return Some(sum),
            };
            self.rest = rest.strip_prefix(char::is_whitespace)?;
            sum = sum.plus(self.product()?, factor);
        }
    }

    fn product(&mut self) -> Option<Value> {
        let mut product = self.value()?;
        loop {
            if self.takes('*').is_some() {
                let factor = self.value()?;
                product = match (product.as_number(), factor.as_number()) {
                    (_, Some(factor)) => product.times(factor),
                    (Some(product), None) => factor.times(product),
                    (None, None) => return None,
                };
            } else if self.takes('/').is_some() {
                product = product.times(self.value()?.as_number()?.recip());
            } else {
                return Some(product);
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.rest;
        self.take(usize::from(start.starts_with(['+', '-'])));
        self.take_while(|c| c.is_ascii_digit());
        if self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.take(1);
            self.take_while(|c| c.is_ascii_digit());
        }
        // `2em` has no exponent.
        let exponent =
            self.rest.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
        if let Some(digits) = exponent.filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit())) {
            self.rest = digits;
            self.take_while(|c| c.is_ascii_digit());
        }
        let number: f64 = start[..start.len() - self.rest.len()].parse().ok()?;
        if self.rest.starts_with('%') {
            self.take(1);
            return Some(Value { percent: number, ..Value::default() });
        }
        let unit = self.take_while(|c| c.is_ascii_alphanumeric()).to_ascii_lowercase();
        if unit.is_empty() {
            return Some(Value::of_number(number));
        }
        Some(self.units.unit(&unit)?.times(number))
    }
}

/// The parts of a text between separators outside of parentheses and quotes, trimmed and without
/// empty ones.
pub(crate) fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut depth, mut quote) = (0_u32, None);
    let parts = text.split(|c| {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) => return depth == 0 && is_separator(c),
        }
        false
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The largest depth of nested blocks and functions, beyond which cssparser 0.38 stops.
const MAX_BLOCKS: u32 = 75;

/// Says that the parentheses of a value or condition are nested too deep. `None` if they are not.
pub(crate) fn excess_nesting(text: &str) -> Option<String> {
    let is_excessive = depth(text, b"(", b")") > MAX_NESTING;
    is_excessive.then(|| format!("more than {MAX_NESTING} nested parentheses"))
}

/// Says that the blocks and functions of a style sheet or of declarations are nested too deep.
/// `None` if they are not.
pub(crate) fn excess_blocks(text: &str) -> Option<String> {
    let is_excessive = depth(text, b"({[", b")}]") > MAX_BLOCKS;
    is_excessive.then(|| format!("more than {MAX_BLOCKS} nested blocks"))
}

/// The largest depth of these brackets. Those in strings count as well, which are seldom many.
fn depth(text: &str, opening: &[u8], closing: &[u8]) -> u32 {
    let (mut depth, mut most) = (0_u32, 0);
    for byte in text.bytes() {
        if opening.contains(&byte) {
            depth += 1;
            most = most.max(depth);
        } else if closing.contains(&byte) {
            depth = depth.saturating_sub(1);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;

    impl Units for Plain {
        fn unit(&self, name: &str) -> Option<Value> {
            match name {
                "px" => Some(Value::of_px(1.0)),
                "em" => Some(Value::of_em(1.0)),
                _ => None,
            }
        }

        fn px(&self, value: Value) -> f64 {
            value.number + value.px + 10.0 * value.em + value.percent
        }
    }

    #[test]
    fn values_are_evaluated() {
        for (text, expected) in [
            ("1e1PX", Some("10")),
            ("-.5em", Some("-0.5em")),
            ("+2e0em", Some("2em")),
            (" 50% ", Some("50%")),
            ("calc( 2 * (3px + 1px) / -4 )", Some("-2")),
            ("CALC(1em - 2 * 0.25em)", Some("0.5em")),
            ("calc(1px + 2px*3)", Some("7")),
            ("-webkit-calc(5px)", Some("5")),
            ("min(15px, 1em, 50%)", Some("1em")),
            ("max(1px,2px)", Some("2")),
            ("clamp(1px, 20px, calc(10px))", Some("10")),
            ("clamp(11px, 2px, 10px)", Some("11")),
            ("calc(2px * e / E)", Some("2")),
            ("pi", None),
            ("calc(1px + 1em)", None),
            ("calc(1px +1px)", None),
            ("calc(1px * 1px)", None),
            ("calc(1px / 0)", None),
            ("calc(1px", None),
            ("1vw", None),
            ("1px 2px", None),
            ("auto", None),
            ("sin(1)", None),
            ("1.", None),
            ("", None),
            ("calc(é)", None),
            ("calc(1px +é", None),
        ] {
            assert_eq!(evaluate(text, &Plain).and_then(Value::plain).as_deref(), expected, "{text}");
        }
        let nested = |depth| format!("calc{}1px{}", "(".repeat(depth), ")".repeat(depth));
        assert!(evaluate(&nested(32), &Plain).is_some() && evaluate(&nested(33), &Plain).is_none());
        assert!(excess_nesting(&nested(32)).is_none() && excess_nesting(&nested(33)).is_some());
    }

    #[test]
    fn texts_are_split_outside_of_parentheses_and_quotes() {
        let parts = split(" a(b, 'c)', d),, \"e,f\" ,g)h,i", |c| c == ',');
        assert_eq!(parts, ["a(b, 'c)', d)", "\"e,f\"", "g)h", "i"]);
    }
}
