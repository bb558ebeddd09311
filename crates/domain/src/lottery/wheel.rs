//! A table of odds that a roll lands on, at the same cost for three prizes as for three thousand.
//!
//! The slices lie one after the other on `0..total`; what they leave at the end is no prize. A roll belongs to the first
//! slice that ends beyond it: that one sentence is the published meaning, and anybody can follow it with a ruler. The
//! guide only says where to begin looking: the range is cut into at most twice as many equal buckets as there are
//! slices, and most buckets lie within one slice.
//!
//! Leaving slices out is exact and needs no second roll: one rolls on what is left, and the roll is moved up by the
//! width of every left-out slice at or below it ([`Wheel::land_without`]).

use std::num::NonZeroU64;

use super::strategy::{OddsSlice, PrizeId};

const ABSENT: u16 = u16::MAX;

#[derive(Clone, Debug)]
pub struct Wheel {
    /// Where each slice ends, in order.
    ends: Box<[u64]>,
    prizes: Box<[PrizeId]>,
    total: u64,
    /// A bucket is `2^shift` wide.
    shift: u32,
    /// Per bucket, the slice that its first value lies in; one past the last slice is no prize.
    guide: Box<[u16]>,
    /// Per prize id, its place among the slices.
    places: Box<[u16]>,
}

/// A stretch of the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    pub from: u64,
    pub width: u64,
}

impl Wheel {
    /// From slices with odds above zero, no prize twice, and what is left over for no prize.
    pub fn new(slices: impl Iterator<Item = OddsSlice>, no_prize: u64) -> Self {
        let (mut ends, mut prizes, mut total) = (Vec::new(), Vec::new(), 0);
        for slice in slices {
            total += slice.odds;
            ends.push(total);
            prizes.push(slice.prize);
        }
        total += no_prize;
        let mut places = vec![ABSENT; prizes.iter().map(|prize| prize.at() + 1).max().unwrap_or(0)];
        for (place, prize) in (0..).zip(&prizes) {
            places[prize.at()] = place;
        }
        let (shift, guide) = guide(&ends, total);
        Self { ends: ends.into(), prizes: prizes.into(), total, shift, guide, places: places.into() }
    }

    /// The parts of all prizes and of no prize.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The prize whose slice a roll below the total lands on; none for no prize.
    pub fn land(&self, roll: u64) -> Option<PrizeId> {
        debug_assert!(roll < self.total, "a roll below the total");
        let bucket = usize::try_from(roll >> self.shift).ok()?;
        let first = usize::from(self.guide[bucket]);
        // The next bucket's first value lies beyond the roll, hence in this slice or a later one.
        let last = self.guide.get(bucket + 1).map_or(self.ends.len(), |place| usize::from(*place));
        let place = first + self.ends[first..last].partition_point(|end| *end <= roll);
        self.prizes.get(place).copied()
    }

    /// The same when some stretches are left out. They are slices of this wheel, in order, none twice; the roll is below
    /// the total without them.
    pub fn land_without(&self, roll: u64, left_out: &[Stretch]) -> Option<PrizeId> {
        let mut moved = roll;
        for stretch in left_out {
            if moved < stretch.from {
                break;
            }
            moved += stretch.width;
        }
        self.land(moved)
    }

    /// Where a prize lies, if it is on this wheel.
    pub fn stretch(&self, prize: PrizeId) -> Option<Stretch> {
        let place = usize::from(*self.places.get(prize.at()).filter(|place| **place != ABSENT)?);
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(Stretch { from, width: self.ends[place] - from })
    }

    /// What is left to roll below when so much is left out: nothing, if no prize is left.
    pub fn bound_without(&self, left_out: &[Stretch]) -> Option<NonZeroU64> {
        let gone: u64 = left_out.iter().map(|stretch| stretch.width).sum();
        let prizes = self.ends.last().copied().unwrap_or(0);
        if prizes > gone { NonZeroU64::new(self.total - gone) } else { None }
    }
}

fn guide(ends: &[u64], total: u64) -> (u32, Box<[u16]>) {
    let Some(last) = total.checked_sub(1) else { return (0, Box::default()) };
    let buckets_max = (ends.len() as u64 + 1) * 2;
    let mut shift = 0;
    while last >> shift >= buckets_max {
        shift += 1;
    }
    let mut place = 0;
    let mut guide = Vec::new();
    for bucket in 0..=last >> shift {
        while ends.get(usize::from(place)).is_some_and(|end| *end <= bucket << shift) {
            place += 1;
        }
        guide.push(place);
    }
    (shift, guide.into())
}

#[cfg(test)]
mod rows {
    use proptest::prelude::*;

    use super::*;

    fn wheel(odds: &[u64], no_prize: u64) -> Wheel {
        let slices =
            (0..).zip(odds).map(|(id, odds)| OddsSlice { prize: PrizeId::new(id).unwrap(), odds: *odds });
        Wheel::new(slices, no_prize)
    }

    /// The published meaning, followed with a ruler.
    fn ruler(odds: &[u64], roll: u64) -> Option<u16> {
        let mut end = 0;
        (0..).zip(odds).find_map(|(id, odds)| {
            end += odds;
            (roll < end).then_some(id)
        })
    }

    /// Every roll of small wheels.
    #[test]
    fn a_roll_belongs_to_the_first_slice_that_ends_beyond_it() {
        for (odds, no_prize) in [
            (vec![1], 0),
            (vec![], 5),
            (vec![1, 1, 1], 0),
            (vec![130, 1, 1, 1, 1, 500], 366),
            (vec![1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1000], 1),
            (vec![1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 0),
        ] {
            let wheel = wheel(&odds, no_prize);
            for roll in 0..wheel.total() {
                assert_eq!(wheel.land(roll).map(PrizeId::number), ruler(&odds, roll), "{odds:?} at {roll}");
            }
        }
    }

    #[test]
    fn a_wheel_without_prizes_has_nothing_to_roll_below() {
        assert_eq!(wheel(&[], 0).bound_without(&[]), None);
        assert_eq!(wheel(&[], 7).bound_without(&[]), None, "no prize alone is nothing");
        let one = wheel(&[3], 0);
        assert_eq!(one.bound_without(&[one.stretch(PrizeId::new(0).unwrap()).unwrap()]), None);
        assert_eq!(one.stretch(PrizeId::new(7).unwrap()), None);
    }

    proptest! {
        /// Large odds, and the values around every edge.
        #[test]
        fn edges_are_exact(odds in prop::collection::vec(1..=300_000_000_u64, 1..3_000), no_prize in 0..1_000_u64) {
            let wheel = wheel(&odds, no_prize);
            let mut end = 0;
            for (id, odds) in (0..).zip(&odds) {
                prop_assert_eq!(wheel.land(end).map(PrizeId::number), Some(id));
                end += odds;
                prop_assert_eq!(wheel.land(end - 1).map(PrizeId::number), Some(id));
            }
            if no_prize > 0 {
                prop_assert_eq!(wheel.land(end), None);
                prop_assert_eq!(wheel.land(wheel.total() - 1), None);
            }
        }

        /// Leaving out is the same as never having been there: for every roll, and so exactly.
        #[test]
        fn left_out_slices_were_never_there(
            slices in prop::collection::vec((1..40_u64, any::<bool>()), 1..12),
            no_prize in 0..20_u64,
        ) {
            let odds: Vec<u64> = slices.iter().map(|slice| slice.0).collect();
            let whole = wheel(&odds, no_prize);
            let left_out: Vec<Stretch> = (0..)
                .zip(&slices)
                .filter(|(_, slice)| slice.1)
                .map(|(id, _)| whole.stretch(PrizeId::new(id).unwrap()).unwrap())
                .collect();
            let kept = (0..).zip(&slices).filter(|(_, slice)| !slice.1);
            let fresh = Wheel::new(
                kept.map(|(id, slice)| OddsSlice { prize: PrizeId::new(id).unwrap(), odds: slice.0 }),
                no_prize,
            );
            prop_assert_eq!(whole.bound_without(&left_out), fresh.bound_without(&[]));
            let prizes_left = slices.iter().any(|slice| !slice.1);
            prop_assert_eq!(fresh.bound_without(&[]).is_some(), prizes_left);
            for roll in 0..fresh.total() {
                prop_assert_eq!(whole.land_without(roll, &left_out), fresh.land(roll));
            }
        }
    }
}
