//! Tells cargo when the built pages have changed. They are embedded by a macro that cannot say so itself.
//!
//! The folder is made if it is not there: of a folder that is missing cargo would believe that it changes all the time,
//! and build this crate anew each time.

use std::path::Path;

fn main() {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    // Sources that cannot be written to have their pages built before, or none at all.
    let _ = std::fs::create_dir_all(&built);
    // A debug build embeds nothing.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed={}", built.display());
    }
    println!("cargo:rerun-if-changed=build.rs");
}
