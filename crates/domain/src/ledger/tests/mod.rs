//! The contract as tables: one row per command, ending in what it comes to.

mod conflicts;
mod decks;
mod drawing;
mod forgetting;
mod gates;
mod holds;
mod play_script;
mod playing;
mod pools;
mod recalling;
mod script;

use script::check;
