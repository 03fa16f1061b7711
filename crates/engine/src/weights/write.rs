//! Writing a weight set as canonical JSON text: equal sets give equal texts, with one weight or
//! table on each line.

use super::{Network, WeightSet};
use serde_json::{Value, json};

impl WeightSet {
    /// The set as JSON text; [`WeightSet::from_json`] reads it back exactly. Weights keep their
    /// order, one on each line, tables without spaces; the text ends with a newline. (An Elo that
    /// is not finite becomes null.)
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n");
        let mut field = |key: &str, value: &str| text.push_str(&format!("  \"{key}\": {value},\n"));
        field("format", &self.format.to_string());
        field("game", &quoted(&self.game));
        field("board", &self.board.as_deref().map_or("null".into(), quoted));
        field("name", &quoted(&self.name));
        field("description", &quoted(&self.description));
        field("scale", &self.scale.to_string());
        field("weights", &object(self.weights.iter().map(|(name, weight)| (name, json!(weight)))));
        if let Some(network) = &self.network {
            field("network", &object_of(network));
        }
        if let Some(search) = &self.search {
            field("search", &object(search.iter().map(|(name, value)| (&**name, json!(value)))));
        }
        text.push_str(&format!("  \"provenance\": {}\n}}\n", self.provenance_text()));
        text
    }

    fn provenance_text(&self) -> String {
        // Line breaks of the pretty-printed text are never inside strings, where they are escaped.
        format!("{:#}", json!(self.provenance)).replace('\n', "\n  ")
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The network, one key a line.
fn object_of(network: &Network) -> String {
    match json!(network) {
        Value::Object(map) => object(map.iter().map(|(name, value)| (&**name, value.clone()))),
        _ => "null".into(),
    }
}

/// An object with one name a line; tables have no spaces.
fn object<'a>(values: impl Iterator<Item = (&'a str, Value)>) -> String {
    let lines: Vec<_> =
        values.map(|(name, value)| format!("    {}: {value}", quoted(name))).collect();
    if lines.is_empty() { "{}".into() } else { format!("{{\n{}\n  }}", lines.join(",\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::{FORMAT, Provenance, Weight, Weights};

    fn sample() -> WeightSet {
        WeightSet {
            format: FORMAT,
            game: "breakthrough".into(),
            board: Some("6x6".into()),
            name: "sample".into(),
            description: "two\nlines and a \"quote\"".into(),
            scale: 100,
            weights: [("piece", Weight::One(-7)), ("ring", Weight::Table(vec![1, -2]))]
                .into_iter()
                .collect(),
            network: None,
            search: None,
            provenance: None,
        }
    }

    #[test]
    fn the_text_is_stable() {
        let expected = r#"{
  "format": 4,
  "game": "breakthrough",
  "board": "6x6",
  "name": "sample",
  "description": "two\nlines and a \"quote\"",
  "scale": 100,
  "weights": {
    "piece": -7,
    "ring": [1,-2]
  },
  "provenance": null
}
"#;
        assert_eq!(sample().to_json(), expected);
    }

    #[test]
    fn provenance_is_indented_and_keeps_its_strings() {
        let mut set = sample();
        set.weights = Weights::new();
        set.provenance = Some(Provenance {
            run: "a\nb".into(),
            method: "spsa".into(),
            games: 20_000,
            baseline: "breakthrough/atachiants".into(),
            weights: None,
            weights_fingerprint: None,
            elo: Some(31.415926535897934),
            elo_error: None,
            limits: "10000 nodes".into(),
            seed: u64::MAX,
            version: "0.1.0".into(),
            ..Provenance::default()
        });
        let text = set.to_json();
        assert!(
            text.contains("  \"weights\": {},\n  \"provenance\": {\n    \"run\": \"a\\nb\",\n"),
            "{text}"
        );
        assert!(text.ends_with("    \"version\": \"0.1.0\"\n  }\n}\n"), "{text}");
        assert_eq!(WeightSet::from_json(&text, "here").unwrap(), set);
    }

    #[test]
    fn a_table_is_one_line() {
        let mut set = sample();
        set.weights.insert("ring", Weight::Table((0..5000).collect()));
        let text = set.to_json();
        assert_eq!(text.lines().count(), sample().to_json().lines().count());
        assert_eq!(WeightSet::from_json(&text, "here").unwrap(), set);
    }
}
