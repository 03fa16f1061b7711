//! The smallest program with the check. It prints the processor that it was built for and its
//! arguments. `tests/packed.sh` packs it in place of `spar`.

use sparring_processor as _;

fn main() {
    let processor = if cfg!(target_feature = "avx2") { "x86-64-v3" } else { "any" };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{processor}: {}", arguments.join("|"));
}
