//! The JSON of all commands is what docs/boxwood.schema.json says.

use std::collections::BTreeSet;

use boxwood_tests::repository;
use serde_json::{Map, Value};

use crate::run::{Folder, SMALL};

/// The members of a schema that describe it, and check nothing.
const ANNOTATIONS: [&str; 5] = ["$schema", "$id", "$defs", "title", "description"];

/// A JSON Schema with the keywords that ours has. Another keyword is a panic.
struct Schema(Value);

/// The names of the members of an object that a schema describes, or what is wrong.
type Described = Result<BTreeSet<String>, String>;

impl Schema {
    fn read() -> Self {
        let path = repository().join("docs/boxwood.schema.json");
        let text = std::fs::read_to_string(path).expect("the schema can be read");
        Self(serde_json::from_str(&text).expect("the schema is JSON"))
    }

    /// The definition with a name.
    fn definition(&self, name: &str) -> &Value {
        &self.0["$defs"][name]
    }

    /// Checks a value, which is at this place of the document.
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Described {
        let schema = schema.as_object().expect("a schema is an object");
        let mut described = BTreeSet::new();
        let holds = |is_right: bool, what: &str| {
            if is_right { Ok(()) } else { Err(format!("{at}: {value} is not {what}")) }
        };
        let length = value.as_array().map(Vec::len).unwrap_or_default() as u64;
        for (keyword, wanted) in schema {
            match keyword.as_str() {
                keyword if ANNOTATIONS.contains(&keyword) => {}
                "$ref" => {
                    let name = wanted.as_str().and_then(|to| to.strip_prefix("#/$defs/")).expect("a name");
                    described.extend(self.check(self.definition(name), value, at)?);
                }
                "allOf" => {
                    for part in wanted.as_array().expect("a list") {
                        described.extend(self.check(part, value, at)?);
                    }
                }
                "anyOf" => {
                    let parts = wanted.as_array().expect("a list").iter();
                    let results: Vec<_> = parts.map(|part| self.check(part, value, at)).collect();
                    let messages: Vec<_> = results.iter().filter_map(|part| part.clone().err()).collect();
                    let first = results.into_iter().find_map(Result::ok);
                    described.extend(first.ok_or_else(|| messages.join("\n"))?);
                }
                "type" => {
                    let mut types =
                        wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice).iter();
                    holds(types.any(|name| has_type(value, name)), &wanted.to_string())?;
                }
                "const" => holds(value == wanted, &wanted.to_string())?,
                "enum" => {
                    let values = wanted.as_array().expect("a list");
                    holds(values.contains(value), &wanted.to_string())?;
                }
                "minimum" => holds(value.as_f64() >= wanted.as_f64() || !value.is_number(), "large enough")?,
                "minItems" => holds(Some(length) >= wanted.as_u64(), "long enough")?,
                "maxItems" => holds(Some(length) <= wanted.as_u64(), "short enough")?,
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{at}/{index}"))?;
                    }
                }
                "required" => {
                    for name in wanted.as_array().expect("a list").iter().filter_map(Value::as_str) {
                        holds(value.get(name).is_some(), &format!("an object with `{name}`"))?;
                    }
                }
                "properties" | "additionalProperties" | "unevaluatedProperties" => {}
                other => panic!("the test does not know the keyword {other}"),
            }
        }
        if let Some(members) = value.as_object() {
            described.extend(self.check_members(schema, members, at)?);
            if schema.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
                let other = members.keys().find(|name| !described.contains(*name));
                holds(other.is_none(), &format!("an object without {other:?}"))?;
            }
        }
        Ok(described)
    }

    fn check_members(
        &self,
        schema: &Map<String, Value>,
        members: &Map<String, Value>,
        at: &str,
    ) -> Described {
        let mut described = BTreeSet::new();
        for (name, value) in members {
            let own = schema.get("properties").and_then(|properties| properties.get(name));
            if let Some(wanted) = own.or_else(|| schema.get("additionalProperties")) {
                self.check(wanted, value, &format!("{at}/{name}"))?;
                described.insert(name.clone());
            }
        }
        Ok(described)
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a type is a name") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the test does not know the type {other}"),
    }
}

/// The runs of each command that write JSON. Together, they write every kind of object.
const RUNS: [(&str, &[&[&str]]); 5] = [
    (
        "query",
        &[
            &["query", "small.svg", "rich.svg", "missing.svg", "--backend", "cpu"],
            &["query", "rich.svg", "--include", "fill", "--include", "fill,stroke", "--space", "local"],
            &["query", "small.svg", "--at", "45,45", "--space", "device"],
        ],
    ),
    ("explain", &[&["explain", "small.svg", "rich.svg", "missing.svg", "--select", "*"]]),
    ("audit", &[&["audit", "small.svg", "rich.svg", "missing.svg", "--kind", "all,sticks-out"]]),
    ("batches", &[&["batches", "small.svg", "rich.svg", "missing.svg"]]),
    (
        "diff",
        &[
            &["diff", "small.svg", "rich.svg"],
            &["diff", "small.svg", "small.svg"],
            &["diff", "small.svg", "missing.svg"],
            &["diff", "old", "new"],
        ],
    ),
];

/// A drawing with a warning, an opacity, a mask, a filter, waste, and an element that sticks out.
const RICH: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">
  <mask id="m"><rect width="20" height="20" fill="white"/></mask>
  <filter id="f"><feFlood x="0" y="0" width="5" height="5"/></filter>
  <g mask="url(#m)" opacity="0.5" style="mix-blend-mode: multiply"><path d="M0 0h30v30z" stroke="red"/></g>
  <g filter="url(#f)"><rect id="input" width="9" height="9"/></g>
  <rect id="out" x="80" y="50" width="20" height="20"/><rect x="200" width="9" height="9"/><g id="empty"/>
  <image href="missing.png" width="5" height="5"/>
</svg>
"##;

#[test]
fn every_output_is_described_by_the_schema() {
    let schema = Schema::read();
    let folder = Folder::new().with("small.svg", SMALL).with("rich.svg", RICH);
    let folder = folder.with("old/a.svg", SMALL).with("new/a.svg", RICH).with("new/b.svg", SMALL);
    for (command, runs) in RUNS {
        for run in runs {
            let output = |format: &str| folder.run(&[run, &["--format", format, "--quiet"][..]].concat());
            let check = |name: &str, text: &str| {
                let value: Value = serde_json::from_str(text).expect("it is JSON");
                for schema_part in [schema.definition(name), &schema.0] {
                    if let Err(message) = schema.check(schema_part, &value, "") {
                        panic!("{run:?}: {message}");
                    }
                }
            };
            check(command, output("json").text());
            for line in output("jsonl").text().lines() {
                let is_error = line.starts_with(r#"{"schema":6,"kind":"error""#);
                check(&if is_error { "errorLine".to_owned() } else { format!("{command}Line") }, line);
            }
        }
    }
}

#[test]
fn the_schema_refuses_other_values() {
    let schema = Schema::read();
    let run = Folder::with_small().run(&["audit", "small.svg", "--kind", "sticks-out", "--format", "json"]);
    let document: Value = serde_json::from_slice(&run.stdout).expect("it is JSON");
    let is_right = |document: &Value| schema.check(schema.definition("audit"), document, "").is_ok();
    assert!(is_right(&document));
    for (pointer, value) in [
        ("/schema", Value::from(5)),
        ("/files/0/width", Value::from("100")),
        ("/files/0/findings", serde_json::json!([{}])),
        ("/errors", serde_json::json!([{ "file": "a", "message": "b", "more": 1 }])),
        ("/sums", Value::Null),
    ] {
        let mut wrong = document.clone();
        *wrong.pointer_mut(pointer).expect("it is there") = value;
        assert!(!is_right(&wrong), "{pointer}");
    }
}
