//! The same for statistics: days that are none, and too many of them.

use super::rows::row;
use super::suite::{Row, Stage};

pub fn statistics(stage: &Stage) -> Vec<Row> {
    let reports = ["daily", "daily.csv", "visitors", "retention"];
    let days = |what, query: &'static str, field| {
        reports.map(|report| {
            let path = format!("/admin/statistics/{report}?{query}");
            row(what, stage.admin("GET", &path), 400, "invalid_field", field)
        })
    };
    let mut rows: Vec<Row> = [
        days("a day that is none", "from=2026-02-30", "from"),
        days("a day that is a word", "to=yesterday", "to"),
        days("a day without a word", "from=", "from"),
        days("a range that ends before it begins", "from=2026-11-02&to=2026-11-01", "to"),
        days("more days than a year", "from=2020-01-01&to=2026-01-01", "from"),
        days("a word that is none", "since=2026-11-01", "since"),
    ]
    .concat();
    let funnel = |path: &str| stage.admin("GET", path);
    rows.push(row("a funnel of nothing", funnel("/activities/5/funnel"), 404, "not_found", ""));
    rows.push(row("a funnel of no number", funnel("/activities/x/funnel"), 404, "not_found", ""));
    rows
}
