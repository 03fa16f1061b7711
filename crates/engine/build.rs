//! Packs the weight sets of `weights/<game>/` into the program. Each becomes JSON text with empty
//! tables and hidden weights, and the compressed tables and hidden weights beside it. Table cells
//! that follow from other cells are left out. The binary then holds a ninth of the files' bytes,
//! and a command reads and unpacks only the sets that it uses. Without the feature `sets`, sets
//! with tables or networks are left out.
//!
//! A published crate has a folder `packed` instead of the weight files. It has a tenth of their
//! bytes, since registries limit the size of a crate. The environment variable `SPARRING_PACK_SETS`
//! makes this script write that folder.

#[path = "src/weights/table_shape.rs"]
pub mod table_shape;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};
use table_shape::TableShape;

/// The file in a game's folder that is not a weight set.
const CONFORMANCE: &str = "conformance";

/// The folder of packed sets in a published crate.
const PACKED: &str = "packed";

/// The environment variable that makes this script write the folder.
const PACK_SETS: &str = "SPARRING_PACK_SETS";

/// The condition on the parts of the list that need the feature `sets`.
const IF_SETS: &str = "#[cfg(feature = \"sets\")]\n";

/// The file of the list of all sets, as Rust source.
const LIST: &str = "shipped.rs";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=weights");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/weights/table_shape.rs");
    println!("cargo::rerun-if-env-changed={PACK_SETS}");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let files = weight_files(Path::new("weights"))?;
    if files.is_empty() {
        return copy(Path::new(PACKED), &out)
            .map_err(|e| format!("neither `weights/<game>` nor `{PACKED}` has sets: {e}").into());
    }
    pack(&files, &out)?;
    if env::var_os(PACK_SETS).is_some() {
        fs::create_dir_all(PACKED)?;
        copy(&out, Path::new(PACKED))?;
    }
    Ok(())
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}

/// Packs the weight files into a folder: the list of sets, and one file for each packed part.
fn pack(files: &BTreeMap<String, PathBuf>, folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut packed = Packed { folder: folder.to_owned(), files: BTreeMap::new() };
    let mut list = String::from("&[\n");
    for (name, path) in files {
        let Set { rest, tables, cells, hidden_weights } =
            split(&fs::read_to_string(path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        let is_big = !cells.is_empty() || !hidden_weights.is_empty();
        if is_big && !cfg!(feature = "sets") {
            continue;
        }
        let [condition, cells, hidden_weights] = if is_big {
            [IF_SETS.into(), packed.add(planes(&cells))?, packed.add(hidden_weights)?]
        } else {
            ["", "&[]", "&[]"].map(String::from)
        };
        writeln!(
            list,
            "{condition}ShippedSet {{ name: {name:?}, rest: {rest:?}, tables: &{tables:?}, cells: {cells},
                hidden_weights: {hidden_weights} }},"
        )?;
    }
    let mut constants = String::new();
    for constant in packed.files.values() {
        writeln!(
            constants,
            "{IF_SETS}static {constant}: &[u8] =
                include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{constant}\"));"
        )?;
    }
    fs::write(folder.join(LIST), format!("{{\n{constants}{list}]\n}}\n"))?;
    Ok(())
}

/// The packed files. Content that several sets share is stored once, for instance the tables of a
/// set that another one combines with a network.
struct Packed {
    folder: PathBuf,
    /// Maps their content to their names.
    files: BTreeMap<Vec<u8>, String>,
}

impl Packed {
    /// Packs the bytes, unless they are packed already, and returns the name of their constant.
    fn add(&mut self, bytes: Vec<u8>) -> Result<String, Box<dyn Error>> {
        if let Some(constant) = self.files.get(&bytes) {
            return Ok(constant.clone());
        }
        let constant = format!("PACKED_{}", self.files.len());
        fs::write(self.folder.join(&constant), compress(&bytes)?)?;
        self.files.insert(bytes, constant.clone());
        Ok(constant)
    }
}

/// Compresses the bytes with zlib at its best level. Browsers can decompress this format too.
#[cfg(feature = "sets")]
fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packer, bytes)?;
    packer.finish()
}

/// Sets without tables and networks have nothing to compress.
#[cfg(not(feature = "sets"))]
fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    Ok(bytes.to_vec())
}

/// The files `weights/<game>/<set>.json` by their names, `game/set`.
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

/// A weight file split into its parts.
struct Set {
    /// The text, with every table and the network's hidden weights empty.
    rest: String,
    /// The name of each table, its number of cells, and its shape if half of the cells follow from
    /// the others.
    tables: Vec<(String, usize, Option<TableShape>)>,
    /// The cells of all tables, concatenated, without those that follow from others.
    cells: Vec<i16>,
    /// The hidden weights of the network, as bytes.
    hidden_weights: Vec<u8>,
}

/// Splits a weight file. It must have the program's own format: each table, and each list of a
/// network, is on one line.
fn split(text: &str) -> Result<Set, Box<dyn Error>> {
    let mut set = Set {
        rest: String::new(),
        tables: Vec::new(),
        cells: Vec::new(),
        hidden_weights: Vec::new(),
    };
    let mut is_in_network = false;
    let board = text.lines().find_map(|line| line.trim().strip_prefix("\"board\": \""));
    let board = board.and_then(|rest| rest.split('"').next()).unwrap_or_default();
    for line in text.lines() {
        if line.starts_with("  \"network\": {") || line.starts_with("  }") {
            is_in_network = !line.starts_with("  }");
        }
        let line = match table(line) {
            // The other lists of a network are short.
            _ if is_in_network => match hidden_weights(line) {
                Some((start, weights, end)) => {
                    set.hidden_weights = STANDARD.decode(weights).map_err(|e| e.to_string())?;
                    format!("{start}\"\"{end}")
                }
                None => line.to_owned(),
            },
            Some((start, cells, end)) => {
                let cells = read_cells(cells)?;
                let name = start.trim().trim_end_matches(':').trim_matches('"');
                let shape = shape(name, board, &cells);
                set.tables.push((name.to_owned(), cells.len(), shape));
                set.cells.extend(independent(&cells, shape));
                format!("{start} []{end}")
            }
            None => line.to_owned(),
        };
        set.rest.push_str(&line);
        set.rest.push('\n');
    }
    Ok(set)
}

/// Splits a line `"name": [1,2,3],` into the parts before, inside and after the brackets.
fn table(line: &str) -> Option<(&str, &str, &str)> {
    let bare = line.strip_suffix(',').unwrap_or(line);
    let (start, cells) = bare.strip_suffix(']')?.split_once(" [")?;
    start.ends_with("\":").then_some((start, cells, &line[bare.len()..]))
}

/// Splits a line `"hidden_weights": "AAH/",` into the parts before, inside and after the quotes.
fn hidden_weights(line: &str) -> Option<(&str, &str, &str)> {
    let key = "\"hidden_weights\": ";
    let (start, text) = line.split_at(line.find(key)? + key.len());
    let bare = text.strip_suffix(',').unwrap_or(text);
    Some((start, bare.strip_prefix('"')?.strip_suffix('"')?, &text[bare.len()..]))
}

fn read_cells(text: &str) -> Result<Vec<i16>, String> {
    let cells = text.split(',').filter(|cell| !cell.is_empty());
    cells.map(|cell| cell.parse().map_err(|e| format!("cell `{cell}`: {e}"))).collect()
}

/// The shape of a table named after the rows and columns of its windows, such as `windows_3x3`.
/// `None` unless each cell has the negated weight of the cell that the opponent sees.
fn shape(name: &str, board: &str, cells: &[i16]) -> Option<TableShape> {
    let sides = |text: &str| {
        let (a, b) = text.split_once('x')?;
        Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?))
    };
    let (height, width) = sides(name.strip_prefix("windows_")?)?;
    let (cols, rows) = sides(board)?;
    let places = |side: u32, length: u32| (side + 1).saturating_sub(length) as usize;
    let (classes, lines) = (places(cols, width).div_ceil(2), places(rows, height));
    let shapes = [(lines, true), (lines.div_ceil(2), false)].map(|(lines, turned)| TableShape {
        height,
        width,
        classes,
        lines,
        turned,
    });
    shapes.into_iter().find(|shape| {
        let opposite = shape.opposite();
        classes * shape.lines * shape.patterns() == cells.len()
            && (0..cells.len()).all(|cell| cells[opposite(cell)] == -cells[cell])
    })
}

/// The cells that do not follow from an earlier cell.
fn independent(cells: &[i16], shape: Option<TableShape>) -> Vec<i16> {
    let Some(shape) = shape else { return cells.to_vec() };
    let opposite = shape.opposite();
    (0..cells.len()).filter(|&cell| opposite(cell) >= cell).map(|cell| cells[cell]).collect()
}

/// The low bytes of all cells, then the high bytes: numbers near 0 have few different high bytes.
/// The sign goes to the lowest bit for the same reason.
fn planes(cells: &[i16]) -> Vec<u8> {
    let folded = || cells.iter().map(|&cell| ((cell << 1) ^ (cell >> 15)).to_le_bytes());
    folded().map(|[low, _]| low).chain(folded().map(|[_, high]| high)).collect()
}
