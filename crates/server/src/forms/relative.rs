//! Moments in a TOML file that count from the moment it is read: `"now"`, `"+7d"`, `"-2h"`.

use domain::time::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};

/// The keys of a file whose values are moments.
const MOMENTS: [&str; 5] = ["from", "until", "draw_at", "at", "grant"];

/// Writes moments that count from now as milliseconds since 1970. Everything else stays where it is, so that an error names
/// the right line.
pub fn resolve_moments(text: &str, now: Timestamp) -> String {
    let mut resolved = String::with_capacity(text.len());
    // Every other part stands between quotation marks.
    let mut parts = text.split('"');
    resolved.push_str(parts.next().unwrap_or_default());
    while let Some(quoted) = parts.next() {
        let offset = moment_next(&resolved).and_then(|key| offset_ms(key, quoted));
        match offset {
            Some(offset) => resolved.push_str(&(now.0.saturating_add(offset)).to_string()),
            None => resolved.extend(["\"", quoted, "\""]),
        }
        if let Some(between) = parts.next() {
            resolved.push_str(between);
        } else if offset.is_none() {
            // The last mark was never closed: the text stays as it was.
            resolved.pop();
        }
    }
    resolved
}

/// The key whose value comes next, if that is a moment.
fn moment_next(text: &str) -> Option<&str> {
    let before = text.trim_end().strip_suffix('=')?;
    let key = before.trim_end().rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    MOMENTS.contains(&key).then_some(key)
}

/// `now`, `+7d`, `-90m`, `+2h` in milliseconds. To grant something `now` means with the win, and not at this moment.
fn offset_ms(key: &str, text: &str) -> Option<i64> {
    if text == "now" && key != "grant" {
        return Some(0);
    }
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (number, unit) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
    let unit = match unit {
        "d" => DAY_MS,
        "h" => HOUR_MS,
        "m" => MINUTE_MS,
        _ => return None,
    };
    number.parse::<u32>().ok().map(|number| sign * i64::from(number) * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_may_count_from_now() {
        let now = Timestamp(1_000_000_000_000);
        for (text, expected) in [
            ("from = \"now\"", "from = 1000000000000"),
            ("until=\"+2h\" # soon", "until=1000007200000 # soon"),
            ("{ at = \"-1d\", units = 3 }", "{ at = 999913600000, units = 3 }"),
            ("grant = \"+90m\"", "grant = 1000005400000"),
            ("grant = \"now\"", "grant = \"now\""),
            ("name = \"+2h\"", "name = \"+2h\""),
            ("from = \"2026-11-15T08:00:00+08:00\"", "from = \"2026-11-15T08:00:00+08:00\""),
            ("from = \"+2w\"", "from = \"+2w\""),
            ("from = \"+\"", "from = \"+\""),
            ("name = \"a\"\nuntil = \"+1m\"\n", "name = \"a\"\nuntil = 1000000060000\n"),
            ("name = \"open", "name = \"open"),
            ("", ""),
        ] {
            assert_eq!(resolve_moments(text, now), expected, "{text}");
        }
    }
}
