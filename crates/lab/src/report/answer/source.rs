//! An answer as constants of C and of Rust.

use super::AnswerFormat;
use crate::report::WeightRow;
use crate::tune::{Knob, KnobKind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Words that C or C++ keeps for itself.
const RESERVED: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char \
    char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast \
    consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum \
    explicit export extern false float for friend goto if inline int long main mutable namespace new \
    noexcept not not_eq nullptr operator or or_eq private protected public register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast \
    struct switch template this thread_local throw true try typedef typeid typename typeof \
    typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq";

/// A constant, or all constants of an array.
struct Constant<'a> {
    /// The name of the option, or of the array.
    name: &'a str,
    /// The sizes of the array; none of a single constant.
    sizes: Vec<usize>,
    /// The type of an element.
    element: Element,
    values: Vec<String>,
}

/// The type of a constant.
#[derive(Clone, Copy, PartialEq)]
enum Element {
    Int,
    /// An integer that may not fit into 32 bits.
    Long,
    Float,
}

/// An element of an array: its indices, its knob and its answer.
type Indexed<'a> = (Vec<usize>, &'a Knob, &'a WeightRow);

/// The knobs as constants; the elements of an array together, where all of them are there.
pub(super) fn text(rows: &[(Knob, WeightRow)], format: AnswerFormat) -> String {
    let constants = constants(rows);
    let names: Vec<&str> = constants.iter().map(|constant| constant.name).collect();
    let names = identifiers(&names, format);
    let mut text = String::new();
    for (constant, name) in constants.iter().zip(&names) {
        constant.declare(&mut text, format, name);
    }
    text
}

fn constants(rows: &[(Knob, WeightRow)]) -> Vec<Constant<'_>> {
    // By the array's name its elements.
    let mut arrays: Vec<(&str, Vec<Indexed<'_>>)> = Vec::new();
    for (knob, row) in rows {
        let (base, indices) = element(&knob.name);
        match arrays.iter_mut().find(|(known, elements)| {
            *known == base && !indices.is_empty() && elements[0].0.len() == indices.len()
        }) {
            Some((_, elements)) => elements.push((indices, knob, row)),
            None => arrays.push((base, vec![(indices, knob, row)])),
        }
    }
    let mut constants = Vec::new();
    for (base, mut elements) in arrays {
        elements.sort_by(|a, b| a.0.cmp(&b.0));
        match whole_array(&elements) {
            Some(sizes) => constants.push(Constant::new(base, sizes, &elements)),
            None => constants.extend(elements.chunks(1).map(|element| {
                let name = element.first().map_or(base, |(_, knob, _)| knob.name.as_str());
                Constant::new(name, Vec::new(), element)
            })),
        }
    }
    constants
}

/// The name and the indices of an element such as `x[3][1]`.
fn element(name: &str) -> (&str, Vec<usize>) {
    let (base, rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    let indices = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let indices = indices.map(|text| text.split("][").map(str::parse::<usize>).collect());
    match indices {
        Some(Ok(indices)) => (base, indices),
        _ => (name, Vec::new()),
    }
}

/// The sizes of the array that has exactly these elements, which are in order.
fn whole_array(elements: &[Indexed<'_>]) -> Option<Vec<usize>> {
    let dimensions = elements.first().map_or(0, |(indices, ..)| indices.len());
    let largest = |at: usize| elements.iter().filter_map(|(indices, ..)| indices.get(at)).max();
    let sizes: Vec<usize> =
        (0..dimensions).map(|at| largest(at).map_or(0, |most| most.saturating_add(1))).collect();
    let count = sizes.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
    let is_twice = elements.windows(2).any(|pair| pair[0].0 == pair[1].0 && dimensions > 0);
    (count == Some(elements.len()) && !is_twice).then_some(sizes)
}

impl<'a> Constant<'a> {
    fn new(name: &'a str, sizes: Vec<usize>, elements: &[Indexed<'_>]) -> Self {
        let is_int = elements.iter().all(|(_, knob, _)| is_whole(knob.kind));
        let is_long = |(_, knob, row): &Indexed<'_>| {
            let fits = |value: f64| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
            ![row.tuned, knob.min, knob.max].into_iter().all(fits)
        };
        let element = match is_int {
            true if elements.iter().any(is_long) => Element::Long,
            true => Element::Int,
            false => Element::Float,
        };
        let literal = |(_, knob, row): &Indexed<'_>| number(knob.kind, row.tuned, is_int);
        Self { name, sizes, element, values: elements.iter().map(literal).collect() }
    }

    fn declare(&self, text: &mut String, format: AnswerFormat, name: &str) {
        let sizes = &self.sizes;
        // Writing to a text cannot fail.
        let _ = match format {
            AnswerFormat::Rust => {
                let element = match self.element {
                    Element::Int => "i32",
                    Element::Long => "i64",
                    Element::Float => "f64",
                };
                let kind = sizes
                    .iter()
                    .rev()
                    .fold(element.to_owned(), |inner, size| format!("[{inner}; {size}]"));
                let values = nested(sizes, &self.values, ['[', ']']);
                write!(text, "pub const {name}: {kind} = {values};")
            }
            _ => {
                let element = match self.element {
                    Element::Int => "int",
                    Element::Long => "long long",
                    Element::Float => "double",
                };
                let dimensions: String = sizes.iter().map(|size| format!("[{size}]")).collect();
                let values = nested(sizes, &self.values, ['{', '}']);
                write!(text, "{element} {name}{dimensions} = {values};")
            }
        };
        // A quotation mark at the end, since a backslash there would make the next line a comment.
        if !self.name.is_ascii() || name != in_case(&identifier(self.name), format) {
            let _ = write!(text, " // \"{}\"", self.name);
        }
        text.push('\n');
    }
}

/// Whether a knob has whole numbers only.
fn is_whole(kind: KnobKind) -> bool {
    match kind {
        KnobKind::Int => true,
        KnobKind::Float => false,
        KnobKind::Scaled(factor) => factor.abs() <= 1.0 && (1.0 / factor).fract() == 0.0,
    }
}

/// A value as a literal.
fn number(kind: KnobKind, value: f64, is_int: bool) -> String {
    let text = if is_int { KnobKind::Int.shown(value) } else { kind.shown(value) };
    match is_int || text.contains(['.', 'e']) {
        true => text,
        false => text + ".0",
    }
}

/// The name of an option as a constant: as it is where it is one, else its words with underscores
/// between them.
fn identifier(name: &str) -> String {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = match name.chars().all(is_sign) {
        true => name.to_owned(),
        false => words.collect::<Vec<_>>().join("_"),
    };
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}

fn in_case(name: &str, format: AnswerFormat) -> String {
    if format == AnswerFormat::Rust { name.to_uppercase() } else { name.to_owned() }
}

/// A name for each constant, no two of them the same and none a word of the language. Options that
/// are names of constants already come first.
fn identifiers(names: &[&str], format: AnswerFormat) -> Vec<String> {
    let mut taken: BTreeSet<String> = match format {
        AnswerFormat::Rust => BTreeSet::from(["_".to_owned()]),
        _ => RESERVED.split_whitespace().map(str::to_owned).collect(),
    };
    let mut found = vec![String::new(); names.len()];
    let is_one = |at: &usize| identifier(names[*at]) == names[*at];
    let (ready, others): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(is_one);
    for at in ready.into_iter().chain(others) {
        let mut wanted = in_case(&identifier(names[at]), format);
        if wanted.trim_matches('_').is_empty() {
            wanted = in_case("knob", format);
        }
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let name = [wanted.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name));
        found[at] = name.unwrap_or(wanted);
        taken.insert(found[at].clone());
    }
    found
}

/// Values in brackets, one pair for each row.
fn nested(sizes: &[usize], values: &[String], [open, close]: [char; 2]) -> String {
    let Some((_, inner)) = sizes.split_first() else { return values.concat() };
    let size = inner.iter().product::<usize>().max(1);
    let rows: Vec<String> =
        values.chunks(size).map(|row| nested(inner, row, [open, close])).collect();
    format!("{open}{}{close}", rows.join(", "))
}

#[cfg(test)]
mod tests;
