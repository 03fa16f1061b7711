//! A JSON document with a long list, written item by item in the form of a whole document.

use crate::cli::{Console, VERSION};
use crate::error::{Error, Result};
use serde::Serialize;

/// Text is written in pieces of this many bytes.
const PIECE: usize = 1 << 16;

/// A document whose only field is a list, under way. With `--json-events` it is the last event.
pub struct ListDocument<'a> {
    console: &'a Console,
    /// The text that is not written yet.
    text: String,
    is_compact: bool,
    is_empty: bool,
}

impl<'a> ListDocument<'a> {
    /// Begins the document with a list of this name.
    pub fn new(name: &str, console: &'a Console) -> Self {
        let text = match console.events {
            true => {
                let event = r#"{"event":"result","document":"#;
                format!("{event}{{\"version\":{VERSION},\"{name}\":[")
            }
            false => format!("{{\n  \"version\": {VERSION},\n  \"{name}\": ["),
        };
        Self { console, text, is_compact: console.events, is_empty: true }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn add(&mut self, item: &impl Serialize) -> Result<()> {
        self.add_text(item)?;
        if self.text.len() >= PIECE {
            self.console.document_text(&std::mem::take(&mut self.text))?;
        }
        Ok(())
    }

    fn add_text(&mut self, item: &impl Serialize) -> Result<()> {
        let item = serde_json::to_value(item).map_err(|error| Error::failed("JSON", error))?;
        if !std::mem::take(&mut self.is_empty) {
            self.text.push(',');
        }
        if self.is_compact {
            self.text += &item.to_string();
        } else {
            // Strings have no line breaks: JSON escapes them.
            self.text += &format!("\n{item:#}").replace('\n', "\n    ");
        }
        Ok(())
    }

    /// Ends the document.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn end(mut self) -> Result<()> {
        self.end_text();
        self.console.document_text(&self.text)
    }

    fn end_text(&mut self) {
        self.text += match (self.is_compact, self.is_empty) {
            (true, _) => "]}}\n",
            (false, true) => "]\n}\n",
            (false, false) => "\n  ]\n}\n",
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::documents::{CommandEvent, Document};
    use serde_json::json;

    fn text_of(items: &[serde_json::Value], events: bool) -> String {
        let console = Console { json: true, events, ..Console::default() };
        let mut list = ListDocument::new("games", &console);
        items.iter().for_each(|item| list.add_text(item).unwrap());
        list.end_text();
        list.text
    }

    #[test]
    fn the_text_is_that_of_a_whole_document() {
        let game = json!({ "number": 1, "moves": "a2a3 b7b6", "empty": [], "lines": ["a\nb", {}] });
        for items in [vec![], vec![game.clone()], vec![game, json!({ "number": 2 }), json!(3)]] {
            let document = Document::new(json!({ "games": items }));
            let whole = serde_json::to_string_pretty(&document).unwrap() + "\n";
            assert_eq!(text_of(&items, false), whole);
            let document = serde_json::to_value(document).unwrap();
            let event = serde_json::to_string(&CommandEvent::Result { document }).unwrap() + "\n";
            assert_eq!(text_of(&items, true), event);
        }
    }
}
