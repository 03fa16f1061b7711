//! Switches that disable parts of the full search.

/// The parts of the full search, each with a switch. Tests compare the remaining search with one
/// without pruning, and measurements show the value of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Use scores from the transposition table.
    pub table: bool,
    /// Use table scores of exactly the searched depth only.
    pub exact_depth: bool,
    /// Null move.
    pub null_move: bool,
    /// Late-move reductions.
    pub reductions: bool,
    /// Futility, reverse futility, razoring and late-move pruning.
    pub pruning: bool,
    /// Use the quiescence search at depth 0.
    pub quiescence: bool,
    /// Use results that the rules prove without search.
    pub foresight: bool,
    /// Extend forced answers by one ply.
    pub extensions: bool,
    /// Aspiration windows.
    pub aspiration: bool,
}

impl Switches {
    /// All parts that make the engine stronger.
    pub const ALL: Switches = Switches {
        table: true,
        exact_depth: false,
        null_move: true,
        reductions: true,
        pruning: true,
        quiescence: true,
        foresight: true,
        extensions: true,
        aspiration: true,
    };

    /// Only parts that do not change the exact minimax value at a fixed depth.
    pub const EXACT: Switches = Switches {
        table: true,
        exact_depth: true,
        null_move: false,
        reductions: false,
        pruning: false,
        quiescence: false,
        foresight: false,
        extensions: false,
        aspiration: true,
    };
}
