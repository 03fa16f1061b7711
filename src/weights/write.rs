//! Writing a weight set as JSON text: the same text for the same set, one weight to a line.

use super::{Weight, WeightSet};
use serde_json::{Value, json};

/// Arrays are wrapped at this column.
const WIDTH: usize = 100;

impl WeightSet {
    /// The set as JSON text that [`WeightSet::from_json`] reads back exactly. Weights keep their
    /// order, one to a line; long tables are wrapped; a new line ends the text. (An Elo that is not
    /// finite becomes null.)
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n");
        let mut field = |key: &str, value: &str| text.push_str(&format!("  \"{key}\": {value},\n"));
        field("format", &self.format.to_string());
        field("game", &quoted(&self.game));
        field("board", &self.board.as_deref().map_or("null".into(), quoted));
        field("name", &quoted(&self.name));
        field("description", &quoted(&self.description));
        field("scale", &self.scale.to_string());
        field("weights", &self.weights_text());
        text.push_str(&format!("  \"provenance\": {}\n}}\n", self.provenance_text()));
        text
    }

    fn weights_text(&self) -> String {
        let lines: Vec<_> = self.weights.iter().map(|(name, weight)| line(name, weight)).collect();
        if lines.is_empty() { "{}".into() } else { format!("{{\n{}\n  }}", lines.join(",\n")) }
    }

    fn provenance_text(&self) -> String {
        // A line break in the pretty text is never part of a string, as strings have theirs
        // escaped.
        format!("{:#}", json!(self.provenance)).replace('\n', "\n  ")
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn line(name: &str, weight: &Weight) -> String {
    let start = format!("    {}: ", quoted(name));
    match weight {
        Weight::One(value) => format!("{start}{value}"),
        Weight::Table(values) => start.clone() + &table(values, start.len()),
    }
}

/// An array on one line when it fits after `used` columns (and a comma), else filled lines of its
/// own.
fn table(values: &[i32], used: usize) -> String {
    let words: Vec<_> = values.iter().map(i32::to_string).collect();
    let short = format!("[{}]", words.join(", "));
    if used + short.len() < WIDTH { short } else { format!("[\n{}\n    ]", filled(&words)) }
}

/// Numbers on lines that are filled without spaces: tables are long.
fn filled(words: &[String]) -> String {
    let indent = " ".repeat(6);
    let mut lines = vec![indent.clone()];
    for (index, word) in words.iter().enumerate() {
        let comma = if index + 1 < words.len() { "," } else { "" };
        if lines.last().is_some_and(|line| line.len() + word.len() + comma.len() > WIDTH) {
            lines.push(indent.clone());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
            line.push_str(comma);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::{FORMAT, Provenance, Weights};

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
            provenance: None,
        }
    }

    #[test]
    fn the_text_is_stable() {
        let expected = r#"{
  "format": 2,
  "game": "breakthrough",
  "board": "6x6",
  "name": "sample",
  "description": "two\nlines and a \"quote\"",
  "scale": 100,
  "weights": {
    "piece": -7,
    "ring": [1, -2]
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
            elo: Some(31.415926535897934),
            elo_error: None,
            limits: "10000 nodes".into(),
            seed: u64::MAX,
            version: "0.1.0".into(),
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
    fn long_tables_are_wrapped() {
        for length in [0, 1, 20, 29, 30, 31, 200] {
            let mut set = sample();
            set.weights.insert(
                "ring",
                Weight::Table((0..length).map(|value| value * 997 - 50_000).collect()),
            );
            let text = set.to_json();
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
            assert_eq!(WeightSet::from_json(&text, "here").unwrap(), set);
        }
    }
}
