//! Packs the weight sets of `weights/<game>/` for the program: what is before and after the tables
//! as JSON text, and the cells of the tables compressed. So the binary carries a fifth of the
//! files' bytes, and what a command does not use is neither read nor unpacked.

use miniz_oxide::deflate::compress_to_vec;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The best that deflate can do; it takes a second or two for all sets.
const LEVEL: u8 = 9;
/// The file of a game's folder that is no weight set.
const CONFORMANCE: &str = "conformance";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=weights");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut list = String::from("&[\n");
    for (name, path) in weight_files(Path::new("weights"))? {
        let Set { rest, tables, cells } =
            split(&fs::read_to_string(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = format!("{}.cells", name.replace('/', "-"));
        fs::write(out.join(&file), compress_to_vec(&planes(&cells), LEVEL))?;
        writeln!(
            list,
            "ShippedSet {{ name: {name:?}, rest: {rest:?}, tables: &{tables:?},
                cells: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\")) }},"
        )?;
    }
    fs::write(out.join("shipped.rs"), list + "]\n")?;
    Ok(())
}

/// The files of `weights/<game>/<set>.json` by their names, `game/set`.
fn weight_files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Box<dyn Error>> {
    let mut files = BTreeMap::new();
    for game in fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()? {
        if !game.path().is_dir() {
            continue;
        }
        for file in fs::read_dir(game.path())? {
            let path = file?.path();
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if is_json && stem != CONFORMANCE {
                files.insert(format!("{}/{stem}", game.file_name().to_string_lossy()), path);
            }
        }
    }
    Ok(files)
}

/// A weight file taken apart.
struct Set {
    /// The text, with every table empty.
    rest: String,
    /// The name of each table and the number of its cells.
    tables: Vec<(String, usize)>,
    /// The cells of all tables, one after the other.
    cells: Vec<i16>,
}

/// Takes a weight file apart. It must be as the program writes it: a table stands on one line, and
/// nothing else has brackets at the line's end.
fn split(text: &str) -> Result<Set, Box<dyn Error>> {
    let mut set = Set { rest: String::new(), tables: Vec::new(), cells: Vec::new() };
    for line in text.lines() {
        let line = match table(line) {
            Some((start, cells, end)) => {
                let before = set.cells.len();
                for cell in cells.split(',').filter(|cell| !cell.is_empty()) {
                    set.cells.push(cell.parse().map_err(|e| format!("cell `{cell}`: {e}"))?);
                }
                let name = start.trim().trim_end_matches(':').trim_matches('"');
                set.tables.push((name.to_owned(), set.cells.len() - before));
                format!("{start} []{end}")
            }
            None => line.to_owned(),
        };
        set.rest.push_str(&line);
        set.rest.push('\n');
    }
    Ok(set)
}

/// A line `"name": [1,2,3],`: what is before the brackets, in them and after them.
fn table(line: &str) -> Option<(&str, &str, &str)> {
    let bare = line.strip_suffix(',').unwrap_or(line);
    let (start, cells) = bare.strip_suffix(']')?.split_once(" [")?;
    start.ends_with("\":").then_some((start, cells, &line[bare.len()..]))
}

/// The low bytes of all cells, then the high ones: numbers near 0 have few different high bytes.
/// The sign goes to the lowest bit for the same reason.
fn planes(cells: &[i16]) -> Vec<u8> {
    let folded = || cells.iter().map(|&cell| ((cell << 1) ^ (cell >> 15)).to_le_bytes());
    folded().map(|[low, _]| low).chain(folded().map(|[_, high]| high)).collect()
}
