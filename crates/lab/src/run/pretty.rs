//! JSON as text for people: a key to a line, and lists of plain values on one line each, so that a
//! table of a hundred thousand weights takes a line and not a hundred thousand.

use serde_json::Value;

/// The text, without a line break at its end.
pub(super) fn pretty(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

/// Adds a value whose line is indented by `level` levels.
fn write(value: &Value, level: usize, text: &mut String) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let write_entry = |(key, value): (&String, &Value), text: &mut String| {
                *text += &Value::from(key.as_str()).to_string();
                *text += ": ";
                write(value, level + 1, text);
            };
            lines(['{', '}'], entries.iter(), level, text, write_entry);
        }
        Value::Array(values) if values.iter().any(|value| !is_plain(value)) => {
            let write_value = |value: &Value, text: &mut String| write(value, level + 1, text);
            lines(['[', ']'], values.iter(), level, text, write_value);
        }
        plain => *text += &plain.to_string(),
    }
}

/// Adds items in brackets, a line each.
fn lines<T>(
    [open, close]: [char; 2],
    items: impl Iterator<Item = T>,
    level: usize,
    text: &mut String,
    write_item: impl Fn(T, &mut String),
) {
    text.push(open);
    for (place, item) in items.enumerate() {
        *text += if place == 0 { "\n" } else { ",\n" };
        *text += &"  ".repeat(level + 1);
        write_item(item, text);
    }
    text.push('\n');
    *text += &"  ".repeat(level);
    text.push(close);
}

fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_of_numbers_stand_on_one_line() {
        let value = json!({
            "a": { "table": [1, -2, 3.5], "name": "two\nlines", "none": {} },
            "b": [{ "c": [] }, [1, 2]],
        });
        let expected = concat!(
            "{\n  \"a\": {\n    \"table\": [1,-2,3.5],\n    \"name\": \"two\\nlines\",\n",
            "    \"none\": {}\n  },\n  \"b\": [\n    {\n      \"c\": []\n    },\n    [1,2]\n  ]\n}"
        );
        assert_eq!(pretty(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), value);
    }

    /// Without lists it is the usual text, which the checksums of older manifests were made of.
    #[test]
    fn without_lists_it_is_the_usual_text() {
        let value = json!({ "a": { "b": 1, "c": { "d": null, "e": "x" } }, "f": {}, "g": true });
        assert_eq!(pretty(&value), format!("{value:#}"));
    }
}
