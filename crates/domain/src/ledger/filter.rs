//! The ids that have left memory: eight bytes each, so that an old id is never applied twice and a fresh one never
//! costs a look-up in the database.
//!
//! 256 small hash tables by the fingerprint's top byte. A small table grows by an eighth when it is nine tenths full,
//! which keeps the whole at about ten bytes an id, and growing one never stops the ledger for longer than it takes to
//! move a 256th of the ids. Tables grow page by page: nothing is given back that nobody could use again.

const SHARDS: usize = 256;
/// Slots looked at together: one cache line.
const BUCKET: usize = 8;
/// Slots that a table grows by at least: 4 KiB.
const PAGE: usize = 512;
const EMPTY: u64 = 0;

#[derive(Clone, Debug)]
pub struct Filter {
    shards: Vec<Shard>,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    /// Whole buckets; a zero is a free slot.
    pages: Vec<Box<[u64; PAGE]>>,
    used: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Self { shards: vec![Shard::default(); SHARDS] }
    }
}

impl Filter {
    /// Answers whether the fingerprint is new.
    pub fn insert(&mut self, fingerprint: u64) -> bool {
        let fingerprint = nonzero(fingerprint);
        self.shards[(fingerprint >> 56) as usize].insert(fingerprint)
    }

    pub fn contains(&self, fingerprint: u64) -> bool {
        let fingerprint = nonzero(fingerprint);
        self.shards[(fingerprint >> 56) as usize].find(fingerprint).is_ok()
    }

    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.used).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.slots() * size_of::<u64>()).sum()
    }
}

/// Zero marks a free slot, so it borrows its neighbour's name: at worst one more look-up.
fn nonzero(fingerprint: u64) -> u64 {
    if fingerprint == EMPTY { 1 } else { fingerprint }
}

impl Shard {
    fn slots(&self) -> usize {
        self.pages.len() * PAGE
    }

    fn insert(&mut self, fingerprint: u64) -> bool {
        if self.used * 10 >= self.slots() * 9 {
            self.grow();
        }
        match self.find(fingerprint) {
            Ok(_) => false,
            Err(free) => {
                self.pages[free / PAGE][free % PAGE] = fingerprint;
                self.used += 1;
                true
            }
        }
    }

    /// Where it is, or the free slot where it would go. A table without slots has neither: index 0 stands for it and
    /// is never written, since a table grows before it is written to.
    fn find(&self, fingerprint: u64) -> Result<usize, usize> {
        let buckets = self.slots() / BUCKET;
        if buckets == 0 {
            return Err(0);
        }
        // The top byte chose the shard; the rest is already well mixed, being SHA-256.
        let mixed = u128::from(fingerprint << 8) * buckets as u128;
        let mut bucket = usize::try_from(mixed >> 64).unwrap_or(0);
        loop {
            let base = bucket * BUCKET;
            let slots = &self.pages[base / PAGE][base % PAGE..base % PAGE + BUCKET];
            for (at, slot) in slots.iter().enumerate() {
                if *slot == fingerprint {
                    return Ok(base + at);
                }
                if *slot == EMPTY {
                    return Err(base + at);
                }
            }
            bucket = (bucket + 1) % buckets;
        }
    }

    fn grow(&mut self) {
        let mut ids: Vec<u64> = Vec::with_capacity(self.used);
        for page in &mut self.pages {
            ids.extend(page.iter().copied().filter(|slot| *slot != EMPTY));
            page.fill(EMPTY);
        }
        let more = (self.pages.len() / 8).max(1);
        self.pages.extend((0..more).map(|_| Box::new([EMPTY; PAGE])));
        for fingerprint in ids {
            if let Err(free) = self.find(fingerprint) {
                self.pages[free / PAGE][free % PAGE] = fingerprint;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Well-mixed numbers without a random source.
    fn number(n: u64) -> u64 {
        let mut x = n.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 31;
        x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 29)
    }

    #[test]
    fn what_went_in_is_found_and_nothing_else() {
        let mut filter = Filter::default();
        for n in 0..200_000 {
            assert!(filter.insert(number(n)), "{n}");
        }
        assert!((0..200_000).all(|n| filter.contains(number(n))));
        assert!((200_000..400_000).all(|n| !filter.contains(number(n))));
        assert!(!filter.insert(number(5)), "a second time is not new");
        assert_eq!(filter.len(), 200_000);
    }

    #[test]
    fn an_id_costs_at_most_twelve_bytes() {
        let mut filter = Filter::default();
        for n in 0..1_000_000 {
            filter.insert(number(n));
            if n % 100_000 == 99_999 {
                assert!(filter.bytes() <= 12 * filter.len(), "{} bytes for {}", filter.bytes(), filter.len());
            }
        }
    }

    #[test]
    fn zero_is_an_id_like_any_other() {
        let mut filter = Filter::default();
        assert!(!filter.contains(0));
        assert!(filter.insert(0));
        assert!(filter.contains(0));
    }
}
