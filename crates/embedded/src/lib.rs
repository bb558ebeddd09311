//! The one-process profile: the data folder and its lock, the key file, the journal, limits and timelines in
//! memory, the system's clock and randomness.

mod clock;
mod folder;
pub mod journal;
mod key_file;
mod limits;
mod timelines;
mod vault;

pub use clock::{ClockJump, SystemClock, SystemRandom, TEST_CLOCK};
pub use folder::{DataFolder, FolderError};
pub use key_file::{KeyFile, KeyFileError};
pub use limits::MemoryLimits;
pub use timelines::MemoryTimelines;
pub use vault::KeyVault;
