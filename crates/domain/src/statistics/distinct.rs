//! How many different things were seen, in a bounded number of bytes.
//!
//! Up to [`EXACT_MAX`] hashes are kept as they are, and the count is exact. Above it a HyperLogLog sketch of [`REGISTERS`]
//! registers takes their place, whose standard error is 1.15 %; it is estimated as in Ertl, "New cardinality estimation
//! algorithms for HyperLogLog sketches" (2017), which needs no tables and no special case for small numbers.
//!
//! What a count is depends only on the set of hashes that went into it: not on their order, nor on how often each came, nor
//! on how they were spread over counts that were united. So a union can be repeated, and a repetition changes nothing.

/// Different hashes that are counted exactly.
pub const EXACT_MAX: usize = 1_024;

/// Bits of a hash that choose its register.
const INDEX_BITS: u32 = 13;
pub const REGISTERS: usize = 1 << INDEX_BITS;
/// The highest value of a register: one more than the bits that are left.
const RANK_MAX: u8 = 64 - 13 + 1;

/// The standard error of an estimate, in parts of ten thousand: 1.04 / √8192.
pub const ERROR_BASIS_POINTS: u32 = 115;

/// Bytes of the longest count: its kind, and its registers.
pub const DISTINCT_BYTES_MAX: usize = 1 + REGISTERS;

const KIND_EXACT: u8 = 1;
const KIND_SKETCH: u8 = 2;

/// The different hashes that were seen, or what is known of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctCount(Seen);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// In rising order.
    Exact(Vec<u64>),
    Sketch(Box<[u8; REGISTERS]>),
}

impl Default for DistinctCount {
    fn default() -> Self {
        Self(Seen::Exact(Vec::new()))
    }
}

impl DistinctCount {
    /// Adds a hash, whose bits must be as good as random; answers whether that changed anything. A hash that was added
    /// before never does.
    pub fn insert(&mut self, hash: u64) -> bool {
        match &mut self.0 {
            Seen::Exact(hashes) => {
                let Err(place) = hashes.binary_search(&hash) else { return false };
                if hashes.len() < EXACT_MAX {
                    hashes.insert(place, hash);
                } else {
                    let mut registers = to_registers(hashes);
                    raise(&mut registers, hash);
                    self.0 = Seen::Sketch(registers);
                }
                true
            }
            Seen::Sketch(registers) => raise(registers, hash),
        }
    }

    /// Adds everything that another count has seen; answers whether that changed anything.
    pub fn merge(&mut self, other: &Self) -> bool {
        match (&mut self.0, &other.0) {
            (_, Seen::Exact(hashes)) => {
                let mut is_changed = false;
                for hash in hashes {
                    is_changed |= self.insert(*hash);
                }
                is_changed
            }
            (Seen::Exact(hashes), Seen::Sketch(theirs)) => {
                let mut registers = theirs.clone();
                for hash in hashes.iter() {
                    raise(&mut registers, *hash);
                }
                self.0 = Seen::Sketch(registers);
                true
            }
            (Seen::Sketch(ours), Seen::Sketch(theirs)) => {
                let mut is_changed = false;
                for (our, their) in ours.iter_mut().zip(theirs.iter()) {
                    is_changed |= *our < *their;
                    *our = (*our).max(*their);
                }
                is_changed
            }
        }
    }

    /// How many different hashes there were, exactly or as an estimate.
    pub fn count(&self) -> u64 {
        match &self.0 {
            Seen::Exact(hashes) => hashes.len() as u64,
            Seen::Sketch(registers) => estimate(registers),
        }
    }

    pub const fn is_exact(&self) -> bool {
        matches!(self.0, Seen::Exact(_))
    }

    /// As it is kept: at most [`DISTINCT_BYTES_MAX`] bytes, whatever was counted.
    pub fn to_bytes(&self) -> Vec<u8> {
        match &self.0 {
            Seen::Exact(hashes) => {
                let hashes = hashes.iter().flat_map(|hash| hash.to_be_bytes());
                std::iter::once(KIND_EXACT).chain(hashes).collect()
            }
            Seen::Sketch(registers) => {
                std::iter::once(KIND_SKETCH).chain(registers.iter().copied()).collect()
            }
        }
    }

    /// `None` for bytes that are no count.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (&KIND_EXACT, rest) => {
                let (hashes, []) = rest.as_chunks::<8>() else { return None };
                let hashes: Vec<u64> = hashes.iter().map(|hash| u64::from_be_bytes(*hash)).collect();
                let fits = hashes.len() <= EXACT_MAX && hashes.windows(2).all(|pair| pair[0] < pair[1]);
                fits.then_some(Self(Seen::Exact(hashes)))
            }
            (&KIND_SKETCH, rest) => {
                let registers = <[u8; REGISTERS]>::try_from(rest).ok()?;
                let fits = registers.iter().all(|rank| *rank <= RANK_MAX);
                fits.then(|| Self(Seen::Sketch(Box::new(registers))))
            }
            _ => None,
        }
    }
}

fn to_registers(hashes: &[u64]) -> Box<[u8; REGISTERS]> {
    let mut registers = Box::new([0; REGISTERS]);
    for hash in hashes {
        raise(&mut registers, *hash);
    }
    registers
}

/// The first bits choose a register; it keeps the longest run of zeros that the rest of a hash began with.
fn raise(registers: &mut [u8; REGISTERS], hash: u64) -> bool {
    let at = usize::try_from(hash >> (64 - INDEX_BITS)).unwrap_or(0);
    let zeros = (hash << INDEX_BITS).leading_zeros().min(64 - INDEX_BITS);
    let rank = u8::try_from(zeros + 1).unwrap_or(RANK_MAX);
    let is_higher = registers[at] < rank;
    registers[at] = registers[at].max(rank);
    is_higher
}

fn estimate(registers: &[u8; REGISTERS]) -> u64 {
    let mut of_rank = [0_u32; RANK_MAX as usize + 1];
    for rank in registers {
        of_rank[usize::from(*rank)] += 1;
    }
    let all = REGISTERS as f64;
    let share = |rank: usize| f64::from(of_rank[rank]) / all;
    let mut sum = all * tau(1.0 - share(usize::from(RANK_MAX)));
    for rank in (1..usize::from(RANK_MAX)).rev() {
        sum = 0.5 * (sum + f64::from(of_rank[rank]));
    }
    sum += all * sigma(share(0));
    let estimate = (all * all / (2.0 * std::f64::consts::LN_2 * sum)).round();
    to_whole(estimate)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is never negative, and beyond u64 it is saturated"
)]
const fn to_whole(estimate: f64) -> u64 {
    estimate as u64
}

/// Σ x^(2^k) 2^(k-1), of the share of registers that are still empty.
fn sigma(mut x: f64) -> f64 {
    if x >= 1.0 {
        return f64::INFINITY;
    }
    let (mut sum, mut weight) = (x, 1.0);
    loop {
        x *= x;
        let before = sum;
        sum += x * weight;
        weight += weight;
        if sum <= before {
            return sum;
        }
    }
}

/// The same from the other end, of the share of registers that are not full.
fn tau(mut x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return 0.0;
    }
    let (mut sum, mut weight) = (1.0 - x, 1.0);
    loop {
        x = x.sqrt();
        let before = sum;
        weight *= 0.5;
        sum -= (1.0 - x).powi(2) * weight;
        if sum >= before {
            return sum / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A good mixture of the bits of a number (splitmix64): numbers that differ give hashes that look random.
    fn hash(number: u64) -> u64 {
        let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn count_of(hashes: impl IntoIterator<Item = u64>) -> DistinctCount {
        let mut count = DistinctCount::default();
        for hash in hashes {
            count.insert(hash);
        }
        count
    }

    fn union(one: &DistinctCount, other: &DistinctCount) -> DistinctCount {
        let mut both = one.clone();
        both.merge(other);
        both
    }

    /// So many different hashes, none of which is in the set of another seed.
    fn many(seed: u64, numbers: u64) -> impl Iterator<Item = u64> {
        (0..numbers).map(move |number| hash((seed << 32) | number))
    }

    #[test]
    fn it_is_exact_up_to_its_bound_and_says_when_it_is_not() {
        for (numbers, exact) in [(0, true), (1, true), (1_023, true), (1_024, true), (1_025, false)] {
            let count = count_of(many(1, numbers));
            assert_eq!(count.is_exact(), exact, "{numbers}");
            if exact {
                assert_eq!(count.count(), numbers);
            }
        }
    }

    /// Forty sets of each size: no estimate is further off than five standard errors, and on average they are as near as the
    /// standard error says.
    #[test]
    fn the_error_of_an_estimate_is_what_is_promised() {
        let promised = f64::from(ERROR_BASIS_POINTS) / 10_000.0;
        for numbers in [1_025, 3_000, 10_000, 20_000, 60_000] {
            let (mut squares, mut sum) = (0.0, 0.0);
            const SETS: u32 = 40;
            for seed in 0..SETS {
                let estimate = count_of(many(u64::from(seed) + 100, numbers)).count();
                let off = (estimate as f64 - numbers as f64) / numbers as f64;
                assert!(off.abs() < 5.0 * promised, "{numbers}: {estimate}");
                (squares, sum) = (squares + off * off, sum + off);
            }
            let (error, bias) = ((squares / f64::from(SETS)).sqrt(), sum / f64::from(SETS));
            assert!(error < 1.4 * promised, "{numbers}: {error}");
            assert!(bias.abs() < promised, "{numbers}: {bias}");
        }
    }

    /// Whatever the ids are (the largest there are, neighbours, or all the same), a count has the same bounded size.
    #[test]
    fn hole_59_a_day_has_a_bounded_size_whatever_the_ids_are() {
        let first = i64::MAX as u64 - 100_000;
        let largest = count_of((first..first + 100_000).map(hash));
        let smallest = count_of((0..100_000).map(hash));
        for count in [&largest, &smallest] {
            assert_eq!(count.to_bytes().len(), DISTINCT_BYTES_MAX);
        }
        assert_eq!(count_of(std::iter::repeat_n(hash(u64::MAX), 100_000)).to_bytes().len(), 1 + 8);
        assert!(count_of(many(7, 1_024)).to_bytes().len() <= DISTINCT_BYTES_MAX);
    }

    #[test]
    fn the_highest_rank_is_estimated_too() {
        // Hashes whose rest is nothing but zeros: every register at its end.
        let full = count_of((0..REGISTERS as u64).map(|at| at << (64 - INDEX_BITS)));
        assert!(!full.is_exact() && full.count() > 1_000_000_000_000, "{}", full.count());
    }

    #[test]
    fn bytes_that_are_no_count_are_refused() {
        let two = [&[KIND_EXACT][..], &2_u64.to_be_bytes(), &1_u64.to_be_bytes()].concat();
        let long = [vec![KIND_EXACT], vec![7; 8 * (EXACT_MAX + 1)]].concat();
        let high = [vec![KIND_SKETCH], vec![RANK_MAX + 1; REGISTERS]].concat();
        for bytes in [&[][..], &[0], &[3], &[KIND_EXACT, 0], &[KIND_SKETCH, 0], &two, &long, &high] {
            assert_eq!(DistinctCount::from_bytes(bytes), None, "{} bytes", bytes.len());
        }
    }

    /// Sets on either side of the bound, that share some of their hashes.
    fn sets() -> impl Strategy<Value = Vec<BTreeSet<u64>>> {
        let set = (0..4_000_u64, 0..2_500_u64)
            .prop_map(|(from, numbers)| (from..from + numbers).map(hash).collect::<BTreeSet<_>>());
        prop::collection::vec(set, 1..5)
    }

    proptest! {
        /// The count of a union is the union of the counts, in whatever order and however often they are united.
        #[test]
        fn a_union_is_the_count_of_everything_together(sets in sets(), rotate in 0..5_usize) {
            let together = count_of(sets.iter().flatten().copied());
            let mut counts: Vec<DistinctCount> = sets.iter().map(|set| count_of(set.iter().copied())).collect();
            let at = rotate % counts.len();
            counts.rotate_left(at);
            let mut united = DistinctCount::default();
            for count in counts.iter().chain(&counts) {
                united.merge(count);
            }
            prop_assert_eq!(&united, &together);
            for count in &counts {
                prop_assert!(!united.merge(count), "what is there already changes nothing");
            }
            prop_assert_eq!(&united, &together);
            let mut other_way = counts.clone();
            other_way.reverse();
            let pairs = other_way.iter().fold(DistinctCount::default(), |sum, one| union(one, &sum));
            prop_assert_eq!(pairs, together);
        }

        #[test]
        fn a_hash_counts_once_and_bytes_come_back(numbers in 0..3_000_u64, again in 0..3_000_u64) {
            let mut count = count_of((0..numbers).map(hash));
            let before = count.clone();
            if again < numbers {
                prop_assert!(!count.insert(hash(again)));
                prop_assert_eq!(&count, &before);
            }
            prop_assert_eq!(DistinctCount::from_bytes(&before.to_bytes()), Some(before));
        }

        /// Like exact sets, as far as it can be said in so few bytes.
        #[test]
        fn a_union_is_near_what_a_set_says(sets in sets()) {
            let exact: BTreeSet<u64> = sets.iter().flatten().copied().collect();
            let mut united = DistinctCount::default();
            for set in &sets {
                united.merge(&count_of(set.iter().copied()));
            }
            let (said, true_count) = (united.count() as f64, exact.len() as f64);
            if united.is_exact() {
                prop_assert_eq!(united.count(), exact.len() as u64);
            } else {
                prop_assert!((said - true_count).abs() < 0.06 * true_count, "{} for {}", said, true_count);
            }
        }
    }
}
