//! The jobs of an engine: searches, counts and benchmarks; and its explanations of a position.

use super::{BOOK_SEED, BOOK_VARIETY, EngineState, JobKind};
use crate::any::{AnyMove, lines_among};
use crate::endgames;
use crate::error::Result;
use crate::game::counters::fen_after;
use crate::opening_tree::{BookMove, OpeningBook, ShippedBook};
use crate::protocol::Protocol;
use crate::report::explanation::{score_facts, term_table};
use crate::search::bench;
use crate::search::{Limits, Lines, Stop};
use crate::uci::go::Go;
use crate::uci::info::{best_move, score_text};
use crate::uci::perft::divide;
use crate::uci::search_task::{self, SearchTask};
use crate::uci::settings::Settings;
use std::time::Instant;

impl EngineState {
    pub(in crate::uci) fn go(
        &mut self,
        go: &Go,
        asked: Instant,
        protocol: Protocol,
        settings: &Settings,
    ) -> Result<()> {
        self.finish();
        if let Err(error) = self.check_position() {
            // In UAI `0000` would be a pass.
            self.output.say("bestmove (none)");
            return Err(error);
        }
        if let Some(mv) = self.book_move(go, settings) {
            let text = protocol.move_text(&self.position, mv);
            self.output.say(best_move(protocol, Some(&text), None));
            return Ok(());
        }
        let side = self.position.side_to_move();
        let most = &mut self.most_time[side.index()];
        *most = (*most).max(go.time_left(protocol, side));
        let clock = settings.clock(*most);
        let task = SearchTask {
            position: self.position.clone(),
            met: self.met.clone(),
            limits: go.limits(protocol, side, &clock),
            lines: self.lines(go, settings),
            endless: go.is_endless(),
            mate: go.mate,
            asked,
            protocol,
            output: self.output.clone(),
        };
        let stop = if go.ponder { Stop::pondering() } else { Stop::default() };
        let engine = self.ready(settings);
        self.name_weights();
        let started = engine.and_then(|engine| {
            self.begin(JobKind::Search, stop, move |signals| {
                Some(search_task::run(engine, &task, signals))
            })
        });
        started.inspect_err(|_| {
            // A `go` is always answered: here with the first legal move.
            let moves = self.position.moves();
            let best = moves.first().map(|&mv| protocol.move_text(&self.position, mv));
            self.output.say(best_move(protocol, best.as_deref(), None));
        })
    }

    /// Reads the opening book, if one is set. One that cannot be used is ignored, with a remark.
    pub(super) fn read_book(&mut self, settings: &Settings) {
        let path = settings.book_file.as_deref().unwrap_or(ShippedBook::ANY);
        let path = settings.own_book.then_some(path);
        let place = (self.game, self.position.board());
        if let Err(error) = self.book.read(path, place, OpeningBook::load_for) {
            self.output.remark(format!("BookFile: {error}; the search plays without a book"));
        }
    }

    /// Reads the endgame database, if one is set. One that cannot be used is ignored, with a
    /// remark.
    pub(super) fn read_endgames(&mut self, settings: &Settings) {
        let (path, place) = (settings.endgame_file.as_deref(), (self.game, self.position.board()));
        if let Err(error) = self.endgames.read(path, place, endgames::load_for) {
            self.output.remark(format!("EndgameFile: {error}; the search plays without it"));
        }
    }

    /// The opening book's move for the position. There is none in analysis, while pondering, or if
    /// `searchmoves` restricts the moves.
    fn book_move(&mut self, go: &Go, settings: &Settings) -> Option<AnyMove> {
        let is_asked = settings.own_book
            && self.plies < settings.book_depth as usize
            && !(go.ponder || go.is_endless() || go.mate.is_some())
            && go.search_moves.is_empty();
        self.read_book(settings);
        let book = self.book.content.as_ref().filter(|_| is_asked)?;
        let BookMove { mv, value } = book.choose(&self.position, BOOK_VARIETY, BOOK_SEED)?;
        let score = score_text(value, book.unit());
        self.output.remark(format!("book move, {score}"));
        Some(mv)
    }

    /// The lines that a search reports. Texts that are no moves are left out with a remark, since
    /// `go` must be answered in any case.
    fn lines(&self, go: &Go, settings: &Settings) -> Lines {
        let parse = |text: &String| {
            let read = self.position.parse_move(text);
            read.inspect_err(|error| self.output.remark(format!("searchmoves: {error}"))).ok()
        };
        let moves: Vec<_> = go.search_moves.iter().filter_map(parse).collect();
        if moves.is_empty() && !go.search_moves.is_empty() {
            self.output.remark("searchmoves: no legal move, so all are searched");
        }
        lines_among(settings.multi_pv, &moves)
    }

    /// Starts counting the lines of a number of plies.
    pub(in crate::uci) fn perft(&mut self, depth: u32, protocol: Protocol) -> Result<()> {
        self.finish();
        self.check_position()?;
        let (position, output) = (self.position.clone(), self.output.clone());
        self.begin(JobKind::Count, Stop::default(), move |signals| {
            let counted = divide(&position, depth, protocol, &signals.stop, &output);
            signals.announce_answer();
            match counted {
                Some(nodes) => output.say(format!("\nNodes searched: {nodes}")),
                None => output.remark("perft: stopped"),
            }
            None
        })
    }

    /// Starts the benchmark, to the game's usual depth where none is given.
    pub(in crate::uci) fn bench(&mut self, depth: Option<u32>, settings: &Settings) -> Result<()> {
        self.finish();
        let limits = Limits::depth(depth.unwrap_or(self.game.guide.bench_depth));
        let positions = bench::positions(self.game, self.position.board())?;
        let player = self.changed_player(settings)?;
        let evaluator = self.game.evaluator(&player.weights)?;
        let options = bench::options(&limits, None, player.constants);
        let output = self.output.clone();
        self.begin(JobKind::Count, Stop::default(), move |signals| {
            let pass = bench::pass(&positions, &evaluator, &options, &limits, &signals.stop);
            signals.announce_answer();
            if signals.stop.is_set() {
                output.remark("bench: stopped");
            } else {
                let nps = u128::from(pass.nodes) * 1_000_000 / pass.time.as_micros().max(1);
                output.say(format!("{} nodes {nps} nps", pass.nodes));
            }
            None
        })
    }

    /// The position as a diagram, FEN and key.
    pub(in crate::uci) fn display(&self) -> String {
        if self.is_refused {
            self.output.remark("position: the last one was refused; this is the one before it");
        }
        let (diagram, key) = (self.position.diagram(), self.position.key());
        let fen = fen_after(self.counters, &self.position, &[]);
        format!("{diagram}\nFen: {fen}\nkey {key:016x}")
    }

    /// The static score, term by term.
    pub(in crate::uci) fn explain(&mut self, settings: &Settings) -> Result<String> {
        self.check_position()?;
        let player = self.changed_player(settings)?;
        let explained = self.position.explain(&player.weights)?;
        let facts = score_facts(&explained, &player.name);
        Ok(format!("{}\n{facts}", term_table(&explained, false)))
    }
}
