//! Which game players see: the same draw in another dress. Nothing is decided by it, and no published hash contains it.

use crate::lottery::strategy::Strategy;

crate::names! {
    pub enum Game {
        Wheel = "wheel",
        /// A ring of places around the button (九宫格).
        Grid = "grid",
        /// A slot machine.
        Reels = "reels",
        /// A blind box.
        Box = "box",
    }
}

/// Places of the rings that a grid can draw: three or four cells on each side.
const GRID_PLACES: [u16; 2] = [8, 12];

impl Game {
    /// Whether it can show the places of a strategy. A grid is a ring, and rings come in two sizes.
    pub fn can_show(self, strategy: &Strategy) -> bool {
        match self {
            Self::Grid => GRID_PLACES.contains(&count_places(strategy)),
            Self::Wheel | Self::Reels | Self::Box => true,
        }
    }
}

/// Places from the first to the last that has a prize or none.
fn count_places(strategy: &Strategy) -> u16 {
    let prizes = strategy.prizes.iter().map(|prize| prize.slot.0);
    prizes.chain([strategy.miss_slot.0]).max().unwrap_or(0).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lottery::strategy::{Mode, SlotIndex};
    use crate::lottery::tests::fixtures::strategy;

    #[test]
    fn a_grid_is_a_ring_of_eight_or_twelve() {
        for (last, fits) in [(6, false), (7, true), (8, false), (11, true), (12, false)] {
            let mut strategy = strategy(Mode::Fixed, &[50]);
            strategy.miss_slot = SlotIndex(last);
            assert_eq!(Game::Grid.can_show(&strategy), fits, "{} places", last + 1);
            for game in [Game::Wheel, Game::Reels, Game::Box] {
                assert!(game.can_show(&strategy), "{} places", last + 1);
            }
        }
    }
}
