//! Which backups are kept.

/// The names of those to remove so that the newest `keep` stay. Names are in the order of time when sorted.
pub fn find_expired(mut names: Vec<String>, keep: usize) -> Vec<String> {
    names.sort_unstable();
    names.truncate(names.len().saturating_sub(keep.max(1)));
    names
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn the_newest_stay() {
        for (names, keep, gone) in [
            (vec!["b", "a", "c"], 2, vec!["a"]),
            (vec!["b", "a", "c"], 1, vec!["a", "b"]),
            // One is always kept.
            (vec!["b", "a"], 0, vec!["a"]),
            (vec!["a"], 7, vec![]),
            (vec![], 1, vec![]),
        ] {
            let names = names.into_iter().map(str::to_owned).collect();
            assert_eq!(find_expired(names, keep), gone, "{keep}");
        }
    }
}
