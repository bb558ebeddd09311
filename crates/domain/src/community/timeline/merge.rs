//! Several lists of keys as one.

use crate::community::FeedKey;

/// The newest of several lists of keys, each key once, newest first.
pub fn merge_newest(lists: &[&[FeedKey]], wanted: usize) -> Vec<FeedKey> {
    let mut keys = lists.concat();
    keys.sort_unstable_by(|a, b| b.cmp(a));
    keys.dedup();
    keys.truncate(wanted);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    const fn key(time: i64, id: i64) -> FeedKey {
        FeedKey { time: Timestamp(time), id }
    }

    #[test]
    fn merged_keys_come_once_and_newest_first() {
        let (a, b) = ([key(3, 1), key(1, 1)], [key(3, 2), key(3, 1), key(2, 9)]);
        for (wanted, expected) in [
            (9, vec![key(3, 2), key(3, 1), key(2, 9), key(1, 1)]),
            (2, vec![key(3, 2), key(3, 1)]),
            (0, vec![]),
        ] {
            assert_eq!(merge_newest(&[&a, &b, &[]], wanted), expected);
        }
    }
}
