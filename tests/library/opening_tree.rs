//! Opening trees: against a second implementation, which knows positions by their text alone, and
//! files that are torn and changed.

use sparring::any::AnyPosition;
use sparring::arena::queue::Threads;
use sparring::error::Error;
use sparring::eval::Score;
use sparring::game::Board;
use sparring::games::GameId;
use sparring::opening_growth::{Growth, GrowthLimits, finish, journal_path};
use sparring::opening_tree::{
    BookNode, LeafAnswer, OpeningBook, OpeningTree, RepertoireSettings, TreeSettings,
};
use sparring::player::{DefaultWeights, Player};
use sparring::search::Stop;
use sparring::search::score::WIN;
use std::collections::HashMap;
use std::path::Path;

fn breakthrough() -> GameId {
    "breakthrough".parse().unwrap()
}

fn settings(seed: u64) -> TreeSettings {
    TreeSettings {
        weights: "made".into(),
        fingerprint: "0".into(),
        unit: 100,
        nodes: 1,
        depth_penalty: 10,
        batch: 3,
        seed,
        repertoire: None,
    }
}

/// A position seen by its mover, the lesser of itself and its mirror image.
fn image(fen: &str) -> String {
    let (rows, rest) = fen.split_once(' ').unwrap();
    let mut rows: Vec<String> = rows
        .split('/')
        .map(|row| {
            row.chars()
                .flat_map(|sign| match sign.to_digit(10) {
                    Some(count) => vec!['.'; count as usize],
                    None => vec![sign],
                })
                .collect()
        })
        .collect();
    if rest.starts_with('b') {
        rows.reverse();
        let swap = |sign: char| match sign {
            'p' => 'P',
            'P' => 'p',
            other => other,
        };
        rows = rows.iter().map(|row| row.chars().map(swap).collect()).collect();
    }
    let mirrored: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
    rows.join("/").min(mirrored.join("/"))
}

/// A score that symmetric positions share; sometimes a proven win.
fn made_score(position: &AnyPosition) -> Score {
    let hash = crc32fast::hash(image(&position.fen()).as_bytes());
    if hash.is_multiple_of(23) { WIN - 5 } else { (hash % 201) as Score - 100 }
}

fn made_answer(position: &AnyPosition) -> LeafAnswer {
    LeafAnswer { score: made_score(position), best: position.moves().first().copied() }
}

/// A tree of made scores after this many batches.
fn made_tree(board: Board, seed: u64, batches: usize) -> OpeningTree {
    made_tree_of(board, settings(seed), batches)
}

/// As `made_tree`, with these settings.
fn made_tree_of(board: Board, settings: TreeSettings, batches: usize) -> OpeningTree {
    let start = breakthrough().start(board).unwrap();
    let mut tree = OpeningTree::new(breakthrough(), board, settings, made_answer(&start)).unwrap();
    for _ in 0..batches {
        let leaves = tree.next_leaves();
        let answers: Vec<LeafAnswer> = tree.unsearched(&leaves).iter().map(made_answer).collect();
        tree.expand(&leaves, &answers).unwrap();
    }
    tree
}

/// The second implementation: ply and image -> score and successors.
#[derive(Default)]
struct PlainTree(HashMap<(u16, String), (Score, Vec<String>)>);

impl PlainTree {
    fn value(&self, ply: u16, name: &str) -> Score {
        let (score, next) = &self.0[&(ply, name.to_owned())];
        let before = |next: &String| match -self.value(ply + 1, next) {
            won if won > WIN / 2 => won - 1,
            lost if lost < -WIN / 2 => lost + 1,
            other => other,
        };
        next.iter().map(before).max().unwrap_or(*score)
    }

    /// The cost of the cheapest line to each position.
    fn costs(&self, start: &str) -> HashMap<(u16, String), i64> {
        let mut costs = HashMap::from([((0, start.to_owned()), 0)]);
        for ply in 0..40 {
            let here: Vec<(String, i64)> = costs
                .iter()
                .filter(|((at, _), _)| *at == ply)
                .map(|((_, name), &cost)| (name.clone(), cost))
                .collect();
            for (name, cost) in here {
                let value = i64::from(self.value(ply, &name));
                for next in &self.0[&(ply, name)].1 {
                    let mut after = -i64::from(self.value(ply + 1, next));
                    if after.abs() > i64::from(WIN / 2) {
                        after -= after.signum();
                    }
                    let cost = cost + 1000 + 100 * (value - after);
                    let known = costs.entry((ply + 1, next.clone())).or_insert(cost);
                    *known = cost.min(*known);
                }
            }
        }
        costs
    }

    fn add(&mut self, ply: u16, position: &AnyPosition) {
        let score = if position.outcome().is_some() { -WIN } else { made_score(position) };
        self.0.entry((ply, image(&position.fen()))).or_insert((score, Vec::new()));
    }

    fn expand(&mut self, ply: u16, position: &AnyPosition) {
        let mut next = Vec::new();
        for mv in position.moves() {
            let after = position.after(mv);
            self.add(ply + 1, &after);
            next.push(image(&after.fen()));
        }
        self.0.get_mut(&(ply, image(&position.fen()))).unwrap().1 = next;
    }
}

#[test]
fn the_tree_is_that_of_a_plain_implementation() {
    for (board, seed, batches) in [(Board::new(4, 5), 1, 60), (Board::new(5, 5), 2, 40)] {
        let start = breakthrough().start(board).unwrap();
        let name = image(&start.fen());
        let mut plain = PlainTree::default();
        plain.add(0, &start);
        let mut tree =
            OpeningTree::new(breakthrough(), board, settings(seed), made_answer(&start)).unwrap();
        for _ in 0..batches {
            let costs = plain.costs(&name);
            let is_open = |(place, (score, next)): (&(u16, String), &(Score, Vec<String>))| {
                (next.is_empty() && score.abs() < WIN / 2).then(|| costs[place])
            };
            let mut open: Vec<i64> = plain.0.iter().filter_map(is_open).collect();
            open.sort_unstable();
            let leaves = tree.next_leaves();
            let chosen: Vec<i64> = leaves.iter().map(|leaf| tree.nodes()[leaf.node].cost).collect();
            assert_eq!(chosen, open[..open.len().min(3)]);
            for leaf in &leaves {
                let node = &tree.nodes()[leaf.node];
                plain.expand(node.ply, &node.position);
            }
            let answers: Vec<LeafAnswer> =
                tree.unsearched(&leaves).iter().map(made_answer).collect();
            tree.expand(&leaves, &answers).unwrap();
        }
        assert_eq!(tree.nodes().len(), plain.0.len(), "every position once");
        let costs = plain.costs(&name);
        for node in tree.nodes() {
            let name = image(&node.position.fen());
            assert_eq!(node.value, plain.value(node.ply, &name), "{name}");
            assert_eq!(node.cost, costs[&(node.ply, name)]);
        }
        assert!(tree.nodes().len() > 200, "{}", tree.nodes().len());
    }
}

/// The file of a tree, with the right checksum for all before it.
fn signed(body: &str) -> String {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(body.as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}\n\"checksum\": \"{digest}\"\n}}\n")
}

#[test]
fn a_file_is_read_back_and_no_change_is_overlooked() {
    let tree = made_tree(Board::new(5, 5), 3, 12);
    let text = tree.to_json().unwrap();
    assert_eq!(OpeningTree::from_bytes(text.as_bytes()).unwrap().to_json().unwrap(), text);
    for at in (0..text.len() - 4).step_by(131) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(OpeningTree::from_bytes(&bytes).is_err(), "byte {at}");
    }
    // A change by somebody who renews the checksum.
    let (body, _) = text.rsplit_once("\n\"checksum\"").unwrap();
    assert_eq!(signed(body), text);
    let value = format!("\"value\":{}", tree.nodes()[0].value);
    for (old, new) in [
        (value.as_str(), "\"value\":7777"),
        ("\"a2a3\":", "\"a2a5\":"),
        ("\"ply\":1,", "\"ply\":2,"),
        ("\"batch\": 3", "\"batch\": 0"),
    ] {
        assert!(body.contains(old), "{old}");
        let error = OpeningTree::from_bytes(signed(&body.replacen(old, new, 1)).as_bytes());
        assert_eq!(error.unwrap_err().exit_code(), 2, "{old}");
    }
}

#[test]
fn images_get_the_images_of_moves_and_the_compact_form_says_the_same() {
    let tree = made_tree(Board::new(5, 5), 4, 20);
    let (book, folder) = (OpeningBook::of(&tree), tempfile::tempdir().unwrap());
    let path = folder.path().join("book.bin");
    let bytes = book.to_compact().unwrap();
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(OpeningBook::load(&path, breakthrough()).unwrap(), book);
    for at in (0..bytes.len()).step_by(37) {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        std::fs::write(&path, changed).unwrap();
        assert!(OpeningBook::load(&path, breakthrough()).is_err(), "byte {at}");
    }
    let start = tree.nodes()[0].position.clone();
    let after = |text: &str| start.after(start.parse_move(text).unwrap());
    let [left, right] = [after("a2a3"), after("e2e3")];
    let values = |position: &AnyPosition| -> Vec<Score> {
        book.moves(position).iter().map(|found| found.value).collect()
    };
    assert_eq!(values(&left), values(&right));
    assert_eq!(book.moves(&start).len(), start.moves().len());
    assert_eq!(book.choose(&start, 0, 1).unwrap().value, tree.nodes()[0].value);
    let drawn: std::collections::HashSet<_> =
        (0..50).map(|seed| book.choose(&start, 1000, seed).unwrap().mv).collect();
    assert!(drawn.len() > 3, "{drawn:?}");
    // A leaf has the best move of its search, whichever image is asked for.
    let leaf = tree.nodes().iter().find(|node| node.is_leaf() && !node.is_over).unwrap();
    let best = leaf.position.after(leaf.answer.best.unwrap()).canonical_key();
    let leads = |mv| leaf.position.after(mv).canonical_key();
    assert!(book.moves(&leaf.position).iter().any(|found| leads(found.mv) == best));
}

#[test]
fn a_book_has_no_move_where_the_best_it_knows_is_refuted() {
    let tree = made_tree(Board::new(4, 5), 1, 60);
    let book = OpeningBook::of(&tree);
    let (mut played, mut refuted) = (0, 0);
    for (number, node) in tree.nodes().iter().enumerate() {
        // If a position occurs at several plies, the first one counts.
        if node.is_over || tree.find(&node.position) != Some(number) {
            continue;
        }
        let best = book.moves(&node.position)[0].value;
        let is_refuted = node.value - best > 50;
        let chosen = book.choose(&node.position, 0, 1);
        assert_eq!(chosen.map(|chosen| chosen.value), (!is_refuted).then_some(best));
        assert!(!is_refuted || node.is_leaf(), "an expanded position has all its moves");
        if is_refuted {
            refuted += 1;
        } else {
            played += 1;
        }
    }
    assert!(played > 10 * refuted && refuted > 3, "{played} {refuted}");
}

#[test]
fn a_merged_tree_has_the_positions_of_both() {
    let board = Board::new(4, 5);
    let [first, second] = [made_tree(board, 1, 9), made_tree(board, 2, 14)];
    let merged = first.merge(&second).unwrap();
    let text = merged.to_json().unwrap();
    let read = OpeningTree::from_bytes(text.as_bytes()).unwrap();
    assert_eq!((read.to_json().unwrap(), read.merged().len()), (text, 2));
    for node in first.nodes().iter().chain(second.nodes()) {
        let found =
            merged.nodes().iter().find(|other| (other.ply, other.key) == (node.ply, node.key));
        assert!(found.is_some_and(|found| node.is_leaf() || !found.is_leaf()));
    }
    let other = made_tree(Board::new(5, 5), 1, 1);
    assert!(first.merge(&other).unwrap_err().to_string().contains("one game and board"));
}

/// Grows a book of real searches; breaks off after this many of them.
fn grow(path: &Path, threads: usize, positions: u64, most: u64) -> Option<OpeningTree> {
    grow_with(path, threads, (positions, most), None)
}

/// As `grow`, perhaps as a repertoire.
fn grow_with(
    path: &Path,
    threads: usize,
    (positions, most): (u64, u64),
    repertoire: Option<RepertoireSettings>,
) -> Option<OpeningTree> {
    let (game, board) = (breakthrough(), Board::new(4, 5));
    let player = Player::find(game, Some("piece"), DefaultWeights::HandMade).unwrap();
    let evaluator = game.evaluator(&player.weights).unwrap();
    let settings = TreeSettings { nodes: 60, unit: evaluator.unit(), repertoire, ..settings(5) };
    let (threads, stop) = (Threads::new(threads).unwrap(), Stop::default());
    let growth =
        Growth::open(path, (game, board), settings, (&player, &evaluator), &threads, &stop)
            .unwrap();
    let limits = GrowthLimits { positions: Some(positions), end: None };
    let grown = growth.run(&limits, &mut |so_far| match so_far.searches < most {
        true => Ok(()),
        false => Err(Error::interrupted("test", "enough")),
    });
    let (tree, _) = grown.ok()??;
    finish(path, &tree).unwrap();
    // Somebody has removed the journal.
    finish(path, &tree).unwrap();
    Some(tree)
}

#[test]
fn threads_kills_and_extensions_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let bytes = |name: &str| std::fs::read(path(name)).unwrap();
    grow(&path("one"), 1, 400, u64::MAX).unwrap();
    grow(&path("two"), 2, 400, u64::MAX).unwrap();
    assert_eq!(bytes("one"), bytes("two"));
    assert!(!journal_path(&path("one")).exists());
    // A build that is killed again and again, each time in the middle of a line.
    for most in [1, 20, 77, 150] {
        assert!(grow(&path("killed"), 2, 400, most).is_none());
        let journal = journal_path(&path("killed"));
        let text = std::fs::read(&journal).unwrap();
        std::fs::write(&journal, &text[..text.len() - 3]).unwrap();
    }
    grow(&path("killed"), 1, 400, u64::MAX).unwrap();
    assert_eq!(bytes("killed"), bytes("one"));
    // A book that is extended, with a kill between.
    grow(&path("longer"), 2, 120, u64::MAX).unwrap();
    assert!(grow(&path("longer"), 1, 400, 200).is_none());
    grow(&path("longer"), 2, 400, u64::MAX).unwrap();
    assert_eq!(bytes("longer"), bytes("one"));
    // A smaller number changes nothing.
    grow(&path("longer"), 2, 120, u64::MAX).unwrap();
    assert_eq!(bytes("longer"), bytes("one"));
}

const REPERTOIRE: RepertoireSettings = RepertoireSettings { replies: 3, drop: 4 };

#[test]
fn a_repertoire_is_the_same_after_kills_and_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let bytes = |name: &str| std::fs::read(path(name)).unwrap();
    let grow = |name: &str, threads, positions, most| {
        grow_with(&path(name), threads, (positions, most), Some(REPERTOIRE))
    };
    grow("one", 1, 300, u64::MAX).unwrap();
    for most in [1, 30, 120] {
        assert!(grow("killed", 2, 300, most).is_none());
    }
    grow("killed", 2, 300, u64::MAX).unwrap();
    assert_eq!(bytes("killed"), bytes("one"));
    grow("longer", 2, 100, u64::MAX).unwrap();
    grow("longer", 1, 300, u64::MAX).unwrap();
    assert_eq!(bytes("longer"), bytes("one"));
}

/// In every position that a side reaches by its own moves against any reply of the tree, it has
/// exactly one move: the one that the book plays.
#[test]
fn a_side_with_a_repertoire_always_has_its_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let tree = grow_with(&path, 1, (400, u64::MAX), Some(REPERTOIRE)).unwrap();
    let read = OpeningTree::load(&path).unwrap();
    assert_eq!(read.to_json().unwrap(), tree.to_json().unwrap());
    let book = OpeningBook::of(&tree);
    for side in [0, 1] {
        let (mut open, mut own, mut other) = (vec![0], 0, 0);
        while let Some(number) = open.pop() {
            let node = &tree.nodes()[number];
            let is_own = node.position.side_to_move().index() == side;
            if !is_own {
                open.extend(node.edges.iter().map(|edge| edge.child));
                continue;
            }
            own += 1;
            if let Some(place) = node.plays {
                let after = tree.nodes()[node.edges[place].child].key;
                let played = book.choose(&node.position, 0, 1).unwrap().mv;
                other += usize::from(node.position.after(played).canonical_key() != after);
                open.push(node.edges[place].child);
            }
        }
        // A position has one value, though it may be the choice in one line and not in another.
        assert!(own > 30 && 20 * other <= own, "{other} of {own}");
    }
    // The packed form says the same.
    let packed = folder.path().join("packed");
    let bytes = tree.to_packed().unwrap();
    std::fs::write(&packed, &bytes).unwrap();
    let small = OpeningBook::load(&packed, breakthrough()).unwrap();
    assert_eq!(small, book);
    for at in (0..bytes.len()).step_by(53) {
        let mut changed = bytes.clone();
        changed[at] ^= 16;
        std::fs::write(&packed, changed).unwrap();
        assert!(OpeningBook::load(&packed, breakthrough()).is_err(), "byte {at}");
    }
}

/// A merged repertoire plays what its parts play.
#[test]
fn a_repertoire_merged_with_itself_keeps_its_chosen_moves() {
    let repertoire = Some(RepertoireSettings { replies: 3, drop: 40 });
    let settings = TreeSettings { repertoire, ..settings(3) };
    let tree = made_tree_of(Board::new(5, 5), settings, 40);
    let behind = tree.nodes().iter().filter(|node| {
        node.plays.is_some_and(|place| tree.edge_value(&node.edges[place]) < node.value)
    });
    assert!(behind.count() > 0, "no chosen move is kept against a better one");
    let merged = tree.merge(&tree).unwrap();
    assert_eq!(merged.nodes().len(), tree.nodes().len());
    for (old, new) in tree.nodes().iter().zip(merged.nodes()) {
        let after = |tree: &OpeningTree, node: &BookNode| {
            node.plays.map(|place| tree.nodes()[node.edges[place].child].key)
        };
        assert_eq!((old.key, old.value), (new.key, new.value));
        assert_eq!(after(&tree, old), after(&merged, new), "{}", old.position.fen());
    }
    assert_eq!(OpeningBook::of(&merged), OpeningBook::of(&tree));
    let text = merged.to_json().unwrap();
    assert_eq!(OpeningTree::from_bytes(text.as_bytes()).unwrap().to_json().unwrap(), text);
}

/// The error, with its remedy, of a refused merge.
fn refused_merge(first: &OpeningTree, second: &OpeningTree) -> String {
    let error = first.merge(second).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    error.to_string()
}

#[test]
fn only_repertoires_of_one_margin_are_merged_with_each_other() {
    let tree = |drop: Option<u32>, nodes| {
        let repertoire = drop.map(|drop| RepertoireSettings { replies: 3, drop });
        made_tree_of(Board::new(5, 5), TreeSettings { repertoire, nodes, ..settings(3) }, 5)
    };
    let (plain, near, wide) = (tree(None, 9), tree(Some(5), 9), tree(Some(40), 2));
    for (first, second) in [(&plain, &near), (&near, &plain), (&near, &wide), (&wide, &near)] {
        assert!(refused_merge(first, second).contains("of the same --drop"));
    }
    let merged = near.merge(&tree(Some(5), 2)).unwrap();
    assert_eq!(merged.settings().repertoire, near.settings().repertoire);
}

#[test]
fn weaker_searches_never_win_in_a_merge_of_merges() {
    let tree = |nodes: u64, change: Score| {
        let settings = TreeSettings { nodes, ..settings(3) };
        let board = Board::new(5, 5);
        let start = breakthrough().start(board).unwrap();
        let answer = LeafAnswer { score: change, best: start.moves().first().copied() };
        OpeningTree::new(breakthrough(), board, settings, answer).unwrap()
    };
    let read = |tree: OpeningTree| OpeningTree::from_bytes(tree.to_json().unwrap().as_bytes());
    let [low, middle, high] = [tree(10, 1), tree(100, 2), tree(1000, 3)];
    let ends = read(low.merge(&high).unwrap()).unwrap();
    for (first, second) in [(&ends, &middle), (&middle, &ends)] {
        assert!(refused_merge(first, second).contains("the two books with the fewest nodes first"));
    }
    let lower = read(middle.merge(&low).unwrap()).unwrap();
    assert_eq!(lower.nodes()[0].value, 2);
    assert_eq!(high.merge(&lower).unwrap().nodes()[0].value, 3);
    assert_eq!(lower.merge(&high).unwrap().nodes()[0].value, 3);
    // Merges of equal searches are like unmerged books; the first one counts.
    let equal = read(middle.merge(&tree(100, 7)).unwrap()).unwrap();
    assert_eq!(tree(100, 5).merge(&equal).unwrap().nodes()[0].value, 5);
    assert_eq!(equal.merge(&tree(100, 5)).unwrap().nodes()[0].value, 2);
    // A merged book of an older version does not say how few nodes it has.
    let text = equal.to_json().unwrap();
    let (body, _) = text.rsplit_once("\n\"checksum\"").unwrap();
    let older = signed(&body.replace(",\n  \"fewest_nodes\": 100", ""));
    let older = OpeningTree::from_bytes(older.as_bytes()).unwrap();
    assert!(older.to_json().unwrap() != text);
    assert!(
        refused_merge(&older, &tree(99, 5)).contains("merge the parts of the older merged book")
    );
    assert_eq!(older.merge(&tree(100, 5)).unwrap().nodes()[0].value, 5);
}

#[test]
fn a_damaged_book_is_not_called_something_else() {
    let text = made_tree(Board::new(5, 5), 3, 2).to_json().unwrap();
    let refused = |text: &str| OpeningTree::from_bytes(text.as_bytes()).unwrap_err().to_string();
    let at = text.find("\"score\":").unwrap();
    for damaged in [
        text.replacen("\"score\":", "\"scorf\":", 1),
        text.replacen("\"ply\":1", "\"ply\":x", 1),
        text[..at].to_owned(),
        text[..text.len() - 60].to_owned(),
    ] {
        let said = refused(&damaged);
        assert!(said.contains("damaged or cut off") && said.contains("restore"), "{said}");
    }
    for other in ["{}", "{\"kind\":\"x\",\n\"checksum\": \"0\"\n}\n"] {
        assert!(refused(other).contains("not one: "), "{other}");
    }
}
