//! What came of a simulation, for people: a table against the odds, and a curve of what was left.

use std::time::Duration;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use domain::Lang;
use domain::flaw::Flaw;
use domain::lottery::chi::ChiSquare;
use domain::lottery::simulate::{Course, PrizeReport, PrizeStop, SimulationReport};
use serde_json::{Value, json};
use server::forms::SimulationBody;

/// From empty to full.
const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Prizes whose curves are drawn, at most.
const CURVES_MAX: usize = 24;
/// Below this share, chance alone is a poor explanation.
const P_LOW: f64 = 0.001;

/// Every reason why the activity cannot work.
pub fn flaws(flaws: &[Flaw], as_json: bool) {
    if as_json {
        let listed = flaws
            .iter()
            .map(|flaw| json!({ "field": flaw.field, "code": flaw.code, "title": flaw.text(Lang::En) }));
        println!("{}", json!({ "flaws": listed.collect::<Vec<_>>() }));
        return;
    }
    println!("This activity cannot work:");
    for flaw in flaws {
        println!("  {} ({})", flaw.line(Lang::En), flaw.code);
    }
}

/// Why a raffle is not simulated, and what to do instead.
pub fn raffle(as_json: bool) {
    let text = "a raffle has no odds to simulate: every entry is worth the same, and nobody wins twice. \
        With E entries and U units, one entry wins with a chance of about U in E. The form itself has no flaw. \
        To see a drawing, submit it on a demo server (windfall demo), enter, and after draw_at run \
        windfall verify --activity ID, which draws the winners again.";
    if as_json {
        println!("{}", json!({ "code": "raffle_not_simulated", "title": text }));
    }
    eprintln!("windfall: raffle_not_simulated: {text}");
}

pub fn sale(as_json: bool) {
    let text = "a sale has no odds to simulate. The form itself has no flaw. \
        To see it sold out, submit it on a demo server (windfall demo) and run windfall bench http --sale.";
    if as_json {
        println!("{}", json!({ "code": "sale_not_simulated", "title": text }));
    }
    eprintln!("windfall: sale_not_simulated: {text}");
}

/// The API's own words, and how fast it went.
pub fn json(report: &SimulationReport, elapsed: Duration, threads: usize) -> anyhow::Result<Value> {
    let mut body = serde_json::to_value(SimulationBody::from(report))?;
    if let Some(fields) = body.as_object_mut() {
        fields.insert("draws_per_s".to_owned(), json!(per_second(report, elapsed)));
        fields.insert("threads".to_owned(), json!(threads));
    }
    Ok(body)
}

pub fn print(course: &Course, report: &SimulationReport, elapsed: Duration, threads: usize) {
    let threads = if threads == 1 { "one thread".to_owned() } else { format!("{threads} threads") };
    println!(
        "{} draws by {} users in {:.2} s ({} draws/s on {threads})",
        report.draws,
        report.users,
        elapsed.as_secs_f64(),
        per_second(report, elapsed)
    );
    if report.refused.all() > 0 {
        let refused = &report.refused;
        println!(
            "{} more were rejected: {} beyond all chances, {} beyond the month's, {} beyond the day's, {} without an entry",
            refused.all(),
            refused.total,
            refused.month,
            refused.day,
            refused.entries
        );
    }
    println!("{}", wins(course, report));
    println!(
        "cost {} (smallest unit of money), fallback points {}",
        report.cost_minor, report.fallback_points
    );
    match report.chi_square() {
        None => println!("too few rolls to compare with the odds"),
        Some(chi) => println!("{}", describe_chi_square(&chi)),
    }
    curves(report);
}

fn describe_chi_square(chi: &ChiSquare) -> String {
    let verdict = if chi.p_value < P_LOW { "this does not match the odds" } else { "this matches the odds" };
    format!(
        "chi-square {:.2} with {} degrees of freedom, p = {:.4}: {verdict}",
        chi.statistic, chi.degrees_of_freedom, chi.p_value
    )
}

/// What kept a prize from being won, in how many draws.
fn stopped(stop: &PrizeStop) -> String {
    format!("{} ({} draws)", stop.reason, stop.draws)
}

/// Wins against the odds. Where there are tiers, the odds shown are those of the first table.
fn wins(course: &Course, report: &SimulationReport) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["prize", "odds", "rolled", "by odds", "won", "units", "ran out", "stopped most by"]);
    let whole = course.deck().strategy().whole;
    let main = report.tables.first();
    let row = |prize: Option<&PrizeReport>| {
        let id = prize.map(|prize| prize.id);
        let cell = main.and_then(|table| table.cells.iter().find(|cell| cell.prize == id));
        let rolls = main.map_or(0, |table| table.rolls);
        let expected = |odds: u64| u128::from(rolls) * u128::from(odds) / u128::from(whole.max(1));
        let percent = |odds: u64| format!("{} %", share(odds, whole));
        [
            prize.map_or("no prize".to_owned(), |prize| prize.name.clone()),
            cell.map(|cell| percent(cell.odds)).unwrap_or_default(),
            cell.map(|cell| cell.hits.to_string()).unwrap_or_default(),
            cell.map(|cell| expected(cell.odds).to_string()).unwrap_or_default(),
            prize.map_or(report.misses, |prize| prize.wins).to_string(),
            prize.map_or_else(String::new, |prize| {
                prize.units.map_or("unlimited".to_owned(), |units| units.to_string())
            }),
            prize.and_then(|prize| prize.ran_out).map(|at| at.to_string()).unwrap_or_default(),
            prize.and_then(|prize| prize.stops.first()).map(stopped).unwrap_or_default(),
        ]
    };
    report.prizes.iter().map(Some).chain([None]).for_each(|prize| {
        table.add_row(row(prize));
    });
    for column in table.column_iter_mut().skip(1).take(5) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// As a percentage, exactly, however fine the odds are.
fn share(odds: u64, whole: u64) -> String {
    let parts = u128::from(odds) * 100_000_000_000_000 / u128::from(whole.max(1));
    let (whole, rest) = (parts / 1_000_000_000_000, parts % 1_000_000_000_000);
    let rest = format!("{rest:012}");
    match rest.trim_end_matches('0') {
        "" => whole.to_string(),
        rest => format!("{whole}.{rest}"),
    }
}

/// What was left of each prize, from the beginning of the window to its end.
fn curves(report: &SimulationReport) {
    let counted = report.prizes.iter().filter_map(|prize| Some((prize, prize.units?)));
    let all = counted.clone().count();
    if all == 0 {
        return;
    }
    println!("units left over time:");
    let width =
        counted.clone().take(CURVES_MAX).map(|(prize, _)| prize.name.chars().count()).max().unwrap_or(0);
    for (prize, units) in counted.take(CURVES_MAX) {
        let pad = " ".repeat(width.saturating_sub(prize.name.chars().count()));
        println!(
            "  {}{pad} │{}│ {} of {units} left",
            prize.name,
            curve(prize, units),
            units.saturating_sub(prize.wins)
        );
    }
    if all > CURVES_MAX {
        println!("  and {} more", all - CURVES_MAX);
    }
}

fn curve(prize: &PrizeReport, units: u64) -> String {
    let mut left = units;
    let level = |wins: &u64| {
        left = left.saturating_sub(*wins);
        let steps = LEVELS.len() as u128 - 1;
        // Rounded up: what is not gone is seen.
        let level = (u128::from(left) * steps).div_ceil(u128::from(units.max(1)));
        LEVELS[usize::try_from(level).unwrap_or(0).min(LEVELS.len() - 1)]
    };
    prize.over_time.iter().map(level).collect()
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate for people"
)]
fn per_second(report: &SimulationReport, elapsed: Duration) -> u64 {
    (report.draws as f64 / elapsed.as_secs_f64().max(1e-9)) as u64
}
