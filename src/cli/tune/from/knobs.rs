//! The knobs of a tune that continues another one.

use crate::report::WeightRow;
use crate::tune::knob_file::KnobLine;
use crate::tune::{Knob, KnobKind};

/// A knob of an earlier tune, and the same knob as the new tune begins with it.
pub(super) struct ContinuedKnob {
    pub(super) before: Knob,
    pub(super) line: KnobLine,
    /// Whether the answer touched a bound, which `line` has therefore moved.
    pub(super) at_bound: bool,
}

/// A knob as the next tune begins with it.
pub(super) fn continued(knob: &Knob, row: &WeightRow, takes_answer: bool) -> ContinuedKnob {
    let mut bounds = [knob.min, knob.max];
    let at_bound = takes_answer && row.at_bound;
    if at_bound {
        let is_upper = knob.max - row.tuned < row.tuned - knob.min;
        let moved = if is_upper { knob.range } else { -knob.range };
        let side = &mut bounds[usize::from(is_upper)];
        *side = knob.kind.nearest(*side + moved, [f64::NEG_INFINITY, f64::INFINITY]);
    }
    let start = if takes_answer { row.tuned } else { knob.start };
    let line = KnobLine {
        option: knob.option.clone(),
        group: knob.group.clone(),
        fitted: knob.fitted.filter(|_| !takes_answer),
        range: Some(knob.range),
        ..KnobLine::new(knob.name.clone(), knob.kind, start, bounds)
    };
    ContinuedKnob { before: knob.clone(), line, at_bound }
}

/// A knob of the new tune beside the earlier one: name, both starts, bounds, remark.
pub(super) fn row(knob: &Knob, old: Option<&ContinuedKnob>) -> [String; 5] {
    let shown = |kind: KnobKind, value: f64| kind.shown(value);
    let bounds =
        |knob: &Knob| format!("{}..{}", shown(knob.kind, knob.min), shown(knob.kind, knob.max));
    let (started, now) = (old.map(|old| &old.before), bounds(knob));
    let before = started.map_or_else(|| now.clone(), bounds);
    let note = match old {
        None => "new",
        Some(_) if before != now => "widened",
        Some(old) if old.at_bound => "at its bound, which the engine's option has too",
        Some(_) => "",
    };
    [
        knob.name.clone(),
        started.map_or(String::new(), |old| shown(old.kind, old.start)),
        shown(knob.kind, knob.start),
        if before == now { now } else { format!("{before} -> {now}") },
        note.to_owned(),
    ]
}
