//! The scripts of the page as one, since a file cannot import from files beside it.

use super::assets::{Asset, OF_REPORTS};

/// The scripts of a report as one. Each becomes a function that is called once, so that names which
/// it does not export stay its own.
pub(super) fn bundle() -> String {
    OF_REPORTS.iter().map(wrapped).collect()
}

/// A script as a constant that holds what it exports. Imports stand on a line of their own.
fn wrapped(script: &Asset) -> String {
    let (mut text, mut exported) = (String::new(), Vec::new());
    for line in script.text.lines() {
        match line.strip_prefix("export ") {
            _ if line.starts_with("import ") => text += &imported(line),
            Some(declaration) => {
                exported.push(declared(declaration));
                text += declaration;
            }
            None => text += line,
        }
        text.push('\n');
    }
    format!(
        "const {} = (() => {{\n{text}return {{ {} }};\n}})();\n",
        variable(script.name),
        exported.join(", ")
    )
}

/// `import { a, b as c } from "./file.js";` as `const { a, b: c } = $file;`.
fn imported(line: &str) -> String {
    let Some((names, file)) = line["import ".len()..].split_once(" from ") else {
        return String::new();
    };
    let file = file.trim_matches(|sign| matches!(sign, '"' | ';')).trim_start_matches("./");
    format!("const {} = {};", names.replace(" as ", ": "), variable(file))
}

/// The name that a declaration gives: of `async function show(place) {` it is `show`.
fn declared(declaration: &str) -> &str {
    let is_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
    let keywords = ["async", "function", "class", "const", "let"];
    let mut words = declaration.split(|sign| !is_name(sign)).filter(|word| !word.is_empty());
    words.find(|word| !keywords.contains(word)).unwrap_or_default()
}

fn variable(file: &str) -> String {
    format!("${}", file.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_exports_become_constants() {
        let script = Asset {
            name: "b.js",
            kind: "",
            text: "import { x, y as z } from \"./a.js\";\nexport async function f(q) {}\nexport const N = 1;\nlet own;\n",
        };
        assert_eq!(
            wrapped(&script),
            "const $b = (() => {\nconst { x, y: z } = $a;\nasync function f(q) {}\nconst N = 1;\nlet own;\nreturn { f, N };\n})();\n"
        );
    }

    /// Every script comes after those that it imports, and none could end the element that it is in.
    #[test]
    fn the_scripts_fit_into_a_page() {
        let mut known: Vec<String> = Vec::new();
        for script in &OF_REPORTS {
            for line in script.text.lines().filter(|line| line.starts_with("import ")) {
                let file = line.rsplit("./").next().unwrap().trim_end_matches("\";");
                assert!(known.iter().any(|name| name == file), "{}: {line}", script.name);
            }
            known.push(script.name.to_owned());
        }
        let text = bundle() + super::super::assets::CHARTS;
        assert!(!text.contains("</script") && !text.contains("<!--") && !text.contains("import "));
    }
}
