//! Matches, tunes and runs: the API to tune from code.
//!
//! Data flows one way, and a module uses only what stands above it:
//!
//! ```text
//! terminal  styles of printed text, and escapes for text from elsewhere
//! shell     quotes for commands that are printed
//! count     counts as people write them: 5k, 2M
//! variants  the names that others have for a game on a board
//! opening_tree  opening books: trees, their files, and the move to play
//! arena     a game pair: one opening, two games, colours swapped
//! endgames  endgame databases as files, and their check against the solver
//! opening_growth  searches on threads that grow an opening tree, and their journal
//! protocol  UCI and UAI: external engines as players
//! session   pairs that sources ask for: played, recalled, kept
//! tune      optimizers over weights; the objective is the arena
//! tournament  matches of players, kept pair by pair
//! run       a run directory: manifest, journal, resume     (the one place that writes under runs/)
//! report    a run's record -> numbers, CSV, plain words              (pure)
//! runs      many runs: found by name, viewed, followed, compared, removed
//! page      views of runs -> HTML with charts, and the files of the pages of runs
//! ```

pub use sparring_engine::{any, error, eval, files, game, games, player, search, simple, weights};
pub use sparring_stats as stats;

pub mod terminal;
pub mod shell;
pub mod count;
pub mod variants;
pub mod opening_tree;
pub mod arena;
pub mod endgames;
pub mod opening_growth;
pub mod protocol;
pub mod session;
pub mod tune;
pub mod tournament;
pub mod run;
pub mod report;
pub mod runs;
pub mod page;
