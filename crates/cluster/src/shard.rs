//! The keys of a shard. They share a hash tag, so in a Redis Cluster they are in one slot, and every one of them is
//! declared in every call.

use std::fmt;

/// The longest name of a shard, in bytes.
pub const NAME_MAX: usize = 32;

/// A shard by its name: letters, digits and `-`, so that the hash tag is the whole name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard(String);

impl Shard {
    pub fn new(name: &str) -> Option<Self> {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        ((1..=NAME_MAX).contains(&name.len()) && plain).then(|| Self(name.to_owned()))
    }

    /// In the order the functions expect them.
    pub fn keys(&self) -> [String; 6] {
        ["shard", "pools", "records", "counts", "due", "journal"].map(|what| self.key(what))
    }

    pub(crate) fn state(&self) -> String {
        self.key("shard")
    }

    pub(crate) fn pools(&self) -> String {
        self.key("pools")
    }

    pub(crate) fn records(&self) -> String {
        self.key("records")
    }

    pub(crate) fn journal(&self) -> String {
        self.key("journal")
    }

    fn key(&self, what: &str) -> String {
        format!("{{{}}}:{what}", self.0)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_the_hash_tag() {
        for (name, fits) in
            [("s0", true), ("sale-7", true), ("", false), ("a}b", false), ("a{b", false), ("a b", false)]
        {
            assert_eq!(Shard::new(name).is_some(), fits, "{name}");
        }
        assert!(Shard::new(&"s".repeat(NAME_MAX + 1)).is_none());
    }
}
