//! What was measured, under names that stay, and the goals beside it.

use comfy_table::{CellAlignment, Table};
use hdrhistogram::Histogram;
use serde_json::{Map, Value, json};

use super::commits::CommitFigures;

/// Which way a goal looks.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    fn met(self, measured: f64) -> bool {
        match self {
            Self::AtLeast(goal) => measured >= goal,
            Self::AtMost(goal) => measured <= goal,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtLeast(goal) => format!("≥ {}", number(goal)),
            Self::AtMost(goal) => format!("≤ {}", number(goal)),
        }
    }
}

/// One measured number. Nothing where it cannot be measured here.
#[derive(Clone, Debug)]
struct Figure {
    name: String,
    what: &'static str,
    value: Option<f64>,
    goal: Option<Goal>,
}

/// Figures in the order they were measured, and the commits of each row.
#[derive(Clone, Debug, Default)]
pub struct LedgerReport {
    figures: Vec<Figure>,
    commits: Vec<(&'static str, CommitFigures)>,
}

impl LedgerReport {
    pub fn figure(&mut self, name: impl Into<String>, what: &'static str, value: Option<f64>) {
        self.figures.push(Figure { name: name.into(), what, value, goal: None });
    }

    pub fn with_goal(&mut self, name: impl Into<String>, what: &'static str, value: Option<f64>, goal: Goal) {
        self.figures.push(Figure { name: name.into(), what, value, goal: Some(goal) });
    }

    pub fn commits(&mut self, row: &'static str, figures: CommitFigures) {
        self.commits.push((row, figures));
    }

    pub fn print(&self, as_json: bool) {
        if as_json {
            println!("{}", self.json());
        } else {
            println!("{}\n\n{}", self.table(), self.commit_table());
        }
    }

    /// One flat object on one line: name → number, or null where it could not be measured.
    fn json(&self) -> Value {
        let figure = |figure: &Figure| (figure.name.clone(), json!(figure.value.map(round_figure)));
        let mut object: Map<_, _> = self.figures.iter().map(figure).collect();
        for (row, commits) in &self.commits {
            for (name, value) in commits.columns() {
                object.insert(format!("{row}_{name}"), json!(round_figure(value)));
            }
        }
        Value::Object(object)
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
        table.set_header(["figure", "measured", "goal", "", "what"]);
        for Figure { name, what, value, goal } in &self.figures {
            let verdict = match (value, goal) {
                (Some(value), Some(goal)) if goal.met(*value) => "pass",
                (Some(_), Some(_)) => "short",
                (None, _) | (_, None) => "",
            };
            let measured = value.map_or_else(|| "not here".to_owned(), number);
            let goal = goal.map_or_else(String::new, Goal::text);
            table.add_row([name, &measured, &goal, verdict, *what]);
        }
        for right in [1, 2] {
            if let Some(column) = table.column_mut(right) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    fn commit_table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
        let names = CommitFigures::COLUMNS.map(str::to_owned);
        table.set_header(std::iter::once("row".to_owned()).chain(names));
        for (row, commits) in &self.commits {
            let values = commits.columns().map(|(_, value)| number(value));
            table.add_row(std::iter::once((*row).to_owned()).chain(values));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

impl CommitFigures {
    const COLUMNS: [&str; 9] = [
        "commits",
        "commit_p50_ms",
        "commit_p90_ms",
        "commit_p99_ms",
        "commit_max_ms",
        "block_p50_events",
        "block_p90_events",
        "block_p99_events",
        "block_max_events",
    ];

    fn columns(&self) -> [(&'static str, f64); 9] {
        let ms = |quantile| quantile_ms(&self.time, quantile);
        let events = |quantile| self.events.value_at_quantile(quantile) as f64;
        let values = [
            self.time.len() as f64,
            ms(0.5),
            ms(0.9),
            ms(0.99),
            ms(1.0),
            events(0.5),
            events(0.9),
            events(0.99),
            events(1.0),
        ];
        std::array::from_fn(|at| (Self::COLUMNS[at], values[at]))
    }
}

/// Of a histogram of microseconds.
pub fn quantile_ms(histogram: &Histogram<u64>, quantile: f64) -> f64 {
    histogram.value_at_quantile(quantile) as f64 / 1_000.0
}

/// Large numbers whole, small ones with what matters of them.
fn round_figure(value: f64) -> f64 {
    let scale = if value >= 1_000.0 {
        1.0
    } else if value >= 1.0 {
        1e3
    } else {
        1e6
    };
    (value * scale).round() / scale
}

/// For people: thousands apart.
fn number(value: impl std::borrow::Borrow<f64>) -> String {
    let value = round_figure(*value.borrow());
    if value < 1_000.0 {
        return value.to_string();
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        for (value, text) in [
            (0.000_4, "0.0004"),
            (1.234_56, "1.235"),
            (999.0, "999"),
            (1_000.4, "1,000"),
            (1_234_567.0, "1,234,567"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_goal_is_met_or_it_is_short() {
        for (goal, value, met) in [
            (Goal::AtLeast(20.0), 20.0, true),
            (Goal::AtLeast(20.0), 19.9, false),
            (Goal::AtMost(3.0), 3.0, true),
            (Goal::AtMost(3.0), 3.1, false),
        ] {
            assert_eq!(goal.met(value), met, "{goal:?} {value}");
        }
    }

    #[test]
    fn what_is_not_here_is_null() {
        let mut report = LedgerReport::default();
        report.figure("there", "", Some(1.5));
        report.with_goal("not_there", "", None, Goal::AtLeast(1.0));
        assert_eq!(report.json(), json!({ "there": 1.5, "not_there": null }));
        assert!(report.table().to_string().contains("not here"));
    }
}
