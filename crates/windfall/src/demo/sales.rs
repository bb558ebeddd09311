//! Sales to buy from: one that runs, one that starts in two minutes, one that is sold out, and a numbered collectible.
//!
//! They go the way of every sale: an operator writes them, a reviewer approves; what is sold out was ordered and paid.

use anyhow::Context;
use domain::activity::PoolUse;
use domain::ids::{ActivityId, OrderId};
use domain::ledger::{Command, Line, Quantity};
use domain::page::PageRequest;
use domain::sale::{Currency, Money, SALES_CALLER, hold_id, hold_key, owner};
use domain::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use engine::access::key_auth::user_of;
use engine::activities::{ReviewTarget, activity_approve, activity_create, activity_submit};
use engine::ports::StockAnswer;
use engine::sales::payments::{IncomingPayment, order_refund, payment_accept};
use server::forms::{ActivityForm, Moment, form_field};
use store::model::{ActivitySearch, Actor};

use super::activities::DemoStaff;
use crate::activity_file;
use crate::node::Node;

const SALE: &str = include_str!("../../../../examples/sale.toml");
const COLLECTIBLE: &str = include_str!("../../../../examples/collectible.toml");

const WINDOW_MS: i64 = 30 * DAY_MS;
const SOON_MS: i64 = 2 * MINUTE_MS;
/// Those who bought everything before anybody came, how many each has, and for how much a piece.
const BIRDS: u32 = 6;
const EACH: u32 = 2;
const PRICE_MINOR: u64 = 1_900;
const SANDBOX: &str = "sandbox";

/// Makes what is missing; running it again changes nothing.
pub async fn seed(node: &Node, staff: DemoStaff) -> anyhow::Result<()> {
    sale(node, staff, form(SALE)?, 0).await?;
    let mut soon = form(SALE)?;
    say(
        &mut soon,
        ["两分钟后开抢", "In two minutes"],
        ["先设提醒，再看倒计时。", "Set a reminder and watch the countdown."],
    );
    item(&mut soon, ["保温杯", "Travel mug"], "🥤", (4_900, 7_900), 50);
    sale(node, staff, soon, SOON_MS).await?;
    let mut gone = form(SALE)?;
    say(
        &mut gone,
        ["早鸟场", "Early birds"],
        ["已售罄，补货后继续。", "Sold out. It continues when there is more."],
    );
    item(&mut gone, ["手冲咖啡", "Drip coffee"], "☕", (PRICE_MINOR, 2_900), u64::from(BIRDS * EACH));
    if let Some(sale) = &mut gone.sale {
        sale.per_user = EACH;
    }
    let gone = sale(node, staff, gone, 0).await?;
    sell_out(node, staff, gone).await?;
    sale(node, staff, form(COLLECTIBLE)?, 0).await?;
    Ok(())
}

fn form(file: &str) -> anyhow::Result<ActivityForm> {
    activity_file::parse(file).context("an example")
}

/// Name and description, each in both languages.
fn say(form: &mut ActivityForm, name: [&str; 2], description: [&str; 2]) {
    [form.name, form.name_en] = name.map(str::to_owned);
    [form.description, form.description_en] = description.map(str::to_owned);
}

/// Its price now and otherwise.
fn item(
    form: &mut ActivityForm,
    [name, name_en]: [&str; 2],
    picture: &str,
    (price_minor, list_price_minor): (u64, u64),
    units: u64,
) {
    if let Some(sale) = &mut form.sale {
        (sale.name, sale.name_en) = (Some(name.to_owned()), name_en.to_owned());
        (sale.details, sale.details_en) = (String::new(), String::new());
        sale.pictures = vec![picture.to_owned()];
        (sale.price_minor, sale.list_price_minor) = (price_minor, Some(list_price_minor));
        sale.units = units;
    }
}

async fn sale(
    node: &Node,
    staff: DemoStaff,
    mut form: ActivityForm,
    starts_in_ms: i64,
) -> anyhow::Result<ActivityId> {
    let world = &node.world;
    let search = ActivitySearch { text: form.name.clone(), ..ActivitySearch::default() };
    let known = world.db.activity_list(search, PageRequest::first(1)).await?;
    if let Some(row) = known.items.first() {
        return Ok(row.id);
    }
    let from = world.now() + starts_in_ms;
    (form.from, form.until) = (Moment(from.0), Moment(from.0 + WINDOW_MS));
    let content = form.read(ActivityId(0), 1).map_err(|wrong| anyhow::anyhow!("an example: {wrong:?}"))?;
    let by = |who| world.audit_stamp(Actor::Person(who), "demo data", "demo");
    let id = activity_create(world, by(staff.operator), None, content).await?;
    activity_submit(world, by(staff.operator), None, id, form_field).await?;
    activity_approve(world, by(staff.reviewer), None, ReviewTarget { id, seen: None }).await?;
    Ok(id)
}

/// Everything was ordered and paid before anybody came; one of them got their money back. What is sold is left alone.
async fn sell_out(node: &Node, staff: DemoStaff, sale: ActivityId) -> anyhow::Result<()> {
    let world = &node.world;
    let pool = PoolUse::Sale.pool_name(sale).pool();
    if world.ledger.stock.pool(pool).await?.is_none_or(|pool| pool.available == 0) {
        return Ok(());
    }
    let quantity = Quantity::new(i64::from(EACH)).context("a quantity")?;
    let (mut orders, mut holds) = (Vec::new(), Vec::new());
    for bird in 1..=BIRDS {
        let (order, user) = (OrderId(world.next_id()), user_of(world, &format!("early-bird-{bird}")).await?);
        orders.push(order);
        holds.push(Command::Reserve {
            key: hold_key(order, user, None),
            id: hold_id(order).context("a name for an order")?,
            caller: SALES_CALLER,
            owner: Some(owner(user).context("a name for a buyer")?),
            lines: vec![Line { pool, quantity }],
            ttl_ms: 60 * SECOND_MS,
            gates: Vec::new(),
        });
    }
    let answers = world.ledger.stock.ask(sale.0, holds).await?;
    let money =
        Money { minor: PRICE_MINOR * u64::from(EACH), currency: Currency::parse("CNY").context("CNY")? };
    for (order, answer) in orders.iter().zip(answers) {
        // Whoever was here in a start that was cut short has theirs already.
        if matches!(answer, StockAnswer::Accepted(_)) {
            let came = IncomingPayment { reference: format!("early-bird-{order}"), order: *order, money };
            payment_accept(world, SANDBOX, came).await?;
        }
    }
    // A provider of one's own has never heard of this money.
    let sandbox = world.outside.payments.provider() == Some(SANDBOX);
    if let Some(first) = orders.first().filter(|_| sandbox) {
        let signed = world.audit_stamp(Actor::Person(staff.operator), "arrived broken", "demo");
        order_refund(world, signed, *first).await?;
    }
    Ok(())
}
