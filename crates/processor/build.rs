//! Compiles the processor check, `check.c`.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=check.c");
    let is_for = |key: &str, value: &str| var(key).is_ok_and(|found| found == value);
    if is_for("CARGO_CFG_TARGET_ARCH", "x86_64") && is_for("CARGO_CFG_TARGET_OS", "linux") {
        let required = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
        cc::Build::new()
            .file("check.c")
            .define("REQUIRED", format!("\",{required},\"").as_str())
            .flag("-march=x86-64")
            .warnings_into_errors(true)
            .link_lib_modifier("+whole-archive")
            .compile("sparring_processor_check");
    }
}
