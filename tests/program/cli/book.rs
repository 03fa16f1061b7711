//! Opening books: built, shown, checked, exported, merged, and played from.

use super::schemas::must_fit;
use super::support::{document, file, json, refusal, run, spar, spar_with, stderr, text};
use crate::protocol::dialogue::Dialogue;

const SMALL: &str = "--board 5x5 --weights piece --nodes 100 --threads 2";

#[test]
fn a_book_is_built_shown_checked_exported_and_merged() {
    let (folder, book) = file("book.json");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let book = book.display().to_string();
    let built = json(&format!("book build -o {book} --positions 150 {SMALL}"));
    must_fit("book-build", &built);
    assert!(built["positions"].as_u64().unwrap() >= 150, "{built:#}");
    assert!(!std::path::Path::new(&format!("{book}.part")).exists());
    // Extended, and with another seed.
    let longer = json(&format!("book build -o {book} --positions 300 {SMALL}"));
    assert!(longer["positions"].as_u64() > built["positions"].as_u64());
    let said = text(&format!("book build -o {} --positions 100 --seed 2 {SMALL}", at("two.json")));
    assert!(said.contains("spar book show"), "{said}");
    let other = refusal(spar(&format!("book build -o {book} --positions 300 --seed 2 {SMALL}")));
    assert!(other.contains("name another file with -o"), "{other}");

    let shown = json(&format!("book show {book}"));
    must_fit("book-show", &shown);
    assert_eq!(shown["moves"][0]["value"], shown["value"]);
    let mv = shown["moves"][0]["move"].as_str().unwrap();
    let said = text(&format!("book show {book} --moves {mv}"));
    assert!(said.contains("cost") && said.contains("best line"), "{said}");
    let far = refusal(spar(&format!("book show {book} --moves a2a9")));
    assert!(far.contains("--moves"), "{far}");

    must_fit("book-check", &json(&format!("book check {book}")));
    let said = text(&format!("book check {book}"));
    assert!(said.contains("good, "), "{said}");
    let torn = std::fs::read_to_string(&book).unwrap().replacen("\"score\":", "\"score\":1", 1);
    std::fs::write(at("torn.json"), torn).unwrap();
    let output = run(&format!("book check {} {book}", at("torn.json")));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("checksum"), "{}", stderr(&output));

    let lines = text(&format!("book export {book} --plies 3"));
    assert!(lines.starts_with("startpos; value ") && lines.contains("; cost "), "{lines}");
    text(&format!("book export {book} --to fen --within 50 -o {}", at("openings.epd")));
    let bin = json(&format!("book export {book} --to bin -o {}", at("book.bin")));
    must_fit("book-export", &bin);
    let kept = refusal(spar(&format!("book export {book} --to bin -o {}", at("book.bin"))));
    assert!(kept.contains("--force"), "{kept}");
    assert!(refusal(spar(&format!("book export {book} --to bin"))).contains("-o book.bin"));

    let merged = format!("book merge {book} {} -o {}", at("two.json"), at("both.json"));
    must_fit("book-merge", &json(&merged));
    text(&format!("book check {}", at("both.json")));
    let extended = format!("book build -o {} --positions 400 {SMALL}", at("both.json"));
    let said = refusal(spar(&extended));
    assert!(said.contains("a merged book, which cannot be extended"), "{said}");
    // No book is overwritten by a file made from it.
    let before = std::fs::read(&book).unwrap();
    for command in [format!("merge {book} {}", at("two.json")), format!("export {book}")] {
        let said = refusal(spar(&format!("book {command} -o {book} --force")));
        assert!(said.contains("one of those to read"), "{said}");
    }
    assert!(std::fs::read(&book).unwrap() == before);

    let same = refusal(spar(&format!("book merge {book} {book} -o {}", at("same.json"))));
    assert!(same.contains("the same book"), "{same}");

    // Matches take their openings from the tree and from the list of positions.
    for openings in [&book, &at("openings.epd")] {
        let played = document(&mut spar_with([
            "match",
            "piece",
            "zhu",
            "--board",
            "5x5",
            "--nodes",
            "20",
            "--pairs",
            "4",
            "--book",
            openings,
            "--book-plies",
            "4",
            "--json",
        ]));
        assert!(played["games"].as_u64().is_some_and(|games| games > 0), "{played:#}");
    }
    let bin = at("book.bin");
    for needs_lines in [
        format!("book export {bin}"),
        format!("book merge {book} {bin} -o {}", at("none.json")),
        format!("match piece zhu --board 5x5 --nodes 20 --pairs 1 --book {bin}"),
    ] {
        let refused = refusal(spar(&needs_lines));
        assert!(refused.contains("compact or packed form"), "{needs_lines}: {refused}");
    }
    plays_from(&book);
    plays_from(&bin);
}

/// The engine answers from the book at once, in `play` and over UCI.
fn plays_from(book: &str) {
    let typed = "a2a3\nquit\n";
    let mut play = spar(&format!("play --board 5x5 --nodes 100 --book {book}"));
    let output = play.write_stdin(typed).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("from the book"), "{said} {}", stderr(&output));
    let wrong = refusal(spar(&format!("play --nodes 100 --book {book}")));
    assert!(wrong.contains("name a book for the board"), "{wrong}");

    let mut engine = Dialogue::greeted();
    engine.send("setoption name UCI_Variant value breakthrough5x5");
    engine.send(&format!("setoption name BookFile value {book}"));
    engine.send("position startpos moves a2a3");
    let searched = engine.answer("go nodes 500");
    assert!(!searched.infos.is_empty(), "without OwnBook it searches");
    engine.send("setoption name OwnBook value true");
    let found = engine.answer("go movetime 60000");
    assert!(found.infos.is_empty() && found.took.as_secs() < 30, "{found:?}");
    assert_ne!(found.best_move(), "(none)");
    engine.send("setoption name BookDepth value 1");
    assert!(!engine.answer("go nodes 500").infos.is_empty(), "beyond its depth");
    engine.send("setoption name BookDepth value 100");
    let analysed = engine.answer("go nodes 500 searchmoves a4a3");
    assert!(analysed.best_move() == "a4a3" || !analysed.infos.is_empty());
    engine.send("setoption name BookFile value no/such/book");
    let lines = engine.ask("isready");
    assert!(lines.iter().any(|line| line.starts_with("info string BookFile: ")), "{lines:?}");
    assert!(!engine.answer("go nodes 500").infos.is_empty(), "a bad book is ignored");
}

#[test]
fn the_next_commands_name_the_game_and_the_board() {
    let (_folder, path) = file("small.json");
    let small = "--board 5x5 --positions 20 --nodes 100 --threads 1";
    let told = text(&format!("book build -o {} {small}", path.display()));
    let play = format!("spar play --game breakthrough --board 5x5 --book {}", path.display());
    assert!(told.contains(&play), "{told}");
}

#[test]
fn bad_arguments_are_refused() {
    let (_folder, book) = file("book.json");
    let book = book.display();
    for (arguments, remedy) in [
        (format!("book build -o {book} --for soon"), "30m"),
        (format!("book build -o {book} --nodes 0"), "nodes"),
        (format!("book build -o {book} --positions 0"), "give at least 1"),
        (format!("book build -o {book} --batch 0 {SMALL}"), "give 1 to 1000"),
        (format!("book build -o {book} --depth-penalty 99999 {SMALL}"), "give at most"),
        (format!("book build -o {book} --board 99x99"), "board"),
        (format!("book show {book}"), "check the path"),
        (format!("book export {book} --to html"), "possible values"),
        (format!("book merge {book} -o {book}.new"), "FILE"),
        (format!("play --book {book}"), "check the path"),
        ("play --board 5x5 --book shipped".into(), "breakthrough/8x8"),
        // Found by its name; not for this board.
        ("play --board 5x5 --book breakthrough/6x6".into(), "an opening book for 6x6, not for 5x5"),
        ("play --game ataxx --book breakthrough/6x6".into(), "an opening book of breakthrough"),
        (format!("book build -o {book} --repertoire --replies 0 {SMALL}"), "at least 1"),
        (format!("book build -o {book} --replies 3"), "--repertoire"),
        ("play --book-variety 3".into(), "--book"),
    ] {
        let error = refusal(spar(&arguments));
        assert!(error.contains(remedy), "{arguments}: {error}");
    }
    std::fs::write(book.to_string(), "{}").unwrap();
    for command in [
        format!("book show {book}"),
        format!("book build -o {book} {SMALL}"),
        format!("play --board 5x5 --book {book}"),
    ] {
        let error = refusal(spar(&command));
        assert!(error.contains("book build"), "{command}: {error}");
    }
}

#[test]
fn a_repertoire_is_built_packed_and_played_from() {
    let (folder, book) = file("book.json");
    let (book, packed) = (book.display(), folder.path().join("book.book").display().to_string());
    let built = json(&format!("book build -o {book} --positions 200 --repertoire {SMALL}"));
    must_fit("book-build", &built);
    assert_eq!(built["settings"]["repertoire"]["replies"], 5);
    text(&format!("book show {book}"));
    let written = json(&format!("book export {book} --to packed -o {packed}"));
    let checked = json(&format!("book check {book} {packed}"));
    must_fit("book-check", &checked);
    assert!(checked["files"].as_array().unwrap().iter().all(|file| file["valid"] == true));
    assert_eq!(checked["files"][1]["positions"], written["positions"]);
    plays_from(&packed);
}

#[test]
fn the_books_that_come_with_the_program_are_good_and_played_from() {
    let listed = json("book list");
    must_fit("book-list", &listed);
    let books = listed["books"].as_array().unwrap();
    assert_eq!(books.len(), 5, "{listed:#}");
    for book in books {
        assert!(book["bytes"].as_u64() < Some(100_000), "{book:#}");
        assert!(book["nodes"].as_u64() >= Some(50_000) && book["program"].is_string(), "{book:#}");
    }
    let names: Vec<&str> = books.iter().map(|book| book["name"].as_str().unwrap()).collect();
    let checked = json(&format!("book check {}", names.join(" ")));
    let folder = tempfile::tempdir().unwrap();
    for (name, book) in names.iter().zip(books) {
        let bin = folder.path().join(name.replace('/', "-")).display().to_string();
        let written = json(&format!("book export {name} --to bin -o {bin}"));
        assert_eq!(written["positions"], book["positions"], "{name}");
        assert_eq!(json(&format!("book check {bin}"))["files"][0]["valid"], true, "{name}");
    }
    assert!(refusal(spar("book export breakthrough/8x8")).contains("which has no lines"));
    for (file, book) in checked["files"].as_array().unwrap().iter().zip(books) {
        assert_eq!((&file["valid"], &file["positions"]), (&true.into(), &book["positions"]));
    }
    let shown = json("book show breakthrough/8x8");
    must_fit("book-moves", &shown);
    assert!(!shown["moves"].as_array().unwrap().is_empty(), "{shown:#}");
    assert!(text("book show ataxx/7x7").contains("ataxx on 7x7"));
    let said = text("book list");
    assert!(said.contains("breakthrough/8x8-network"), "{said}");
    let mut engine = Dialogue::greeted();
    engine.send("setoption name OwnBook value true");
    engine.send("position startpos");
    assert!(engine.answer("go movetime 60000").infos.is_empty(), "from the shipped book");
    engine.send("setoption name UCI_Variant value breakthrough5x5");
    let lines = engine.ask("isready");
    assert!(lines.iter().any(|line| line.starts_with("info string BookFile: ")), "{lines:?}");
    engine.send("position startpos");
    assert!(!engine.answer("go nodes 500").infos.is_empty(), "no book comes for the board");
}
