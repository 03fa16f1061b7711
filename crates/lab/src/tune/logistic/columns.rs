//! The weights that a fit finds, as columns of one long vector.

use crate::any::{AnyPosition, SingleWeight};
use crate::error::{Error, Result};
use crate::eval::PatternTable;
use crate::game::Board;
use crate::games::GameId;
use crate::weights::{MAX_TABLE_WEIGHT, MAX_WEIGHT, Phase, Weight, WeightSet};
use std::ops::Range;

/// The column and sign of a cell, in 4 bytes: a pass looks up about a hundred of them for each
/// position.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SignedColumn(i32);

impl SignedColumn {
    /// The column of a cell whose weight is always 0, since it is its own opposite.
    const NONE: Self = Self(0);

    /// The column of a cell that has the column's weight, or its negative.
    fn new(column: u32, opposite: bool) -> Self {
        let number = column as i32 + 1;
        Self(if opposite { -number } else { number })
    }

    /// The column and the sign of the cell there.
    #[inline]
    fn get(self) -> Option<(u32, f64)> {
        let column = self.0.unsigned_abs().checked_sub(1)?;
        Some((column, if self.0 < 0 { -1.0 } else { 1.0 }))
    }
}

/// The columns of a table: equivalent cells share one, and so do opposites, with opposite signs.
struct TableColumns {
    table: usize,
    name: &'static str,
    places: Vec<SignedColumn>,
    columns: Range<usize>,
}

/// The columns of the fitted weights.
pub struct Columns {
    /// The fitted single weights. Their values here mean nothing.
    single: Vec<SingleWeight>,
    /// Whether some of them are weights by phase.
    has_phases: bool,
    tables: Vec<TableColumns>,
    count: usize,
    /// Whether all single weights belong to features that are 1 everywhere, as when there are none:
    /// nothing needs to be counted for them.
    constant: bool,
}

impl Columns {
    /// The columns of these weights and tables on a board.
    ///
    /// # Errors
    /// When one is unknown or has no weights on the board, or none is named.
    pub fn new(game: GameId, board: Board, names: &[String]) -> Result<Self> {
        let features = || game.features.iter().map(|feature| feature.name);
        let known = || features().chain(game.tables.iter().map(|table| table.name));
        let is_known = |name: &str| match Phase::split(name) {
            Some((feature, _)) => game.has_phases && features().any(|known| known == feature),
            None => known().any(|known| known == name),
        };
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            return Err(crate::tune::space::unknown_weight(&known().collect::<Vec<_>>(), name));
        }
        let named = |name: &str| names.iter().any(|wanted| wanted == name);
        let forms = |(feature, name): (usize, &str)| {
            let form = |phase: Option<Phase>| {
                let name = phase.map_or_else(|| name.to_owned(), |phase| phase.name(name));
                SingleWeight { name, feature, phase, value: 0 }
            };
            [None, Some(Phase::Early), Some(Phase::Late)].map(form)
        };
        let single: Vec<SingleWeight> =
            features().enumerate().flat_map(forms).filter(|weight| named(&weight.name)).collect();
        let has_phases = single.iter().any(|weight| weight.phase.is_some());
        let constant =
            !has_phases && single.iter().all(|weight| game.features[weight.feature].formula == "1");
        let (count, tables) = (single.len(), Vec::new());
        let mut columns = Self { count, single, has_phases, tables, constant };
        for (table, shape) in game.tables.iter().enumerate().filter(|(_, shape)| named(shape.name))
        {
            if (shape.cells)(board) == 0 {
                return Err(Error::input(
                    format!("table `{}`", shape.name),
                    format!("{board} has no room for it"),
                )
                .remedy("fit other weights with --only"));
            }
            let first = columns.count;
            let places = columns.places(board, shape);
            columns.tables.push(TableColumns {
                table,
                name: shape.name,
                places,
                columns: first..columns.count,
            });
        }
        if columns.count == 0 {
            return Err(
                Error::input("fitted weights", "there are none").remedy("name others with --only")
            );
        }
        Ok(columns)
    }

    /// Assigns columns to the cells of a table.
    fn places(&mut self, board: Board, shape: &PatternTable) -> Vec<SignedColumn> {
        let mut places: Vec<Option<SignedColumn>> = vec![None; (shape.cells)(board)];
        for cell in 0..places.len() {
            if places[cell].is_some() {
                continue;
            }
            let mirror = (shape.mirror)(board, cell);
            let opposites = [cell, mirror].map(|cell| (shape.opposite)(board, cell));
            let own_opposite = opposites.contains(&cell);
            let column = self.count as u32;
            self.count += usize::from(!own_opposite);
            for (cells, opposite) in [([cell, mirror], false), (opposites, true)] {
                let place = if own_opposite {
                    SignedColumn::NONE
                } else {
                    SignedColumn::new(column, opposite)
                };
                cells.iter().for_each(|&cell| places[cell] = Some(place));
            }
        }
        places.into_iter().map(|place| place.unwrap_or(SignedColumn::NONE)).collect()
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is nothing to fit; never true for columns from [`Columns::new`].
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The names of the single weights, by column; the columns of tables follow.
    pub fn names(&self) -> Vec<&str> {
        self.single.iter().map(|weight| weight.name.as_str()).collect()
    }

    /// The two columns of each feature whose early and late weights are both fitted.
    pub fn phase_pairs(&self) -> Vec<[usize; 2]> {
        let pairs = self.single.windows(2).enumerate();
        let same = pairs.filter(|(_, pair)| pair[0].feature == pair[1].feature);
        same.map(|(column, _)| [column, column + 1]).collect()
    }

    /// The tables and their columns.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, Range<usize>)> {
        self.tables.iter().map(|table| (table.name, table.columns.clone()))
    }

    /// A cell of each column of the tables: the table's place in the game's list, the column, and a
    /// cell that has the column's sign.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let of = |table: &TableColumns| {
            let mut found = vec![None; table.columns.len()];
            for (cell, place) in table.places.iter().enumerate() {
                if let Some((column, 1.0)) = place.get() {
                    found[column as usize - table.columns.start].get_or_insert(cell);
                }
            }
            let (table, first) = (table.table, table.columns.start);
            let cells = found.into_iter().enumerate();
            cells.filter_map(move |(column, cell)| Some((table, first + column, cell?)))
        };
        self.tables.iter().flat_map(of)
    }

    /// Whether a weight or table is among the fitted ones.
    pub fn contains(&self, name: &str) -> bool {
        self.single.iter().any(|weight| weight.name == name)
            || self.tables().any(|(known, _)| known == name)
    }

    /// The set with 0 for everything that is fitted.
    pub fn without(&self, set: &WeightSet) -> WeightSet {
        let names = self.names().into_iter().chain(self.tables().map(|(name, _)| name));
        names.fold(set.clone(), |set, name| without(&set, name))
    }

    /// Puts the columns that are not 0 in a position into `row`, each with its value. A column may
    /// occur twice.
    #[inline]
    pub fn row(&self, position: &AnyPosition, row: &mut Vec<(u32, f64)>) {
        row.clear();
        if self.constant {
            row.extend(self.single.iter().zip(0..).map(|(_, column)| (column, 1.0)));
        } else {
            let values = position.features();
            let phase = if self.has_phases { position.phase() } else { 0 };
            let single = self.single.iter().zip(0..);
            row.extend(single.map(|(weight, column)| (column, weight.factor(&values, phase))));
        }
        for TableColumns { table, places, .. } in &self.tables {
            let cells = position.cells(*table).into_iter();
            row.extend(cells.filter_map(|cell| places[cell as usize].get()));
        }
    }

    /// The weights of a set by column, each divided by `per_logit`. Cells of a table that should
    /// agree but do not are averaged.
    pub fn read(&self, set: &WeightSet, per_logit: f64) -> Vec<f64> {
        let mut point = vec![0.0; self.count];
        let mut cells = vec![0.0; self.count];
        let mut add = |(column, sign): (u32, f64), weight: i32| {
            point[column as usize] += sign * f64::from(weight) / per_logit;
            cells[column as usize] += 1.0;
        };
        for (weight, column) in self.single.iter().zip(0..) {
            add((column, 1.0), set.one(&weight.name).unwrap_or(0));
        }
        for TableColumns { name, places, .. } in &self.tables {
            if let Some(Weight::Table(weights)) = set.weights.get(name) {
                let placed = places
                    .iter()
                    .zip(weights)
                    .filter_map(|(place, &weight)| Some((place.get()?, weight)));
                placed.for_each(|(place, weight)| add(place, weight));
            }
        }
        point.iter().zip(&cells).map(|(sum, count)| sum / f64::max(*count, 1.0)).collect()
    }

    /// Writes a point into a set, each column times `per_logit`, rounded.
    pub fn write(&self, point: &[f64], per_logit: f64, set: &mut WeightSet) {
        let whole = |(column, sign): (u32, f64), most: i32| {
            let weight = sign * (point[column as usize] * per_logit).round();
            weight.clamp(-f64::from(most), f64::from(most)) as i32
        };
        for (weight, column) in self.single.iter().zip(0..) {
            set.weights.insert(&weight.name, Weight::One(whole((column, 1.0), MAX_WEIGHT)));
        }
        for TableColumns { name, places, .. } in &self.tables {
            let cell = |place: &SignedColumn| {
                place.get().map_or(0, |place| whole(place, MAX_TABLE_WEIGHT))
            };
            set.weights.insert(name, Weight::Table(places.iter().map(cell).collect()));
        }
    }
}

/// A set in which one weight is 0, or a table is left empty.
pub fn without(set: &WeightSet, name: &str) -> WeightSet {
    let mut set = set.clone();
    let nothing = match set.weights.get(name) {
        Some(Weight::One(_)) => Weight::One(0),
        Some(Weight::Table(_)) => Weight::Table(Vec::new()),
        None => return set,
    };
    set.weights.insert(name, nothing);
    set
}
