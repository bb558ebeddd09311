//! The entries of those who can still win, as a binary indexed tree (树状数组): finding who owns the n-th entry and
//! taking a person out both cost a logarithm.

/// `sums[i - 1]` is the sum of the `i & -i` weights that end with the i-th.
pub(super) struct Weights {
    sums: Vec<u64>,
    total: u64,
}

impl Weights {
    pub fn new(weights: impl Iterator<Item = u64>) -> Self {
        let mut sums: Vec<u64> = weights.collect();
        let total = sums.iter().sum();
        for at in 1..=sums.len() {
            let parent = at + lowest_bit(at);
            if parent <= sums.len() {
                sums[parent - 1] += sums[at - 1];
            }
        }
        Self { sums, total }
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whose the entry is, when all are laid out in order and counted from 0. `entry` is below the total.
    pub fn owner(&self, entry: u64) -> usize {
        debug_assert!(entry < self.total, "there is such an entry");
        let (mut at, mut left) = (0, entry);
        let mut width = if self.sums.is_empty() { 0 } else { 1 << self.sums.len().ilog2() };
        while width > 0 {
            let next = at + width;
            if next <= self.sums.len() && self.sums[next - 1] <= left {
                left -= self.sums[next - 1];
                at = next;
            }
            width /= 2;
        }
        at
    }

    /// Takes a person's whole weight out.
    pub fn remove(&mut self, owner: usize, weight: u64) {
        self.total -= weight;
        let mut at = owner + 1;
        while at <= self.sums.len() {
            self.sums[at - 1] -= weight;
            at += lowest_bit(at);
        }
    }
}

fn lowest_bit(number: usize) -> usize {
    number & number.wrapping_neg()
}
