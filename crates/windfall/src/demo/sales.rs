//! Sales to buy from: one that runs, one that starts in two minutes, one that is sold out, and a numbered collectible.
//!
//! They go the way of every sale: an operator writes them, a reviewer approves.

use anyhow::Context;
use domain::activity::Part;
use domain::ids::ActivityId;
use domain::ledger::{Command, Key, Line, Quantity, Take, Text};
use domain::page::PageRequest;
use domain::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use engine::flows::activity::{Verdict, activity_approve, activity_create, activity_submit};
use engine::ports::{ActivitySearch, Actor};
use server::forms::{ActivityForm, Moment, form_field};

use super::activities::Staff;
use crate::node::Node;

const SALE: &str = include_str!("../../../../examples/sale.toml");
const COLLECTIBLE: &str = include_str!("../../../../examples/collectible.toml");

const WINDOW_MS: i64 = 30 * DAY_MS;
const SOON_MS: i64 = 2 * MINUTE_MS;
/// Units of what was sold before anybody came.
const GONE: u32 = 12;

/// Makes what is missing; running it again changes nothing.
pub async fn seed(node: &Node, staff: Staff) -> anyhow::Result<()> {
    sale(node, staff, form(SALE)?, 0).await?;
    let mut soon = form(SALE)?;
    soon.name = "两分钟后开抢 In two minutes".to_owned();
    soon.description = "先设提醒，再看倒计时。Set a reminder and watch the countdown.".to_owned();
    item(&mut soon, "保温杯 Travel mug", "🥤", 4_900, 50);
    sale(node, staff, soon, SOON_MS).await?;
    let mut gone = form(SALE)?;
    gone.name = "早鸟场 Early birds".to_owned();
    gone.description = "已售罄，补货后继续。Sold out; it goes on when there is more.".to_owned();
    item(&mut gone, "手冲咖啡 Drip coffee", "☕", 1_900, u64::from(GONE));
    let gone = sale(node, staff, gone, 0).await?;
    sell_out(node, gone).await?;
    sale(node, staff, form(COLLECTIBLE)?, 0).await?;
    Ok(())
}

fn form(file: &str) -> anyhow::Result<ActivityForm> {
    toml::from_str(file).context("an example")
}

fn item(form: &mut ActivityForm, name: &str, picture: &str, price_minor: u64, units: u64) {
    if let Some(sale) = &mut form.sale {
        (sale.name, sale.details) = (Some(name.to_owned()), String::new());
        sale.pictures = vec![picture.to_owned()];
        (sale.price_minor, sale.units) = (price_minor, units);
    }
}

async fn sale(
    node: &Node,
    staff: Staff,
    mut form: ActivityForm,
    starts_in_ms: i64,
) -> anyhow::Result<ActivityId> {
    let world = &node.world;
    let search = ActivitySearch { text: form.name.clone(), ..ActivitySearch::default() };
    let known = world.activities.activity_list(search, PageRequest::first(1)).await?;
    if let Some(row) = known.items.first() {
        return Ok(row.id);
    }
    let from = world.now() + starts_in_ms;
    (form.from, form.until) = (Moment(from.0), Moment(from.0 + WINDOW_MS));
    let content = form.read(ActivityId(0), 1).map_err(|wrong| anyhow::anyhow!("an example: {wrong:?}"))?;
    let by = |who| world.signed(Actor::Person(who), "demo data", "demo");
    let id = activity_create(world, by(staff.operator), None, content).await?;
    activity_submit(world, by(staff.operator), None, id, form_field).await?;
    activity_approve(world, by(staff.reviewer), None, Verdict { id, seen: None }).await?;
    Ok(id)
}

/// All units taken by nobody in particular, under one id: a second time takes nothing more.
async fn sell_out(node: &Node, sale: ActivityId) -> anyhow::Result<()> {
    let (key, id) = (Key::of("demo", sale.0, "early birds"), Text::new("early birds").context("an id")?);
    let quantity = Quantity::new(i64::from(GONE)).context("a quantity")?;
    let lines = vec![Line { pool: Part::Sale.pool_name(sale).pool(), quantity }];
    let hold = Command::Reserve {
        key,
        id,
        caller: 0,
        owner: None,
        lines,
        ttl_ms: 60 * SECOND_MS,
        gates: Vec::new(),
    };
    let take = Command::Confirm { hold: key, take: Take::All };
    for command in [hold, take] {
        node.world.stock.ask(sale.0, vec![command]).await?;
    }
    Ok(())
}
