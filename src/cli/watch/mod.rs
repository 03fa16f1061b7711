//! `spar watch`: a run on the screen, while it runs.

pub mod screen;
mod workers;

use crate::arena::GameRecord;
use crate::cli::{Console, Ended, Interrupt, find_run};
use crate::error::{Error, ErrorKind, Result};
use crate::runs::folder::LAST;
use crate::runs::{LiveRun, RunView};
use crate::search::Stop;
use clap::Args;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use screen::Screen;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks of the journal for new lines.
const REFRESH: Duration = Duration::from_secs(1);
/// How long each wait for a key lasts, which bounds the delay before a signal is seen.
const WAIT: Duration = Duration::from_millis(100);
/// How long after a signal the view has not ended if its terminal is closed.
const CLOSED: Duration = Duration::from_secs(1);
/// Points of each curve: more than a wide screen has columns.
const POINTS: usize = 400;

/// Shows a run live in the terminal
///
/// It shows Elo, test, weights, speed and games, in a terminal of at least 60 columns and 20 lines.
/// q closes the view, not the run. It only reads the run's files, once a second, so the run does not
/// notice. Where there is no terminal, `spar runs show` prints the same once.
#[derive(Args, Debug)]
pub struct WatchArgs {
    /// The run: `last`, its name or a part of it, or its directory
    #[arg(value_name = "RUN", default_value = LAST)]
    run: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// When the run is not found or cannot be read, or there is no terminal.
pub fn run(args: &WatchArgs, console: &Console) -> Result<Ended> {
    if console.json || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return Err(Error::input("watch", "needs a terminal to draw on")
            .remedy("`spar runs show RUN` prints where a run stands, with --json for programs"));
    }
    let mut watched = Watched::open(&find_run(&args.run)?)?;
    let interrupt = Interrupt::new("");
    end_without_terminal(interrupt.stop().clone());
    // It also restores the terminal if the program panics.
    let begun = ratatui::try_init().inspect_err(|_| ratatui::restore());
    let mut terminal = begun.map_err(failed)?;
    let shown = show(&mut watched, &mut terminal, &interrupt);
    ratatui::restore();
    shown.map(|()| Ended::Done)
}

/// Ends the program after a signal even if its terminal is closed: crossterm then reads from it
/// without end.
fn end_without_terminal(stop: Stop) {
    thread::spawn(move || {
        while !stop.is_set() {
            thread::sleep(WAIT);
        }
        thread::sleep(CLOSED);
        ratatui::restore();
        process::exit(i32::from(ErrorKind::Interrupted.exit_code()));
    });
}

fn failed(error: io::Error) -> Error {
    Error::io(Path::new("terminal"), "draw", error)
}

/// The run, and the last state read from it.
struct Watched {
    live: LiveRun,
    view: RunView,
    games: Vec<GameRecord>,
    /// The error of the last attempt to read it, if that failed.
    problem: Option<String>,
}

impl Watched {
    fn open(path: &Path) -> Result<Self> {
        let live = LiveRun::open(path)?;
        let view = live.view(POINTS)?;
        let mut watched = Self { live, view, games: Vec::new(), problem: None };
        watched.read_games();
        Ok(watched)
    }

    fn refresh(&mut self) {
        let refreshed = match self.live.refresh() {
            Ok(false) => {
                self.live.update(&mut self.view);
                Ok(())
            }
            Ok(true) => self.live.view(POINTS).map(|view| {
                self.view = view;
                self.read_games();
            }),
            Err(error) => Err(error),
        };
        self.problem = refreshed.err().map(|error| error.to_string());
    }

    /// Reads the latest games. If they cannot be read now, the next refresh tries again.
    fn read_games(&mut self) {
        if let Ok(games) = self.live.latest_games() {
            self.games = games;
        }
    }
}

/// Draws the run until a key or a signal ends it.
fn show(
    watched: &mut Watched,
    terminal: &mut DefaultTerminal,
    interrupt: &Interrupt,
) -> Result<()> {
    loop {
        let screen = Screen::new(&watched.view, &watched.games, watched.problem.as_deref());
        terminal.draw(|frame| screen.draw(frame)).map_err(failed)?;
        if wait(interrupt)? {
            return Ok(());
        }
        watched.refresh();
    }
}

/// Waits for the next refresh, or until the size of the terminal changes. Says whether a key or a
/// signal has asked for the end.
fn wait(interrupt: &Interrupt) -> Result<bool> {
    let begun = Instant::now();
    while begun.elapsed() < REFRESH {
        if interrupt.came() {
            return Ok(true);
        }
        if !event::poll(WAIT).map_err(failed)? {
            continue;
        }
        match event::read().map_err(failed)? {
            Event::Resize(..) => return Ok(false),
            Event::Key(key) if key.kind == KeyEventKind::Press => {
                let is_interrupt =
                    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c');
                if is_interrupt || matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
                    return Ok(true);
                }
            }
            _ => {}
        }
    }
    Ok(false)
}
