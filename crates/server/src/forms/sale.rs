//! What a sale sells, as a form writes it.

use domain::Rejection;
use domain::ids::CodePoolId;
use domain::rejection::FieldProblem;
use domain::sale::{Currency, GatePlan, HOLD_MS_DEFAULT, ItemKind, Policy, Price, RoomPlan, SalePlan};
use domain::time::SECOND_MS;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::form::{ActivityForm, BudgetForm};
use super::wrong::{CODE_ONLY, NOT_FOR_SALES, SALE_ONLY, Wrong};

/// So many units of one item, at one price.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaleForm {
    #[serde(default)]
    pub item: ItemForm,
    /// The id of the pool that codes come from. For codes only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// What is sold; the activity's name unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "Clay teapot")]
    pub name: Option<String>,
    /// For readers of English; everybody sees `name` where it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    #[serde(default)]
    pub details: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details_en: String,
    /// Ids of uploaded pictures, addresses, or an emoji; the first one is shown where there is room for one.
    #[serde(default)]
    pub pictures: Vec<String>,
    /// What one unit costs, in the smallest unit of money.
    #[schema(example = 9_900)]
    pub price_minor: u64,
    /// What one unit costs otherwise, shown struck through; higher than the price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = 12_900)]
    pub list_price_minor: Option<u64>,
    /// Three letters.
    #[schema(example = "CNY")]
    pub currency: String,
    /// How many there are.
    pub units: u64,
    /// How many one person may have; 0 is no limit.
    #[serde(default = "one")]
    pub per_user: u32,
    /// Seconds for which units are kept for whoever ordered them and has yet to pay.
    #[serde(default = "quarter")]
    pub hold_s: i64,
    #[serde(default)]
    #[schema(value_type = String)]
    pub policy: Policy,
    #[serde(default)]
    pub gate: GateForm,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemForm {
    /// Sent to an address.
    #[default]
    Parcel,
    /// From a pool of codes.
    Code,
    /// Digital and numbered.
    Collectible,
}

/// What stands between a buyer and the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GateForm {
    /// Whether a picture has to be read first.
    #[serde(default)]
    pub captcha: bool,
    /// A waiting room; without it there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomForm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomForm {
    /// People let in per second at most.
    pub per_second: u32,
}

const fn one() -> u32 {
    1
}

const fn quarter() -> i64 {
    HOLD_MS_DEFAULT / SECOND_MS
}

impl ActivityForm {
    /// A sale has no prizes, odds, draws or entries.
    pub(super) fn sale(&self) -> Result<SalePlan, Vec<Rejection>> {
        let mut wrong = Wrong::default();
        for (field, given) in [
            ("ten", self.ten),
            ("draw_at", self.draw_at.is_some()),
            ("beacon", self.beacon.is_some()),
            ("entries", self.entries.is_some()),
            ("prizes", !self.prizes.is_empty()),
            ("tiers", self.tiers.is_some()),
            ("consolation", self.consolation.is_some()),
            ("fallback", self.fallback.is_some()),
            ("pity", self.pity.is_some()),
            ("budget", self.budget != BudgetForm::default()),
            ("miss_slot", self.miss_slot.is_some()),
        ] {
            wrong.misplaced(field, given, NOT_FOR_SALES);
        }
        let Some(form) = &self.sale else {
            wrong.say("sale", FieldProblem::Missing);
            return Err(wrong.0);
        };
        let sale = form.read(self, &mut wrong);
        match sale {
            Some(sale) => {
                wrong.0.extend(sale.problems());
                wrong.or(sale)
            }
            None => Err(wrong.0),
        }
    }

    /// Said of whatever is no sale.
    pub(super) fn no_sale(&self, wrong: &mut Wrong) {
        wrong.misplaced("sale", self.sale.is_some(), SALE_ONLY);
    }
}

impl SaleForm {
    fn read(&self, activity: &ActivityForm, wrong: &mut Wrong) -> Option<SalePlan> {
        let item = self.item(wrong);
        let currency = Currency::parse(&self.currency);
        if currency.is_none() {
            wrong.say("sale.currency", FieldProblem::Malformed);
        }
        let (item, currency) = (item?, currency?);
        let name = self.name.as_deref().unwrap_or(activity.name.as_str()).trim().to_owned();
        // An item without a name of its own has the activity's, in both languages.
        let name_en =
            if self.name.is_none() && self.name_en.is_empty() { &activity.name_en } else { &self.name_en };
        Some(SalePlan {
            item,
            name,
            name_en: name_en.trim().to_owned(),
            details: self.details.trim().replace("\r\n", "\n"),
            details_en: self.details_en.trim().replace("\r\n", "\n"),
            pictures: self.pictures.iter().map(|picture| picture.trim().to_owned()).collect(),
            price: Price { minor: self.price_minor, currency },
            list_price_minor: self.list_price_minor,
            units: self.units,
            per_user: self.per_user,
            hold_ms: self.hold_s.saturating_mul(SECOND_MS),
            policy: self.policy,
            gate: GatePlan {
                captcha: self.gate.captcha,
                room: self.gate.room.map(|room| RoomPlan { per_second: room.per_second }),
            },
        })
    }

    fn item(&self, wrong: &mut Wrong) -> Option<ItemKind> {
        match (self.item, &self.pool) {
            (ItemForm::Parcel, None) => Some(ItemKind::Parcel),
            (ItemForm::Collectible, None) => Some(ItemKind::Collectible),
            (ItemForm::Parcel | ItemForm::Collectible, Some(_)) => {
                wrong.say("sale.pool", CODE_ONLY);
                None
            }
            (ItemForm::Code, None) => {
                wrong.say("sale.pool", FieldProblem::Missing);
                None
            }
            (ItemForm::Code, Some(pool)) => match pool.parse() {
                Ok(CodePoolId(pool)) => Some(ItemKind::Code { pool: CodePoolId(pool) }),
                Err(_) => {
                    wrong.say("sale.pool", FieldProblem::Malformed);
                    None
                }
            },
        }
    }
}

/// As it was read, every default filled in.
impl From<&SalePlan> for SaleForm {
    fn from(sale: &SalePlan) -> Self {
        let SalePlan {
            item,
            name,
            name_en,
            details,
            details_en,
            pictures,
            price,
            list_price_minor,
            units,
            per_user,
            hold_ms,
            policy,
            gate,
        } = sale;
        Self {
            item: match item {
                ItemKind::Parcel => ItemForm::Parcel,
                ItemKind::Code { .. } => ItemForm::Code,
                ItemKind::Collectible => ItemForm::Collectible,
            },
            pool: item.pool().map(|pool| pool.to_string()),
            name: Some(name.clone()),
            name_en: name_en.clone(),
            details: details.clone(),
            details_en: details_en.clone(),
            pictures: pictures.clone(),
            price_minor: price.minor,
            list_price_minor: *list_price_minor,
            currency: price.currency.to_string(),
            units: *units,
            per_user: *per_user,
            hold_s: hold_ms / SECOND_MS,
            policy: *policy,
            gate: GateForm {
                captcha: gate.captcha,
                room: gate.room.map(|room| RoomForm { per_second: room.per_second }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Lang;
    use domain::activity::{Plan, flaws};
    use domain::ids::ActivityId;
    use serde_json::{Value, json};

    use super::*;
    use crate::forms::form_field;

    fn small() -> Value {
        json!({ "name": "Noon", "from": 1_000, "until": 2_000, "kind": "sale",
            "sale": { "price_minor": 990, "currency": "CNY", "units": 5 } })
    }

    fn form(change: &Value) -> Result<ActivityForm, serde_json::Error> {
        let mut form = small();
        for (name, value) in change.as_object().unwrap() {
            match name.strip_prefix("sale.") {
                Some(name) => form["sale"][name] = value.clone(),
                None => form[name] = value.clone(),
            }
        }
        serde_json::from_value(form)
    }

    #[test]
    fn what_is_not_said_has_a_meaning() {
        let written = form(&json!({})).unwrap().read(ActivityId(7), 1).unwrap();
        assert_eq!(flaws(&written, form_field), []);
        let Plan::Sale(sale) = written.plan else { panic!("a sale") };
        assert_eq!((sale.item, sale.name.as_str(), sale.per_user), (ItemKind::Parcel, "Noon", 1));
        assert_eq!((sale.hold_ms, sale.policy), (HOLD_MS_DEFAULT, Policy::AtOrder));
        assert_eq!(sale.gate, GatePlan { captcha: false, room: None });
    }

    #[test]
    fn every_problem_names_its_field() {
        for (change, fields) in [
            (json!({}), &[][..]),
            (
                json!({ "sale.item": "code", "sale.pool": "5", "sale.gate": { "room": { "per_second": 9 } } }),
                &[],
            ),
            (json!({ "sale": null }), &["sale"]),
            (json!({ "sale.currency": "yuan" }), &["sale.currency"]),
            (json!({ "sale.item": "code" }), &["sale.pool"]),
            (json!({ "sale.item": "code", "sale.pool": "five" }), &["sale.pool"]),
            (json!({ "sale.pool": "5" }), &["sale.pool"]),
            (json!({ "sale.price_minor": 0, "sale.units": 0 }), &["sale.price_minor", "sale.units"]),
            (json!({ "sale.hold_s": 0 }), &["sale.hold_s"]),
            (json!({ "sale.hold_s": i64::MAX }), &["sale.hold_s"]),
            (json!({ "sale.pictures": ["javascript:alert(1)"] }), &["sale.pictures[0]"]),
            (json!({ "sale.name": " ", "name": "Noon" }), &["sale.name"]),
            (json!({ "entries": 5, "ten": true }), &["ten", "entries"]),
            (json!({ "prizes": [{ "name": "x", "units": 1 }] }), &["prizes"]),
            (
                json!({ "kind": "raffle", "draw_at": 3_000, "prizes": [{ "name": "x", "units": 1 }] }),
                &["sale"],
            ),
        ] {
            let wrong = form(&change).unwrap().read(ActivityId(7), 1).err().unwrap_or_default();
            let told: Vec<&str> = wrong.iter().filter_map(Rejection::field).collect();
            assert_eq!(told, fields, "{change}");
            assert!(wrong.iter().all(|one| one.text(Lang::En) != one.text(Lang::Zh)));
        }
        for change in
            [json!({ "sale.discount": 5 }), json!({ "sale.policy": "later" }), json!({ "sale.item": "love" })]
        {
            assert!(form(&change).is_err(), "{change}");
        }
    }
}
