//! The valid name nearest to a mistyped one.
//!
//! It counts the single steps (a character added, dropped, changed, or two neighbours swapped) that lead from one
//! name to the other. The work grows with the product of both lengths, and a name may come from a stranger, so that
//! names longer than [`NAME_CHARS_MAX`] are compared with nothing: they get no suggestion.

/// The longest name that is compared, in characters.
pub const NAME_CHARS_MAX: usize = 64;

/// The candidate with the fewest steps from `name`; the first of equals. A key that exists, but in
/// another section, counts as two steps away: one slip in a name is likelier, more are not.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if !is_short(name) {
        return None;
    }
    candidates.into_iter().filter(|candidate| is_short(candidate)).min_by_key(|candidate| {
        let steps = distance(name, candidate);
        let moved = last_part(candidate) == last_part(name);
        (if moved { steps.min(2) } else { steps }, steps)
    })
}

/// The same, if it is near enough to have been meant: a third of the name's characters may be wrong, and one in any case.
pub fn meant<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = nearest(name, candidates)?;
    let slips_max = (name.chars().count() / 3).max(1);
    (distance(name, found) <= slips_max).then_some(found)
}

/// Looks at so many characters and no more, however long the name is.
fn is_short(name: &str) -> bool {
    name.chars().nth(NAME_CHARS_MAX).is_none()
}

fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Edit distance with swaps of neighbours (optimal string alignment), over characters. Three rows of the
/// table are enough: a swap looks back two.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_between_names() {
        let rows = [
            ("", "", 0),
            ("", "abc", 3),
            ("listen", "listen", 0),
            ("lisen", "listen", 1),
            ("lisetn", "listen", 1),
            ("Listen", "listen", 1),
            ("listens", "listen", 1),
            ("port", "listen", 5),
            ("日志", "日期", 1),
        ];
        for (a, b, steps) in rows {
            assert_eq!(distance(a, b), steps, "{a} → {b}");
            assert_eq!(distance(b, a), steps, "{b} → {a}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered() {
        let keys = ["demo", "data.dir", "http.listen", "http.compression", "log.level"];
        let rows = [
            ("http.lisen", "http.listen"),
            ("htpp.listen", "http.listen"),
            ("dmeo", "demo"),
            ("http.level", "log.level"),
            ("compression", "http.compression"),
            ("data.directory", "data.dir"),
        ];
        for (name, expected) in rows {
            assert_eq!(nearest(name, keys), Some(expected), "{name}");
        }
        assert_eq!(nearest("anything", []), None);
    }

    /// A name of a megabyte would take half an hour. Candidates that are too long are passed over.
    #[test]
    fn hole_64_long_names_are_compared_with_nothing() {
        let (fits, over) = ("a".repeat(NAME_CHARS_MAX), "a".repeat(NAME_CHARS_MAX + 1));
        assert_eq!(nearest(&fits, ["name"]), Some("name"));
        assert_eq!(nearest(&over, ["name"]), None);
        assert_eq!(nearest("nmae", [over.as_str(), "name"]), Some("name"));
        assert_eq!(nearest("nmae", [over.as_str()]), None);
        let huge = "`名".repeat(250_000);
        let candidates = vec![huge.as_str(); 1_000];
        assert_eq!(nearest(&huge, candidates.iter().copied()), None);
        assert_eq!(meant(&huge, candidates), None);
    }

    #[test]
    fn what_is_too_far_was_not_meant() {
        let fields = ["name", "odds", "units", "unlimited", "hourly_cap"];
        for (name, expected) in [
            ("odd", Some("odds")),
            ("ods", Some("odds")),
            ("unlimted", Some("unlimited")),
            ("hourly-cap", Some("hourly_cap")),
            ("stock", None),
            ("x", None),
        ] {
            assert_eq!(meant(name, fields), expected, "{name}");
        }
    }
}
