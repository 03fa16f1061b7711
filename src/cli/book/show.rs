use super::build::words;
use super::facts::BookFacts;
use super::show_moves;
use crate::any::AnyPosition;
use crate::cli::analyze::score_text;
use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::cli::pasted::Pasted;
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::Board;
use crate::games::GameId;
use crate::opening_tree::{OpeningBook, OpeningTree};
use crate::report::table::TextTable;
use crate::report::units;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Shows the moves of a position of a book
///
/// For each move it shows the value for the side to move as `spar analyze` shows scores, the
/// drop-out cost of the line to it in hundredths of a piece, the plies of the longest line below it,
/// and the best line. For a book in
/// the compact or packed form, such as the books that come with the program, it shows the values
/// alone.
#[derive(Args, Debug)]
pub(super) struct BookShowArgs {
    /// The book; a name of `book list` is one that comes with the program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Moves to play from the start, with spaces between
    #[arg(long, value_name = "\"MOVE MOVE ...\"", default_value = "")]
    moves: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookShowJson {
    #[serde(flatten)]
    book: BookFacts,
    /// The SHA-256 of the files that it was merged from.
    merged: Vec<String>,
    /// The fewest nodes of the search of a position; null for a merged book of an earlier version.
    fewest_nodes: Option<u64>,
    /// The shown position, as FEN.
    fen: String,
    /// Its plies from the start.
    ply: u16,
    /// Its minimax value from the side to move, in units of the weight set.
    value: Score,
    /// The drop-out cost of the cheapest line to it, in hundredths of a piece.
    cost: i64,
    /// The best line from it.
    pv: Vec<String>,
    /// Its moves, best first; a leaf has the best move of its search alone.
    moves: Vec<MoveRow>,
}

/// A move of the position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MoveRow {
    #[serde(rename = "move")]
    mv: String,
    /// Its value for its mover, in units of the weight set.
    value: Score,
    /// The drop-out cost of the line with it, in hundredths of a piece; null for the move of a
    /// leaf.
    cost: Option<i64>,
    /// Plies of the longest line below it.
    plies: u16,
    /// The best line, beginning with the move.
    pv: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When the book cannot be read or is damaged, a move is illegal, or the position is not in it.
pub(super) fn run(args: &BookShowArgs, console: &Console) -> Result<Ended> {
    let position_of = |game: GameId, board: Board| {
        let pasted = Pasted::new(&args.moves).moves(game, game.start(board)?);
        Result::Ok(pasted.map_err(|error| error.within("--moves"))?.position)
    };
    if let Some(book) = OpeningBook::load_small(&args.file)? {
        let position = position_of(book.game(), book.board())?;
        show_moves::show(&args.file, &book, &position, console)?;
        return Ok(Ended::Done);
    }
    let tree = OpeningTree::load(&args.file)?;
    let position = position_of(tree.game(), tree.board())?;
    let Some(number) = tree.find(&position) else {
        return Err(Error::input("--moves", "the book ends before this position")
            .remedy("name fewer moves"));
    };
    let document = document(args, &tree, number, &position);
    match console.json {
        true => console.document(&document)?,
        false => print(&document, &tree, &position, console)?,
    }
    Ok(Ended::Done)
}

fn document(
    args: &BookShowArgs,
    tree: &OpeningTree,
    number: usize,
    position: &AnyPosition,
) -> BookShowJson {
    let node = &tree.nodes()[number];
    let moves = rows(tree, number, position);
    BookShowJson {
        book: BookFacts::new(&args.file, tree),
        merged: tree.merged().to_vec(),
        fewest_nodes: tree.known_fewest(),
        fen: position.fen(),
        ply: node.ply,
        value: node.value,
        cost: tree.settings().in_hundredths(node.cost),
        pv: moves.first().map(|row| row.pv.clone()).unwrap_or_default(),
        moves,
    }
}

/// The moves of a position, which may be a mirror image of the one in the tree.
fn rows(tree: &OpeningTree, number: usize, position: &AnyPosition) -> Vec<MoveRow> {
    let node = &tree.nodes()[number];
    let mut rows = Vec::new();
    for mv in position.moves() {
        let (after, text) = (position.after(mv), position.move_text(mv));
        let key = after.canonical_key();
        let edge = node.edges.iter().find(|edge| tree.nodes()[edge.child].key == key);
        let is_best = node
            .answer
            .best
            .is_some_and(|best| node.is_leaf() && node.position.after(best).canonical_key() == key);
        if let Some(edge) = edge {
            let mut pv = vec![text.clone()];
            pv.extend(words(&after, &tree.best_line_in(edge.child, &after)));
            let (value, cost) = (tree.edge_value(edge), tree.edge_cost(node, edge));
            let cost = Some(tree.settings().in_hundredths(cost));
            let plies = tree.nodes()[edge.child].height + 1;
            rows.push(MoveRow { mv: text, value, cost, plies, pv });
        } else if is_best {
            let pv = vec![text.clone()];
            rows.push(MoveRow { mv: text, value: node.value, cost: None, plies: 1, pv });
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.value));
    rows
}

fn print(
    document: &BookShowJson,
    tree: &OpeningTree,
    position: &AnyPosition,
    console: &Console,
) -> Result<()> {
    let BookFacts { game, board, positions, expanded, plies, settings, .. } = &document.book;
    let nodes = match document.fewest_nodes {
        Some(fewest) if fewest < settings.nodes => {
            format!("{} to {}", units::count(fewest), units::count(settings.nodes))
        }
        Some(_) => units::count(settings.nodes),
        None => format!("up to {}", units::count(settings.nodes)),
    };
    console.say(format!(
        "{}\n{game} on {board}, {} ({} expanded), up to {plies} plies, {} at {nodes} nodes\nvalue {} for the side to move, cost {}\n",
        position.diagram(),
        units::counted(*positions, "position"),
        units::count(*expanded),
        settings.weights,
        score_text(document.value),
        document.cost,
    ))?;
    let mut table = TextTable::new()
        .left("move")
        .right("value")
        .right("cost")
        .right("plies")
        .left("best line")
        .cut(20);
    for row in &document.moves {
        let cost = row.cost.map_or("-".into(), |cost| cost.to_string());
        let (value, plies) = (score_text(row.value), row.plies.to_string());
        table.row([row.mv.clone(), value, cost, plies, row.pv.join(" ")]);
    }
    match table.is_empty() {
        true if position.outcome().is_some() => console.say("The game is over here."),
        true => console.say(format!("No move of {} is in the book.", tree.board())),
        false => console.say(table.fit(console.width())),
    }
}
