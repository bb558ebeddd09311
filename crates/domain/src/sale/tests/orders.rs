//! The life of an order and what is done with money, row by row.

use super::super::OrderEvent as E;
use super::super::OrderState::{self, *};
use super::super::{
    Arrival, Currency, Money, PaymentState, RefundReason, SALES_CALLER, again_id, again_key, arrival,
    hold_id, hold_key, order_of, owner, step, user_of,
};
use crate::ids::{OrderId, UserId};

/// For each state, in the order of [`E::ALL`]: what follows, `-` for nothing, `!` for "it cannot be".
#[test]
fn every_event_in_every_state() {
    let events = ["Cancelled", "Expired", "Taken", "Gone", "Given", "RefundAsked", "MoneyBack"];
    assert_eq!(E::ALL.map(|event| format!("{event:?}")), events.map(str::to_owned));
    for (state, row) in [
        (Unpaid, ["cancelled", "expired", "paid", "refund_due", "!", "!", "!"]),
        (Paid, ["!", "-", "-", "!", "fulfilled", "refund_due", "!"]),
        (Fulfilled, ["!", "-", "-", "!", "-", "refund_due", "!"]),
        (Cancelled, ["-", "!", "paid", "refund_due", "!", "!", "!"]),
        (Expired, ["!", "-", "paid", "refund_due", "!", "!", "!"]),
        (RefundDue, ["!", "-", "!", "-", "-", "-", "refunded"]),
        (Refunded, ["!", "-", "!", "-", "-", "-", "-"]),
    ] {
        for (event, expected) in E::ALL.into_iter().zip(row) {
            let got = match step(state, event) {
                Ok(Some(next)) => next.name(),
                Ok(None) => "-",
                Err(rejection) => {
                    assert_eq!(rejection.code(), "order_step_illegal");
                    "!"
                }
            };
            assert_eq!(got, expected, "{state:?} {event:?}");
        }
    }
}

#[test]
fn names_are_for_good_and_each_has_one() {
    for state in OrderState::ALL {
        assert_eq!(OrderState::parse(state.name()), Some(state));
        assert!(OrderState::NAMES.split(", ").any(|name| name == state.name()));
    }
    for state in PaymentState::ALL {
        assert_eq!(PaymentState::parse(state.name()), Some(state));
    }
    for why in RefundReason::ALL {
        assert_eq!(RefundReason::parse(why.name()), Some(why));
    }
    assert_eq!(OrderState::parse("placed"), None);
}

/// The order's state, whether a payment has claimed it, what came, and what is done with it.
#[test]
fn the_first_payment_of_the_right_amount_settles_an_order() {
    let money = |minor, currency: &str| Money { minor, currency: Currency::parse(currency).unwrap() };
    let costs = money(1_000, "CNY");
    let back = Arrival::Back;
    for (state, claimed, came, expected) in [
        (Unpaid, false, money(1_000, "CNY"), Arrival::Settles),
        (Cancelled, false, money(1_000, "CNY"), Arrival::Settles),
        (Expired, false, money(1_000, "CNY"), Arrival::Settles),
        (Unpaid, true, money(1_000, "CNY"), back(RefundReason::PaidTwice)),
        (Paid, true, money(1_000, "CNY"), back(RefundReason::PaidTwice)),
        (Fulfilled, true, money(1_000, "CNY"), back(RefundReason::PaidTwice)),
        (RefundDue, true, money(1_000, "CNY"), back(RefundReason::PaidTwice)),
        (Refunded, true, money(1_000, "CNY"), back(RefundReason::PaidTwice)),
        (Refunded, false, money(1_000, "CNY"), back(RefundReason::PaidTwice)),
        (Unpaid, false, money(999, "CNY"), back(RefundReason::AmountWrong)),
        (Unpaid, false, money(1_001, "CNY"), back(RefundReason::AmountWrong)),
        (Unpaid, false, money(1_000, "USD"), back(RefundReason::AmountWrong)),
    ] {
        assert_eq!(arrival(state, claimed, &costs, &came), expected, "{state:?} {claimed} {came:?}");
    }
}

#[test]
fn what_orders_are_called_in_the_ledger() {
    let (order, user) = (OrderId(7_123_456_789_012_345_678), UserId(42));
    let (id, again) = (hold_id(order).unwrap(), again_id(order).unwrap());
    for (caller, id, expected) in [
        (SALES_CALLER, id.as_str(), Some(order)),
        (SALES_CALLER, again.as_str(), None),
        (0, id.as_str(), None),
        (SALES_CALLER, "order", None),
        (SALES_CALLER, "order x", None),
    ] {
        assert_eq!(order_of(caller, id), expected, "{caller} {id}");
    }
    assert_eq!(user_of(owner(user).unwrap().text.as_str()), Some(user));
    assert_eq!(user_of("42"), None);
    let keys = [
        hold_key(order, user, None),
        hold_key(order, user, Some("k")),
        hold_key(order, UserId(43), Some("k")),
        again_key(order),
    ];
    for (at, key) in keys.iter().enumerate() {
        assert_eq!(keys.iter().position(|other| other == key), Some(at), "each has a key of its own");
    }
    assert_eq!(hold_key(OrderId(1), user, Some("k")), keys[1], "the same request, the same units");
}
