//! Tutorials of the book: their blocks, and their commands followed from an empty folder.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A chapter of the book.
pub(crate) struct Tutorial {
    text: String,
}

impl Tutorial {
    /// Reads a chapter of `docs/src` under the repository's root.
    pub(crate) fn read(root: &Path, chapter: &str) -> Self {
        Self { text: fs::read_to_string(root.join("docs/src").join(chapter)).unwrap() }
    }

    /// Replaces each text of a list: tests shorten a night to seconds this way.
    pub(crate) fn replace(mut self, changes: &[(&str, &str)]) -> Self {
        for (old, new) in changes {
            assert!(self.text.contains(old), "the chapter does not have `{old}`");
            self.text = self.text.replace(old, new);
        }
        self
    }

    /// The blocks whose fence names this language.
    pub(crate) fn blocks(&self, language: &str) -> Vec<&str> {
        let fence = format!("```{language}\n");
        let rest = self.text.split(fence.as_str()).skip(1);
        rest.map(|rest| rest.split("```").next().unwrap_or_default()).collect()
    }

    /// Runs the shell blocks in a folder and returns their output. The programs, by name and path,
    /// go first on the path. Panics with the trace if a command fails.
    pub(crate) fn follow(&self, folder: &Path, programs: &[(&str, &str)]) -> String {
        let tools = folder.join(".tools");
        fs::create_dir(&tools).unwrap();
        for (name, path) in programs {
            std::os::unix::fs::symlink(path, tools.join(name)).unwrap();
        }
        let path = format!("{}:{}", tools.display(), env::var("PATH").unwrap_or_default());
        let script = format!("set -euxo pipefail\n{}", self.blocks("sh").concat());
        let mut shell = Command::new("bash");
        let output =
            shell.args(["-c", &script]).current_dir(folder).env("PATH", path).output().unwrap();
        let trace = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{trace}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
