//! The ledger's threads under thousands of schedules. This library is empty: everything is in `tests/schedules`, and
//! `build.rs` lays out the sources that are tested there.
