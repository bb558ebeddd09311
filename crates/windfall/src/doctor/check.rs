//! A row of the doctor's table, and the table.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use serde_json::{Map, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    Ok,
    /// Works, but not as it should in production.
    Warn,
    /// Will not start, or not do its work.
    Fail,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: String,
    pub state: CheckState,
    pub found: String,
    pub advice: String,
}

/// A check with the figures it measured, by their metric names.
pub type MeasuredCheck = (Check, Vec<(&'static str, f64)>);

/// Every row, in order, and every figure.
#[derive(Debug, Default)]
pub struct Examination {
    rows: Vec<Check>,
    figures: Vec<(&'static str, f64)>,
}

impl Check {
    pub fn ok(name: impl Into<String>, found: impl Into<String>) -> Self {
        Self { name: name.into(), state: CheckState::Ok, found: found.into(), advice: String::new() }
    }

    pub fn warn(name: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name: name.into(), state: CheckState::Warn, found: found.into(), advice: advice.into() }
    }

    pub fn fail(name: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name: name.into(), state: CheckState::Fail, found: found.into(), advice: advice.into() }
    }
}

impl Examination {
    pub fn add(&mut self, row: Check) {
        self.rows.push(row);
    }

    pub fn add_measured(&mut self, (row, figures): MeasuredCheck) {
        self.rows.push(row);
        self.figures.extend(figures);
    }

    pub fn passed(&self) -> bool {
        self.count(CheckState::Fail) == 0
    }

    pub fn summary(&self) -> String {
        let count = |state| self.count(state);
        format!(
            "{} ok, {} warnings, {} failed",
            count(CheckState::Ok),
            count(CheckState::Warn),
            count(CheckState::Fail)
        )
    }

    /// Numbers only: how many rows of each state, and what was measured. A figure that could not be
    /// measured is absent.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("checks".to_owned(), json!(self.rows.len()));
        for state in [CheckState::Ok, CheckState::Warn, CheckState::Fail] {
            object.insert(state.name().to_owned(), json!(self.count(state)));
        }
        for (name, number) in &self.figures {
            object.insert((*name).to_owned(), json!(number));
        }
        Value::Object(object)
    }

    pub fn to_table(&self) -> Table {
        let mut table = Table::new();
        table
            .load_style(UTF8_FULL_CONDENSED)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_header(["check", "state", "found", "advice"]);
        for Check { name, state, found, advice } in &self.rows {
            table.add_row([name, state.name(), found, advice]);
        }
        table
    }

    fn count(&self, state: CheckState) -> usize {
        self.rows.iter().filter(|row| row.state == state).count()
    }
}

impl CheckState {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_numbers_and_a_table() {
        let mut examination = Examination::default();
        examination.add(Check::ok("a", "fine"));
        examination.add(Check::warn("b", "so-so", "look at it"));
        assert!(examination.passed());
        examination.add_measured((Check::fail("c", "broken", "mend it"), vec![("sync_max_ms", 1.5)]));
        assert!(!examination.passed());
        let expected = json!({"checks": 3, "ok": 1, "warn": 1, "fail": 1, "sync_max_ms": 1.5});
        assert_eq!(examination.to_json(), expected);
        assert_eq!(examination.summary(), "1 ok, 1 warnings, 1 failed");
        assert!(examination.to_table().to_string().contains("mend it"));
    }
}
