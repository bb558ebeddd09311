//! Where a flaw of a strategy is in the form that it was written in.

use domain::lottery::strategy::Strategy;

/// Where a field of the strategy is in the form.
pub fn form_field(strategy: &Strategy, field: &str) -> String {
    let (head, rest) = field.split_once('.').map_or((field, ""), |(head, rest)| (head, rest));
    match indexed(head) {
        Some(("prizes", at)) if rest == "stock" => format!("prizes[{at}].units"),
        // Everybody's own table is written with the prizes, the others with their tiers.
        Some(("tables", 0)) => main_field(strategy, rest),
        Some(("tables", table)) => {
            let odds = format!("tiers.steps[{}].odds", table - 1);
            match rest.strip_prefix("slices") {
                None => odds,
                Some(slice) => format!("{odds}{slice}"),
            }
        }
        Some(("tiers", tier)) if tier > 0 => format!("tiers.steps[{}].{rest}", tier - 1),
        None if matches!(head, "tables" | "tiers") => "tiers.steps".to_owned(),
        _ => field.to_owned(),
    }
}

fn main_field(strategy: &Strategy, rest: &str) -> String {
    let slice = rest.split('.').next().and_then(indexed).and_then(|(_, at)| {
        let prize = strategy.tables.first()?.slices.get(at)?.prize;
        strategy.prizes.iter().position(|known| known.id == prize)
    });
    slice.map_or_else(|| "prizes".to_owned(), |at| format!("prizes[{at}].odds"))
}

/// `prizes[3]` → prizes, 3.
fn indexed(part: &str) -> Option<(&str, usize)> {
    let (name, at) = part.strip_suffix(']')?.split_once('[')?;
    Some((name, at.parse().ok()?))
}
