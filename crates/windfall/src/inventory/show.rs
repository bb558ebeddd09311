//! Pools and movements as tables.

use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use domain::time::Timestamp;
use http::Method;
use serde_json::Value;
use server::percent;

use crate::console::ConsoleClient;

const COUNTERS: [&str; 4] = ["total", "available", "held", "taken"];
/// Movements shown with a pool.
const MOVEMENTS: u32 = 20;

pub async fn list(console: ConsoleClient, under: &str, search: &str, limit: u32) -> anyhow::Result<()> {
    let path = format!("/inventory/pools?limit={limit}&under={}&q={}", percent(under), percent(search));
    let page = console.call(Method::GET, &path, None).await?;
    let items = items(&page);
    if items.is_empty() {
        println!("no pools");
        return Ok(());
    }
    let mut table = table(["name", "round", "state", "total", "available", "held", "taken", "per owner"]);
    for pool in items {
        let cells = ["name", "round", "state", "total", "available", "held", "taken", "owner_max"];
        table.add_row(cells.map(|cell| text(pool, cell)));
    }
    println!("{table}");
    if page.get("next").is_some() {
        println!("There are more; use --limit, up to 200, or narrow the search.");
    }
    Ok(())
}

pub async fn show(console: &ConsoleClient, name: &str) -> anyhow::Result<()> {
    let path = format!("/inventory/pools/{}", percent(name));
    let pool = console.ask(Method::GET, &path, None).await;
    let movements = console.ask(Method::GET, &format!("{path}/movements?limit={MOVEMENTS}"), None).await;
    console.close().await;
    let (pool, movements) = (pool?, movements?);
    println!("{name}: {}, round {}", text(&pool, "state"), text(&pool, "round"));
    for counter in COUNTERS {
        println!("  {counter:<10} {}", text(&pool, counter));
    }
    println!("  {:<10} {}", "per owner", text(&pool, "owner_max"));
    let mut table = table(["at", "what", "total", "available", "held", "taken", "reason", "by"]);
    for movement in items(&movements) {
        let at = movement.get("at_ms").and_then(Value::as_i64).map(|at| Timestamp(at).to_string());
        let cells = ["kind", "total", "available", "held", "taken", "reason", "by"];
        let cells = cells.map(|cell| text(movement, cell));
        table.add_row([at.unwrap_or_default()].into_iter().chain(cells));
    }
    println!("{table}");
    Ok(())
}

fn table<const N: usize>(heading: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(heading);
    table
}

fn items(page: &Value) -> &[Value] {
    page.get("items").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
