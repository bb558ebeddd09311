//! A request that waits for a second person, in the form in which its row keeps it.

use domain::access::{Role, Roles, Scope, Scopes};
use domain::ids::OfferId;
use domain::sale::{Currency, Money};
use serde_json::{Value as Json, json};

use crate::model::{OfferSummary, Request, RuleSummary};

/// The name of its kind, and the rest.
pub(super) fn to_json(request: &Request) -> (&'static str, Json) {
    match request {
        Request::SetRoles { user, roles } => ("set_roles", json!({ "user": user, "roles": roles.names() })),
        Request::ResetSecondFactor { user } => ("reset_second_factor", json!({ "user": user })),
        Request::VoidFulfilment { fulfilment } => ("void_fulfilment", json!({ "fulfilment": fulfilment })),
        Request::AdjustPoints { user, points } => {
            ("adjust_points", json!({ "user": user, "points": points }))
        }
        Request::ReversePoints { user, n } => ("reverse_points", json!({ "user": user, "n": n })),
        Request::RefundShopOrder { order } => ("refund_shop_order", json!({ "order": order })),
        Request::RefundOrder { order, user, money } => (
            "refund_order",
            json!({ "order": order, "user": user, "minor": money.minor, "currency": money.currency.to_string() }),
        ),
        Request::ActivateKey { key, name, scopes } => {
            ("activate_key", json!({ "key": key, "name": name, "scopes": scopes.names() }))
        }
        Request::ActivateGrantRule { rule, edition, terms } => (
            "activate_grant_rule",
            json!({
                "rule": rule,
                "edition": edition,
                "name": terms.name,
                "behaviour": terms.behaviour,
                "gives": terms.gives,
                "amount": terms.amount,
                "period": terms.period,
                "times": terms.times,
                "cap_user": terms.cap_user,
                "cap_total": terms.cap_total,
            }),
        ),
        Request::RestockOffer { offer, command, delta, terms } => {
            let mut json = offer_json(*offer, terms);
            json["command"] = json!(command);
            json["delta"] = json!(delta);
            ("restock_offer", json)
        }
        Request::RepriceOffer { offer, price, left, terms } => {
            let mut json = offer_json(*offer, terms);
            json["price"] = json!(price);
            json["left"] = json!(left);
            ("reprice_offer", json)
        }
    }
}

fn offer_json(offer: OfferId, terms: &OfferSummary) -> Json {
    let OfferSummary { name, gives, chances, price } = terms;
    json!({ "offer": offer, "name": name, "gives": gives, "chances": chances, "price_now": price })
}

fn offer_from(json: &Json) -> Option<(OfferId, OfferSummary)> {
    let (name, gives) = (json["name"].as_str()?.to_owned(), json["gives"].as_str()?.to_owned());
    let terms =
        OfferSummary { name, gives, chances: json["chances"].as_i64(), price: json["price_now"].as_i64()? };
    Some((json["offer"].as_str()?.parse().ok()?, terms))
}

/// Nothing where it is none that this program knows.
pub(super) fn from_json(kind: &str, text: &str) -> Option<Request> {
    let json: Json = serde_json::from_str(text).ok()?;
    match kind {
        "set_roles" => {
            let user = json["user"].as_str()?.parse().ok()?;
            let roles: Option<Vec<Role>> =
                json["roles"].as_array()?.iter().map(|role| Role::parse(role.as_str()?)).collect();
            Some(Request::SetRoles { user, roles: Roles::of(&roles?) })
        }
        "reset_second_factor" => {
            Some(Request::ResetSecondFactor { user: json["user"].as_str()?.parse().ok()? })
        }
        "void_fulfilment" => {
            let fulfilment = json["fulfilment"].as_str()?.parse().ok()?;
            Some(Request::VoidFulfilment { fulfilment })
        }
        "adjust_points" => {
            let user = json["user"].as_str()?.parse().ok()?;
            Some(Request::AdjustPoints { user, points: json["points"].as_i64()? })
        }
        "reverse_points" => {
            let user = json["user"].as_str()?.parse().ok()?;
            Some(Request::ReversePoints { user, n: json["n"].as_i64()? })
        }
        "refund_shop_order" => {
            Some(Request::RefundShopOrder { order: json["order"].as_str()?.parse().ok()? })
        }
        "refund_order" => {
            let (order, user) = (json["order"].as_str()?.parse().ok()?, json["user"].as_str()?.parse().ok()?);
            let money = Money {
                minor: json["minor"].as_u64()?,
                currency: Currency::parse(json["currency"].as_str()?)?,
            };
            Some(Request::RefundOrder { order, user, money })
        }
        "activate_key" => {
            let scopes: Option<Vec<Scope>> =
                json["scopes"].as_array()?.iter().map(|scope| Scope::parse(scope.as_str()?)).collect();
            let (key, name) = (json["key"].as_str()?.parse().ok()?, json["name"].as_str()?.to_owned());
            Some(Request::ActivateKey { key, name, scopes: Scopes::of(&scopes?) })
        }
        "activate_grant_rule" => {
            let text = |name: &str| Some(json[name].as_str()?.to_owned());
            let terms = RuleSummary {
                name: text("name")?,
                behaviour: text("behaviour")?,
                gives: text("gives")?,
                amount: json["amount"].as_i64()?,
                period: text("period")?,
                times: u32::try_from(json["times"].as_u64()?).ok()?,
                cap_user: json["cap_user"].as_i64(),
                cap_total: json["cap_total"].as_i64(),
            };
            let edition = u32::try_from(json["edition"].as_u64()?).ok()?;
            Some(Request::ActivateGrantRule { rule: json["rule"].as_str()?.parse().ok()?, edition, terms })
        }
        "restock_offer" => {
            let (offer, terms) = offer_from(&json)?;
            let (command, delta) = (json["command"].as_str()?.to_owned(), json["delta"].as_i64()?);
            Some(Request::RestockOffer { offer, command, delta, terms })
        }
        "reprice_offer" => {
            let (offer, terms) = offer_from(&json)?;
            let (price, left) = (json["price"].as_i64()?, json["left"].as_i64()?);
            Some(Request::RepriceOffer { offer, price, left, terms })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::{FulfilmentId, GrantRuleId, KeyId, OrderId, ShopOrderId, UserId};

    use super::*;

    fn tea(chances: Option<i64>) -> OfferSummary {
        OfferSummary { name: "tea".into(), gives: "parcel".into(), chances, price: 10 }
    }

    #[test]
    fn requests_come_back_as_they_were() {
        for request in [
            Request::SetRoles { user: UserId(5), roles: Roles::of(&[Role::Operator, Role::Admin]) },
            Request::ResetSecondFactor { user: UserId(5) },
            Request::VoidFulfilment { fulfilment: FulfilmentId(i64::MAX) },
            Request::AdjustPoints { user: UserId(5), points: -20_000 },
            Request::ReversePoints { user: UserId(5), n: 7 },
            Request::RefundShopOrder { order: ShopOrderId(i64::MAX) },
            Request::RefundOrder {
                order: OrderId(7),
                user: UserId(5),
                money: Money { minor: u64::MAX, currency: Currency::CNY },
            },
            Request::ActivateKey { key: KeyId(3), name: "shop".into(), scopes: Scopes::of(&Scope::ALL) },
            Request::ActivateGrantRule {
                rule: GrantRuleId(4),
                edition: 2,
                terms: RuleSummary {
                    name: "daily".into(),
                    behaviour: "check_in".into(),
                    gives: "points".into(),
                    amount: 5,
                    period: "day".into(),
                    times: 1,
                    cap_user: None,
                    cap_total: Some(9),
                },
            },
            Request::RestockOffer {
                offer: OfferId(6),
                command: "first stock".into(),
                delta: i64::MAX,
                terms: tea(Some(3)),
            },
            Request::RepriceOffer { offer: OfferId(6), price: 1, left: 900, terms: tea(None) },
        ] {
            let (kind, json) = to_json(&request);
            assert_eq!(from_json(kind, &json.to_string()), Some(request));
            assert_eq!(from_json(kind, "{}"), None);
            assert_eq!(from_json("unheard_of", &json.to_string()), None);
        }
    }
}
