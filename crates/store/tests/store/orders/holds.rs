//! Orders are written with their holds, at the price of their version, and found by whose and what they are.

use domain::ids::{ActivityId, CodePoolId, OrderId};
use domain::ledger::{Answer, Command, Take};
use domain::page::PageRequest;
use domain::sale::*;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;
use crate::ledger_fixtures::Life;

on_both! {
    an_order_is_there_exactly_when_its_hold_is,
    an_order_costs_what_its_version_did,
    orders_are_listed_by_whose_and_what_they_are,
}

/// However a batch is cut, and whatever has happened by its end.
async fn an_order_is_there_exactly_when_its_hold_is(db: &Db) {
    price(db, TEA, 1, 100).await;
    let mut life = Life::of(opened(TEA, 10));
    for (id, user, units) in [(1, ANN, 1), (2, BEN, 2), (3, ANN, 3)] {
        assert!(matches!(life.tell(order(id, user, &[(TEA, units, 1)])), Answer::Accepted { .. }));
    }
    assert!(matches!(life.tell(let_go(2)), Answer::Accepted { .. }));
    assert!(matches!(life.tell(Command::Confirm { hold: key(3), take: Take::All }), Answer::Accepted { .. }));
    let cut = life.events.len();
    db.ledger_project(life.events.clone()).await.unwrap();
    for (id, expected) in [(1, "unpaid"), (2, "cancelled"), (3, "unpaid"), (4, "none")] {
        assert_eq!(state(db, id).await, expected, "{id}");
    }
    let first = db.sale_order(OrderId(1)).await.unwrap().unwrap();
    assert_eq!(
        (first.user, first.total, first.hold, first.policy),
        (ANN, money(100), key(1), Policy::AtOrder)
    );
    assert_eq!((first.made, first.due), (T0, T0 + 1_000));
    // The rest comes in batches of its own.
    life.clock = T0 + 1_500;
    assert!(matches!(life.tell(Command::ExpireOne), Answer::Accepted { .. }));
    db.ledger_project(life.events[cut..].to_vec()).await.unwrap();
    assert_eq!(
        (state(db, 1).await, state(db, 3).await),
        ("expired", "unpaid"),
        "whoever confirmed says that it is paid"
    );
    // Projected again, nothing is there twice.
    db.ledger_project(life.events.clone()).await.unwrap();
    let all = db.sale_order_list(OrderSearch::default(), PageRequest::first(9)).await.unwrap();
    assert_eq!(all.items.len(), 3);
}

async fn an_order_costs_what_its_version_did(db: &Db) {
    for (sale, version, minor) in [(TEA, 1, 100), (TEA, 2, 150), (CODES, 1, 7)] {
        price(db, sale, version, minor).await;
    }
    let mut commands = opened(TEA, 10);
    commands.extend(opened(CODES, 10));
    commands.push(order(1, ANN, &[(TEA, 2, 1)]));
    commands.push(changed(TEA, 2));
    commands.push(order(2, ANN, &[(TEA, 2, 2), (CODES, 3, 1)]));
    let mut life = Life::of(commands);
    assert!(matches!(life.tell(order(3, ANN, &[(TEA, 1, 1)])), Answer::Refused(_)), "the version is over");
    let events = life.events.clone();
    db.ledger_project(events).await.unwrap();
    let cut = life.events.len();
    assert!(matches!(life.tell(order(4, BEN, &[(TEA, 1, 2)])), Answer::Accepted { .. }));
    db.ledger_project(life.events[cut..].to_vec()).await.unwrap();
    for (id, minor) in [(1, 200), (2, 321), (4, 150)] {
        assert_eq!(db.sale_order(OrderId(id)).await.unwrap().unwrap().total, money(minor), "{id}");
    }
    let cart = db.sale_order(OrderId(2)).await.unwrap().unwrap().lines;
    let lines: Vec<_> =
        cart.iter().map(|line| (line.sale, line.version, line.quantity, line.price_minor)).collect();
    assert_eq!(lines, [(TEA, 2, 2, 150), (CODES, 1, 3, 7)]);
    assert_eq!(cart[1].item, ItemKind::Code { pool: CodePoolId(9) });
    assert_eq!(state(db, 3).await, "none");
}

async fn orders_are_listed_by_whose_and_what_they_are(db: &Db) {
    price(db, TEA, 1, 100).await;
    price(db, CODES, 1, 100).await;
    let mut commands = opened(TEA, 10);
    commands.extend(opened(CODES, 10));
    commands.extend([
        order(1, ANN, &[(TEA, 1, 1)]),
        order(2, BEN, &[(CODES, 1, 1)]),
        order(3, ANN, &[(TEA, 1, 1), (CODES, 1, 1)]),
        let_go(1),
    ]);
    db.ledger_project(Life::of(commands).events).await.unwrap();
    db.payment_arrive(arrive(10, 3, 200)).await.unwrap();
    db.payment_settle(settle(10, true)).await.unwrap();
    let (all, paid, gone) = (None, Some(OrderState::Paid), Some(OrderState::Cancelled));
    for (state, sale, user, expected) in [
        (all, None, None, vec![3, 2, 1]),
        (paid, None, None, vec![3]),
        (gone, None, None, vec![1]),
        (all, Some(TEA), None, vec![3, 1]),
        (all, Some(CODES), None, vec![3, 2]),
        (gone, Some(TEA), None, vec![1]),
        (all, None, Some(ANN), vec![3, 1]),
        (all, Some(CODES), Some(ANN), vec![3]),
        (gone, Some(CODES), Some(ANN), vec![]),
        (paid, None, Some(BEN), vec![]),
        (all, Some(ActivityId(9)), None, vec![]),
    ] {
        let search = OrderSearch { state, sale, user };
        let mut got = Vec::new();
        let mut page = Some(PageRequest::first(1));
        while let Some(asked) = page {
            let listed = db.sale_order_list(search, asked).await.unwrap();
            got.extend(listed.items.iter().map(|order| order.id.0));
            page = listed.next.map(|after| PageRequest { after: Some(after), ..asked });
        }
        assert_eq!(got, expected, "{search:?}");
    }
}
