//! Which part of the ledger something belongs to.

/// Shards of one cluster, at most.
pub const SHARDS_MAX: u8 = 64;

/// The number of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShardNumber(u8);

impl ShardNumber {
    /// Nothing for a number beyond [`SHARDS_MAX`].
    pub fn new(number: u8) -> Option<Self> {
        (number < SHARDS_MAX).then_some(Self(number))
    }

    pub fn get(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_64_shards() {
        assert_eq!(ShardNumber::new(0).map(ShardNumber::get), Some(0));
        assert_eq!(ShardNumber::new(63).map(ShardNumber::get), Some(63));
        assert_eq!(ShardNumber::new(64), None);
    }
}
