//! The crowd itself.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use testkit::wait;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::bank::Bank;
use super::books::{has_units, is_paid, one_each, orders, paid_minor, pool};
use super::buyer::{Buyer, CUP_MINOR, PRICE_MINOR};
use super::wire::{Whereabouts, Wire};
use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::process::{Home, LIMIT, Server};

/// Several times as many as there are units.
const BUYERS: usize = 4_000;
const UNITS: u64 = 350;
/// Come later, when many were turned away already.
const RESTOCKED: u64 = 50;
/// Of what goes with it: one of five wants both or neither.
const CUPS: u64 = 60;
/// Buyers who are there at once, each on a connection that stays open.
const WIRES: usize = 64;
/// After so many answers the server is killed: while most is still there, and when little is.
const KILLS: [u64; 2] = [400, 1_300];

fn selling(units: u64, hold_s: u64) -> Value {
    json!({
        "name": "Teapots", "from": now_ms() - HOUR_MS, "until": now_ms() + HOUR_MS, "zone": "UTC", "kind": "sale",
        "sale": { "price_minor": PRICE_MINOR, "currency": "CNY", "units": units, "per_user": 1, "hold_s": hold_s },
    })
}

fn with(mut form: Value, member: &str, value: Value) -> Value {
    form["sale"][member] = value;
    form
}

/// A server with a bank, a sale, and connections to it.
struct Market {
    home: Home,
    server: Option<Server>,
    bank: Bank,
    sale: String,
    secret: String,
    told: watch::Sender<Option<std::net::SocketAddr>>,
}

impl Market {
    async fn open(form: Value) -> Self {
        let bank = Bank::open().await;
        let settings = bank.settings();
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, &**value)).collect();
        let home = Home::with(&settings);
        let server = home.start("serve").await;
        let sale = Crew::new(&server).await.publish(form).await;
        let secret = server.new_key(&["play"]).await.secret;
        let (told, _) = watch::channel(Some(server.address));
        Self { home, server: Some(server), bank, sale, secret, told }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    fn wire(&self) -> Wire {
        let whereabouts: Whereabouts = self.told.subscribe();
        Wire::new(whereabouts, self.secret.clone())
    }

    async fn kill(&mut self) {
        self.told.send_replace(None);
        assert_eq!(self.server.take().unwrap().kill().await.code(), None, "ended by the signal");
        let server = self.home.start("serve").await;
        self.told.send_replace(Some(server.address));
        self.server = Some(server);
    }

    async fn restock(&self, units: u64) {
        let more = json!({ "id": "more", "delta": units, "reason": "so many want one" });
        self.server().console("POST", &format!("/sales/{}/restock", self.sale)).json(more).expect(200).await;
    }

    /// Total, free, held and taken, once the rows have everything.
    async fn pool(&self) -> [u64; 4] {
        self.pool_of(&self.sale).await
    }

    async fn pool_of(&self, sale: &str) -> [u64; 4] {
        let look = || self.server().console("GET", "/admin/ledger");
        settled(look, |answer| answer.json()["lag"] == 0).await;
        pool(&self.home, sale)
    }

    /// All buyers, so many at a time; each goes their way to its end.
    async fn crowd(&self, buyers: Vec<Buyer>) -> JoinSet<Vec<Buyer>> {
        let waiting = Arc::new(std::sync::Mutex::new(buyers));
        (0..WIRES)
            .map(|_| {
                let (mut wire, bank, waiting) = (self.wire(), self.bank.clone(), Arc::clone(&waiting));
                async move {
                    let mut done = Vec::new();
                    loop {
                        let next = waiting.lock().unwrap().pop();
                        let Some(mut buyer) = next else { return done };
                        buyer.goes(&mut wire, &bank).await;
                        done.push(buyer);
                    }
                }
            })
            .collect()
    }
}

/// Sold is what there was and what was added, nobody has two, whoever wanted two things has both or neither, every attempt
/// has one answer, what came back is sold again, and the money adds up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_buys_exactly_what_there_is() {
    let mut market = Market::open(selling(UNITS, 3_600)).await;
    let cups = with(selling(CUPS, 3_600), "price_minor", json!(CUP_MINOR));
    let cups = Crew::new(market.server()).await.publish(cups).await;
    let heard = Arc::new(AtomicU64::new(0));
    let (one, both): (&[&str], &[&str]) = (&[&market.sale], &[&market.sale, &cups]);
    let wants = |number| if number % 5 == 0 { both } else { one };
    let buyers = (0..BUYERS).map(|number| Buyer::new(number, wants(number), &heard)).collect();
    let going = market.crowd(buyers).await;
    for answers in KILLS {
        let enough = || (heard.load(Ordering::Relaxed) >= answers).then_some(());
        wait::until(LIMIT, "the crowd to be answered", enough).await.unwrap();
        market.kill().await;
    }
    market.restock(RESTOCKED).await;
    let mut buyers: Vec<Buyer> = going.join_all().await.into_iter().flatten().collect();
    assert_eq!(buyers.len(), BUYERS);

    // What was let go of is there for whoever came too early for it.
    let mut wire = market.wire();
    let mut late = buyers.iter_mut().filter(|buyer| buyer.sold_out);
    while market.pool().await[1] > 0 {
        let buyer = late.next().expect("demand suffices");
        buyer.buys(&mut wire).await;
    }
    assert!(late.next().is_some(), "more wanted one than there were");
    assert_eq!(market.pool().await[0], UNITS + RESTOCKED);
    judged(&market, &mut buyers).await;

    let carts = orders(&market.home, &cups).await;
    assert!(carts.values().all(|cart| cart.lines == 2), "both or neither: {carts:?}");
    let [total, free, held, taken] = market.pool_of(&cups).await;
    let sold = carts.values().filter(|cart| has_units(cart)).count() as u64;
    assert!(
        sold > 0 && carts.values().any(|cart| !has_units(cart)),
        "some keep theirs, some let go: {carts:?}"
    );
    assert_eq!((held + taken, total - free), (sold, sold));
}

/// Units that nobody paid for are sold to others; whoever pays too late has them again while there are any, and else their
/// money back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_paid_for_is_sold_again() {
    let market = Market::open(selling(20, 1)).await;
    let heard = Arc::new(AtomicU64::new(0));
    let mut buyers: Vec<Buyer> = (0..50).map(|number| Buyer::new(number, &[&market.sale], &heard)).collect();
    let mut wire = market.wire();
    let (first, others) = buyers.split_at_mut(20);
    let mut expired = Vec::new();
    for buyer in first.iter_mut() {
        expired.push(buyer.buys(&mut wire).await.expect("there are enough"));
    }
    let returned = || (pool(&market.home, &market.sale)[1] == 20).then_some(());
    wait::until(LIMIT, "what nobody paid for to come back", returned).await.unwrap();
    // Five pay too late, and there are units; fifteen others buy and pay at once; then five more pay too late for good.
    for order in &expired[..5] {
        market.bank.pay(&mut wire, order, PRICE_MINOR, &format!("{order}-late"), 2).await;
    }
    for buyer in &mut others[..15] {
        let order = buyer.buys(&mut wire).await.expect("there are enough");
        market.bank.pay(&mut wire, &order, PRICE_MINOR, &format!("{order}-soon"), 1).await;
    }
    assert_eq!(market.pool().await, [20, 0, 0, 20], "all of them are paid for");
    for order in &expired[5..10] {
        market.bank.pay(&mut wire, order, PRICE_MINOR, &format!("{order}-late"), 1).await;
    }
    assert_eq!(others[15].buys(&mut wire).await, None, "and nobody gets more");
    judged(&market, &mut buyers).await;
    let states = orders(&market.home, &market.sale).await;
    let count = |state: &str| expired.iter().filter(|order| states[*order].state == state).count();
    assert_eq!((count("refunded"), count("expired")), (5, 10));
}

/// Where nothing is held, more may order than there is: who pays first has it, the others their money back, and neither a
/// kill nor paying twice changes that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_deducted_when_it_is_paid_goes_to_those_who_pay_first() {
    const THERE: u64 = 20;
    let mut market = Market::open(with(selling(THERE, 3_600), "policy", json!("at_payment"))).await;
    let heard = Arc::new(AtomicU64::new(0));
    let mut wire = market.wire();
    let mut ordered = Vec::new();
    for number in 0..3 * usize::try_from(THERE).unwrap() {
        let mut buyer = Buyer::new(number, &[&market.sale], &heard);
        let order = buyer.buys(&mut wire).await.expect("nothing is held by anybody");
        ordered.push((buyer, order));
    }
    assert_eq!(market.pool().await, [THERE, THERE, 0, 0]);
    let settling: JoinSet<()> = ordered
        .into_iter()
        .map(|(buyer, order)| {
            let (mut wire, bank) = (market.wire(), market.bank.clone());
            async move { buyer.settles(&mut wire, &bank, &order).await }
        })
        .collect();
    let some = || (pool(&market.home, &market.sale)[3] > 0).then_some(());
    wait::until(LIMIT, "the first to have paid", some).await.unwrap();
    market.kill().await;
    settling.join_all().await;

    let rows = orders(&market.home, &market.sale).await;
    assert_eq!(market.pool().await, [THERE, 0, 0, THERE], "all of them, and not one more");
    assert_eq!(rows.values().filter(|order| is_paid(order)).count() as u64, THERE);
    assert!(rows.values().any(|order| order.state == "refunded"), "{rows:?}");
    one_each(&rows, is_paid);
    let (taken, back) = market.bank.balance();
    assert_eq!(taken - back, paid_minor(&rows), "money taken = orders paid + refunds");
    let mut late = Buyer::new(1_000, &[&market.sale], &heard);
    assert_eq!(late.buys(&mut wire).await, None, "sold out");
}

/// Everything that must hold in the end.
async fn judged(market: &Market, buyers: &mut [Buyer]) {
    let rows = orders(&market.home, &market.sale).await;
    let sold = rows.values().filter(|order| has_units(order)).count() as u64;
    let [total, free, held, taken] = market.pool().await;
    assert_eq!((free, held + taken, sold), (0, total, total), "sold is what there was");
    let unpaid = rows.values().filter(|order| order.state == "unpaid").count() as u64;
    assert_eq!(held, unpaid, "what is held has yet to be paid for");
    one_each(&rows, has_units);

    // Every attempt has one answer, also when it is asked for again; and no order that nobody was told of.
    let mut wire = market.wire();
    let mut told = BTreeSet::new();
    for buyer in buyers.iter_mut() {
        let attempts: Vec<String> = buyer.told.keys().cloned().collect();
        for id in attempts {
            if let (_, Some(order)) = buyer.asks_for(&mut wire, &id).await {
                assert!(rows.contains_key(&order), "{order} was told and is not there");
                told.insert(order);
            }
        }
        told.extend(buyer.orders.iter().cloned());
    }
    let dark = buyers.iter().filter(|buyer| buyer.in_the_dark).count();
    let untold = rows.keys().filter(|id| !told.contains(*id)).count();
    assert!(untold <= dark, "{untold} orders that nobody was told of, and {dark} whose answer was lost");

    let (taken, back) = market.bank.balance();
    assert_eq!(taken - back, paid_minor(&rows), "money taken = orders paid + refunds");
}
