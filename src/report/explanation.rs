//! A static score, term by term, as a table.

use super::role::by_sign;
use super::table::{Facts, TextTable};
use crate::eval::Explanation;
use crate::eval::features::TableTerm;

/// The terms of a score, one to a row; those without a weight only if `all` are wanted.
pub fn term_table(explained: &Explanation, all: bool) -> TextTable {
    let mut table = TextTable::new()
        .left("feature")
        .shortened(12)
        .right("value")
        .right("weight")
        .right("product");
    for term in explained.terms.iter().filter(|term| all || term.weight != 0) {
        table.row([
            term.name.into(),
            term.value.to_string(),
            term.weight.to_string(),
            by_sign(term.product as f64, term.product),
        ]);
    }
    for TableTerm { name, patterns, product } in &explained.tables {
        let count: i32 = patterns.iter().map(|&(_, count, _)| count).sum();
        table.row([
            (*name).into(),
            format!("{count} patterns"),
            "table".into(),
            by_sign(*product as f64, product),
        ]);
    }
    table
}

/// The sum of the terms and the score.
pub fn score_facts(explained: &Explanation, weights: &str) -> Facts {
    let mut facts = Facts::default();
    facts.add("weights", weights);
    facts.add("sum", explained.sum.to_string());
    facts.add("scale", explained.scale.to_string());
    facts.add("score", format!("{:+} for the side to move", explained.score));
    facts
}
