//! The parts of the full search that can be switched off.

/// The parts of the full search, each of which can be switched off: for tests that compare what is
/// left with a search without pruning, and for measuring what a part is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Use scores from the transposition table.
    pub table: bool,
    /// Trust only scores of exactly the searched depth.
    pub exact_depth: bool,
    /// Null move.
    pub null_move: bool,
    /// Late-move reductions.
    pub reductions: bool,
    /// Futility, reverse futility, razoring and late-move pruning.
    pub pruning: bool,
    /// Quiescence search below depth 0.
    pub quiescence: bool,
    /// Wins and losses proven at a glance.
    pub foresight: bool,
    /// Forced answers are searched one ply deeper.
    pub extensions: bool,
    /// Aspiration windows.
    pub aspiration: bool,
}

impl Switches {
    /// Everything that makes the engine stronger.
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

    /// Only what leaves the value at a fixed depth as the plain definition has it.
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
