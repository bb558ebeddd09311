//! How work that nobody waits for shares a small machine with a crowd that does: in short pieces, with rests between them.
//!
//! One policy for the projection and for the relay of messages. A piece that takes long keeps a processor and the
//! database's writer from everybody who waits, so that the slowest answers take as long as a piece; how much is in a piece
//! is therefore measured in time, not in items. Work rests, it does not stop: a crowd that stays for hours holds nothing up
//! for good.

use std::time::Duration;

/// So many requests a second are a crowd.
pub const CROWD_PER_S: u64 = 2_000;
/// How long a piece may take.
const PIECE_QUIET: Duration = Duration::from_millis(100);
const PIECE_CROWDED: Duration = Duration::from_millis(4);
const PIECE_FAR_BEHIND: Duration = Duration::from_millis(20);
/// Beside a crowd, work rests so many times as long as its piece took, and no longer than this.
const REST_TIMES: u32 = 15;
const REST_MAX: Duration = Duration::from_secs(5);
/// What one item is taken to cost before the first piece is measured.
const ITEM_GUESS_NS: u64 = 50_000;

/// What goes on while a piece of work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Nobody waits.
    Quiet,
    /// A crowd waits, and the work can wait too.
    Crowded,
    /// A crowd waits, and so much work has gathered that it has to go on beside it.
    FarBehind,
}

/// How long work rests beside a crowd after a piece that took so long.
pub fn rest_after(piece: Duration) -> Duration {
    (piece * REST_TIMES).min(REST_MAX)
}

/// How many items make up a piece. It learns from what the last pieces took.
#[derive(Clone, Copy, Debug)]
pub struct PieceSize {
    min: usize,
    max: usize,
    item_ns: u64,
}

impl PieceSize {
    pub fn between(min: usize, max: usize) -> Self {
        Self { min, max, item_ns: ITEM_GUESS_NS }
    }

    pub fn items(&self, situation: Situation) -> usize {
        let piece = match situation {
            Situation::Quiet => PIECE_QUIET,
            Situation::Crowded => PIECE_CROWDED,
            Situation::FarBehind => PIECE_FAR_BEHIND,
        };
        let items = piece.as_nanos() / u128::from(self.item_ns);
        usize::try_from(items).unwrap_or(self.max).clamp(self.min, self.max)
    }

    /// One piece in four counts: a single slow one, such as one that met a checkpoint, changes little.
    pub fn took(&mut self, items: usize, elapsed: Duration) {
        if items == 0 {
            return;
        }
        let each = u64::try_from(elapsed.as_nanos() / items as u128).unwrap_or(u64::MAX);
        self.item_ns = (self.item_ns.saturating_mul(3).saturating_add(each) / 4).max(1);
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn a_piece_takes_as_long_as_it_may() {
        let mut size = PieceSize::between(64, 8_192);
        for (items, took_us, quiet, crowded, far_behind) in [
            // Before anything was measured: 50 microseconds an item.
            (0, 0, 2_000, 80, 400),
            (1_000, 10_000, 2_500, 100, 500),
            (1_000, 10_000, 3_076, 123, 615),
            // Very fast, and very slow.
            (8_192, 8_192, 4_060, 162, 812),
            (100, 1_000_000, 64, 64, 64),
        ] {
            size.took(items, Duration::from_micros(took_us));
            let sizes = [Situation::Quiet, Situation::Crowded, Situation::FarBehind]
                .map(|situation| size.items(situation));
            assert_eq!(sizes, [quiet, crowded, far_behind], "{items} in {took_us} us");
        }
    }

    #[test]
    fn a_rest_is_longer_than_its_piece_and_bounded() {
        for (piece_ms, rest_ms) in [(0, 0), (4, 60), (100, 1_500), (10_000, 5_000)] {
            assert_eq!(rest_after(Duration::from_millis(piece_ms)), Duration::from_millis(rest_ms));
        }
    }
}
