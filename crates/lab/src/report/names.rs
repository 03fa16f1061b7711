//! Short names of players, where there is little room.

/// The file, without `.json`, for which the name of its run is short.
const OF_A_RUN: &str = "weights";

/// Shortens each name to the part that tells it from the others: the end of its path without
/// `.json`. The weights of a run get the run's name.
///
/// ```
/// use sparring_lab::report::names::short_names;
/// let names = ["breakthrough/piece", "runs/20260131T120000Z-breakthrough-spsa-1/weights.json"];
/// assert_eq!(short_names(&names), ["piece", "20260131T120000Z-breakthrough-spsa-1"]);
/// assert_eq!(short_names(&["new/a.json", "old/a.json"]), ["new/a", "old/a"]);
/// ```
pub fn short_names<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = names.iter().map(|name| parts(name.as_ref())).collect();
    let short = |name: &Vec<&str>| {
        let tail = |kept: usize| name[name.len().saturating_sub(kept)..].join("/");
        let is_alone = |kept: usize| {
            let others = parts.iter().filter(|other| *other != name);
            !others.into_iter().any(|other| ends_alike(other, name, kept))
        };
        let kept = (1..name.len()).find(|&kept| is_alone(kept)).unwrap_or(name.len());
        tail(kept)
    };
    parts.iter().map(short).collect()
}

/// The short name of one player alone.
pub fn short_name(name: &str) -> String {
    short_names(&[name]).remove(0)
}

/// The parts of a player's path or name.
fn parts(name: &str) -> Vec<&str> {
    let is_part = |part: &&str| !part.is_empty() && *part != ".";
    let mut parts: Vec<&str> =
        name.strip_suffix(".json").unwrap_or(name).split('/').filter(is_part).collect();
    let in_folder = parts.len() > 1 && parts[parts.len() - 2] != "..";
    if in_folder && parts.last().is_some_and(|last| *last == OF_A_RUN) {
        parts.pop();
    }
    if parts.is_empty() { vec![name] } else { parts }
}

fn ends_alike(a: &[&str], b: &[&str], kept: usize) -> bool {
    a.iter().rev().take(kept).eq(b.iter().rev().take(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_long_as_they_must_be() {
        let same = ["runs/a/weights.json", "runs/a/candidate.json", "breakthrough/a", "zhu"];
        assert_eq!(short_names(&same), ["runs/a", "candidate", "breakthrough/a", "zhu"]);
        assert_eq!(short_names(&["a/x", "x"]), ["a/x", "x"]);
        assert_eq!(short_names(&["x.json", "x.json"]), ["x", "x"]);
        assert_eq!(short_names(&["/", "", "../weights.json"]), ["/", "", "weights"]);
        assert_eq!(short_name("weights.json"), "weights");
        assert_eq!(short_name("Fairy-Stockfish 14 (2)"), "Fairy-Stockfish 14 (2)");
    }
}
