//! Offers and orders as tables.

use super::*;
use crate::Rejection;
use crate::fulfilment::PrizeKind;
use crate::ids::{ActivityId, CodePoolId};
use crate::time::Timestamp;

fn draft() -> OfferDraft {
    OfferDraft {
        name: "tea".to_owned(),
        name_en: String::new(),
        text: String::new(),
        text_en: String::new(),
        gives: OfferKind::Parcel,
        price: 100,
        limit: 2,
        from: Some(Timestamp(10)),
        until: Some(Timestamp(20)),
    }
}

fn offer() -> OfferTerms {
    OfferTerms { state: OfferState::On, ..draft().check().unwrap() }
}

/// The state, the moment, how many, and the price or the refusal.
#[test]
fn what_is_sold_when() {
    use OfferState::{Draft, Off, On};
    for (state, now, quantity, expected) in [
        (On, 10, 1, Ok(100)),
        (On, 19, 2, Ok(200)),
        (On, 9, 1, Err("offer_not_started")),
        (On, 20, 1, Err("offer_over")),
        (On, 15, 0, Err("invalid_field")),
        (On, 15, 3, Err("invalid_field")),
        (Off, 15, 1, Err("offer_off")),
        (Draft, 15, 1, Err("offer_off")),
    ] {
        let got = OfferTerms { state, ..offer() }.sells(quantity, Timestamp(now)).map_err(|no| no.code());
        assert_eq!(got, expected, "{state:?} at {now}, {quantity}");
    }
    let endless = OfferTerms { limit: 0, ..offer() };
    assert_eq!(endless.sells(20, Timestamp(15)), Ok(2_000));
    assert!(endless.sells(21, Timestamp(15)).is_err());
    let dear = OfferTerms { price: 600_000_000, ..endless };
    assert_eq!(dear.sells(1, Timestamp(15)), Ok(600_000_000));
    assert_eq!(dear.sells(2, Timestamp(15)).unwrap_err().field(), Some("quantity"));
}

#[test]
fn drafts_that_are_no_offers() {
    for (field, wrong) in [
        ("name", OfferDraft { name: " ".to_owned(), ..draft() }),
        ("name_en", OfferDraft { name_en: "x".repeat(OFFER_NAME_MAX + 1), ..draft() }),
        ("text_en", OfferDraft { text_en: "x".repeat(OFFER_TEXT_MAX + 1), ..draft() }),
        ("text", OfferDraft { text: "x".repeat(OFFER_TEXT_MAX + 1), ..draft() }),
        ("price", OfferDraft { price: 0, ..draft() }),
        ("limit", OfferDraft { limit: -1, ..draft() }),
        ("limit", OfferDraft { limit: 1_000_001, ..draft() }),
        ("until", OfferDraft { until: Some(Timestamp(10)), ..draft() }),
        (
            "amount",
            OfferDraft { gives: OfferKind::Chances { activity: ActivityId(1), chances: 0 }, ..draft() },
        ),
        (
            "amount",
            OfferDraft { gives: OfferKind::Chances { activity: ActivityId(1), chances: 1_001 }, ..draft() },
        ),
    ] {
        assert_eq!(wrong.clone().check().unwrap_err().field(), Some(field), "{wrong:?}");
    }
}

#[test]
fn an_offer_that_was_seen_is_no_draft_again() {
    use OfferState::{Draft, Off, On};
    for (from, to, fits) in [
        (Draft, Draft, true),
        (Draft, On, true),
        (Draft, Off, true),
        (On, Off, true),
        (Off, On, true),
        (On, Draft, false),
        (Off, Draft, false),
    ] {
        let change = OfferChange { state: Some(to), ..OfferChange::default() };
        let got = OfferTerms { state: from, ..offer() }.changed(&change).map(|offer| offer.state);
        assert_eq!(got.ok(), fits.then_some(to), "{from:?} to {to:?}");
        assert_eq!(OfferState::parse(from.name()), Some(from));
    }
    let change = OfferChange { until: Some(None), price: Some(7), ..OfferChange::default() };
    let changed = offer().changed(&change).unwrap();
    assert_eq!((changed.until, changed.price, changed.from), (None, 7, offer().from));
}

#[test]
fn an_order_ends_once() {
    let gone = || Settling::Gone { why: "sold_out".to_owned() };
    for (state, settling, expected) in [
        (ShopOrderState::Placed, Settling::Confirmed, Ok(Some(ShopOrderState::Done))),
        (ShopOrderState::Placed, gone(), Ok(Some(ShopOrderState::Reversed))),
        (ShopOrderState::Done, Settling::Confirmed, Ok(None)),
        (ShopOrderState::Reversed, gone(), Ok(None)),
        (ShopOrderState::Done, gone(), Err(Rejection::AlreadyConfirmed)),
        (ShopOrderState::Reversed, Settling::Confirmed, Err(Rejection::AlreadyCancelled)),
    ] {
        assert_eq!(settle(state, &settling), expected, "{state:?} {settling:?}");
        assert_eq!(ShopOrderState::parse(state.name()), Some(state));
    }
}

#[test]
fn what_is_done_is_refunded_once() {
    let early = Rejection::OrderStepIllegal { state: "placed".into(), step: "refund".into() };
    for (state, expected) in [
        (ShopOrderState::Placed, Err(early)),
        (ShopOrderState::Done, Ok(Some(ShopOrderState::Reversed))),
        (ShopOrderState::Reversed, Ok(None)),
    ] {
        assert_eq!(refund(state), expected, "{state:?}");
    }
}

#[test]
fn what_is_given_for_so_many_pieces() {
    let chances = OfferKind::Chances { activity: ActivityId(1), chances: 5 };
    for (gives, kind, quantity, things) in [
        (OfferKind::Text, PrizeKind::Text, 3, (1, 3)),
        (OfferKind::Parcel, PrizeKind::Parcel, 3, (1, 3)),
        (OfferKind::Coupon, PrizeKind::Coupon, 3, (3, 1)),
        (OfferKind::Code { pool: CodePoolId(1) }, PrizeKind::Code, 3, (3, 1)),
        (chances, PrizeKind::Chances, 3, (1, 15)),
    ] {
        assert_eq!((gives.kind(), gives.things(quantity)), (kind, things), "{gives:?}");
    }
}
