//! Completion of names of runs, which anybody may have chosen.

use super::support::{spar_with, stdout, text};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Names that a shell would act on, unless they are quoted.
const NAMES: [&str; 14] = [
    "a$(touch pwned)",
    "b`touch pwned`",
    "c with  spaces",
    "d'q; touch pwned; '",
    "e\"q; touch pwned; \"",
    "f\ntouch pwned\n",
    "g\n$(touch pwned)",
    "h*?[x]{y,z}",
    "i\\back\\",
    "j${x[$(touch pwned)]}",
    "k!!#~",
    "m;touch pwned&",
    "n|touch pwned>pwned",
    "o=\u{fc} \u{1b}[31m",
];

/// Makes a directory that the folder of runs lists.
fn make_run(runs: &Path, name: &str) {
    fs::create_dir_all(runs.join(name)).unwrap();
    fs::write(runs.join(name).join("manifest.json"), "").unwrap();
}

/// Completes the first letter of each name in a shell, whose prompt and script `begin` sets up, and
/// checks what the command is given then.
fn complete_names(shell: &[&str], begin: &str, script: &str) {
    std::thread::scope(|scope| {
        for name in NAMES {
            scope.spawn(move || complete_name(name, shell, begin, script));
        }
    });
}

fn complete_name(name: &str, shell: &[&str], begin: &str, script: &str) {
    let root = tempfile::tempdir().unwrap();
    let [bin, project, told] = ["bin", "project", "told"].map(|name| root.path().join(name));
    make_run(&project.join("runs"), name);
    fs::create_dir(&bin).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    let stand_in = format!(
        "#!/bin/sh\n[ \"$1\" = resume ] || exec '{program}' \"$@\"\nprintf '%s\\0' \"$@\" >'{}'\n",
        told.display()
    );
    fs::write(bin.join("spar"), stand_in).unwrap();
    fs::set_permissions(bin.join("spar"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(root.path().join("script"), text(&format!("completions {script}"))).unwrap();
    for file in ["bashrc", ".zshrc"] {
        fs::write(root.path().join(file), begin).unwrap();
    }
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/cli/complete.py");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new("python3")
        .arg(driver)
        .arg(format!("spar resume {}", &name[..1]))
        .args(shell)
        .current_dir(&project)
        .envs([("PATH", &*path), ("TERM", "xterm"), ("LC_ALL", "C.UTF-8")])
        .envs(["HOME", "ZDOTDIR", "XDG_CONFIG_HOME"].map(|name| (name, root.path())))
        .output()
        .unwrap();
    let made = fs::read_dir(&project).unwrap().count();
    assert_eq!(made, 1, "{name:?} made something: {}", stdout(&output));
    let told = fs::read(told).unwrap_or_default();
    assert_eq!(
        String::from_utf8(told).unwrap(),
        format!("resume\0{name}\0"),
        "{name:?}: {}",
        stdout(&output)
    );
}

#[test]
fn bash_quotes_names() {
    let shell = ["bash", "--noprofile", "--rcfile", "../bashrc", "-i"];
    complete_names(&shell, "PS1='READY> '; source ../script", "bash");
}

#[test]
#[ignore = "needs zsh, which tests/run.sh installs"]
fn zsh_quotes_names() {
    let begin = "PS1='READY> '; autoload -U compinit; compinit -u -D; source ../script";
    complete_names(&["zsh", "-d", "-i"], begin, "zsh");
}

#[test]
#[ignore = "needs fish, which tests/run.sh installs"]
fn fish_quotes_names() {
    let begin = "function fish_prompt; echo 'READY> '; end; source ../script";
    complete_names(&["fish", "--no-config", "-i", "-C", begin], begin, "fish");
}

#[test]
fn names_that_mean_something_else_are_paths() {
    let root = tempfile::tempdir().unwrap();
    let runs = root.path().join("runs");
    for name in ["--on-done=touch pwned", "cmd:touch pwned", "last", "plain\nname"] {
        make_run(&runs, name);
    }
    let mut command = spar_with(["--runs", "runs", "candidates", "--null", "runs"]);
    let names = stdout(&command.current_dir(root.path()).output().unwrap());
    assert_eq!(
        names,
        "runs/--on-done=touch pwned\0runs/cmd:touch pwned\0runs/last\0plain\nname\0last\0"
    );
}
