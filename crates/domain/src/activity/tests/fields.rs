//! What an activity's fields may be.

use crate::Rejection;
use crate::activity::*;
use crate::time::Timestamp;

pub(crate) fn draft() -> ActivityDraft {
    ActivityDraft {
        name: "Spring wheel".to_owned(),
        description: "Spin.\nWin.".to_owned(),
        from: Timestamp(1_000),
        until: Timestamp(2_000),
        zone: "Asia/Shanghai".to_owned(),
        kind: KindSettings::Instant { ten: true },
        entries: Some(100),
        chances: Chances { total: 30, month: Some(20), day: Some(3) },
        tree: None,
        presentation: Presentation::default(),
    }
}

/// Fields that are wrong, in the order in which they are listed.
fn check(what: &str, change: impl FnOnce(&mut ActivityDraft), expected: &[&str]) {
    let mut changed = draft();
    change(&mut changed);
    let wrong = changed.check().err().unwrap_or_default();
    let fields: Vec<_> = wrong.iter().filter_map(Rejection::field).collect();
    assert_eq!(fields, expected, "{what}");
}

pub(super) fn raffle(draw_at: i64, beacon: Option<&str>) -> KindSettings {
    KindSettings::Raffle { draw_at: Timestamp(draw_at), beacon: beacon.map(str::to_owned) }
}

#[test]
fn fields_one_by_one() {
    check("as it is", |_| {}, &[]);
    check("no name", |d| d.name = "  ".into(), &["name"]);
    check("80 characters", |d| d.name = "春".repeat(80), &[]);
    check("81 characters", |d| d.name = "春".repeat(81), &["name"]);
    check("a hidden mark", |d| d.name = "a\u{202e}b".into(), &["name"]);
    check("no description", |d| d.description = String::new(), &[]);
    check("a long description", |d| d.description = "x".repeat(4_001), &["description"]);
    check("control characters", |d| d.description = "a\u{7}".into(), &["description"]);
    for name in ["localtime", "posixrules", "Factory", "factory"] {
        check(name, |d| d.zone = name.into(), &["zone"]);
    }
    check("an empty window", |d| d.until = d.from, &["until"]);
    check("a window that ends first", |d| d.until = Timestamp(999), &["until"]);
    check("one millisecond", |d| d.until = Timestamp(1_001), &[]);
    check("the longest window", |d| d.until = d.from + WINDOW_MS_MAX, &[]);
    check("too long a window", |d| d.until = d.from + WINDOW_MS_MAX + 1, &["until"]);
    check("before 1970", |d| d.from = Timestamp(-1), &["from"]);
    check("the ends of time", |d| (d.from, d.until) = (Timestamp(0), Timestamp(i64::MAX)), &["until"]);
    check("no zone", |d| d.zone = String::new(), &["zone"]);
    check("a zone of words", |d| d.zone = "Shanghai time".into(), &["zone"]);
    check("a zone with a sign", |d| d.zone = "Etc/GMT+8".into(), &[]);
    check("entries uncounted", |d| d.entries = None, &[]);
    check("no entries", |d| d.entries = Some(0), &["entries"]);
    check("too many entries", |d| d.entries = Some(ENTRIES_MAX + 1), &["entries"]);
    check("granted chances only", |d| d.chances = Chances { total: 0, month: None, day: Some(5) }, &[]);
    check(
        "limits of zero",
        |d| (d.chances.month, d.chances.day) = (Some(0), Some(0)),
        &["chances.month", "chances.day"],
    );
    check(
        "more in a day than in all",
        |d| d.chances = Chances { total: 3, month: None, day: Some(4) },
        &["chances.day"],
    );
    check("more in a day than in a month", |d| d.chances.day = Some(21), &["chances.day"]);
    check("more in a month than in all", |d| d.chances.month = Some(31), &["chances.month"]);
    check("too many chances", |d| d.chances.total = CHANCES_MAX + 1, &["chances.total"]);
    check("a tree", |d| d.tree = Some(9), &[]);
    check("a tree below zero", |d| d.tree = Some(-9), &["tree"]);
    check("a raffle", |d| d.kind = raffle(2_000, None), &[]);
    check("drawn before the list is complete", |d| d.kind = raffle(1_999, None), &["draw_at"]);
    check("a beacon", |d| d.kind = raffle(2_000, Some("drand round 5000000")), &[]);
    check("a beacon without a name", |d| d.kind = raffle(2_000, Some("")), &["beacon"]);
}

#[test]
fn everything_is_said_at_once() {
    let all = |d: &mut ActivityDraft| {
        *d = ActivityDraft {
            name: String::new(),
            description: "\u{0}".into(),
            from: Timestamp(5),
            until: Timestamp(5),
            zone: "?".into(),
            kind: raffle(4, None),
            entries: Some(0),
            chances: Chances { total: CHANCES_MAX + 1, month: Some(0), day: Some(0) },
            tree: Some(0),
            presentation: Presentation { contact: "x".repeat(CONTACT_MAX + 1), ..Presentation::default() },
        };
    };
    check(
        "all",
        all,
        &[
            "name",
            "description",
            "zone",
            "until",
            "draw_at",
            "entries",
            "chances.total",
            "chances.month",
            "chances.day",
            "tree",
            "contact",
        ],
    );
}

#[test]
fn limits_reach_the_ledger_as_it_counts_them() {
    let limits = Chances { total: 5, month: None, day: Some(2) }.limits();
    assert_eq!((limits.total, limits.month, limits.day), (5, 0, 2));
}
