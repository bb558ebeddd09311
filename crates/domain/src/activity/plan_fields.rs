//! A plan's fields in words, for the diff between two versions.
//!
//! Taken apart whole, so that a new field of a strategy cannot be forgotten. The strategy's version and the ids of its
//! pools are left out: they follow from where the plan stands.

use super::plan::{Card, Plan, RafflePrize};
use super::presentation::filled;
use crate::lottery::strategy::{
    Budget, Fallback, OddsSlice, OddsTable, Pity, Prize, PrizeStock, Strategy, Tiers, Unlock,
};
use crate::sale::{GatePlan, SalePlan};

pub(super) type Field = (String, Option<String>);

pub(super) fn fields(plan: &Plan, cards: &[Card]) -> Vec<Field> {
    let mut fields = match plan {
        Plan::Instant(strategy) => strategy_fields(strategy),
        Plan::Raffle(prizes) => raffle_fields(prizes),
        Plan::Sale(sale) => sale_fields(sale),
    };
    for card in cards {
        let Card { prize, gift, name_en, details, details_en, picture, grant, claim_within_ms, pool } = card;
        let field = |name: &str| format!("prizes.{}.{name}", prize.number());
        fields.push((field("kind"), Some(gift.kind().name().to_owned())));
        fields.push((field("amount"), gift.amount().map(|amount| amount.to_string())));
        fields.push((field("name_en"), filled(name_en)));
        fields.push((field("details"), Some(details.clone())));
        fields.push((field("details_en"), filled(details_en)));
        fields.push((field("picture"), Some(picture.clone())));
        let grant = grant.at().map_or_else(|| grant.name().to_owned(), |at| at.0.to_string());
        fields.push((field("grant"), Some(grant)));
        fields.push((field("claim_within_ms"), to_text(*claim_within_ms)));
        fields.push((field("pool"), to_text(*pool)));
    }
    fields.push(("cards".to_owned(), list(cards.iter().map(|card| card.prize.number()))));
    fields
}

fn raffle_fields(prizes: &[RafflePrize]) -> Vec<Field> {
    let mut fields = vec![("prizes".to_owned(), list(prizes.iter().map(|prize| prize.id.number())))];
    for RafflePrize { id, name, units } in prizes {
        fields.push((format!("prizes.{}.name", id.number()), Some(name.clone())));
        fields.push((format!("prizes.{}.units", id.number()), Some(units.to_string())));
    }
    fields
}

fn sale_fields(sale: &SalePlan) -> Vec<Field> {
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
    let GatePlan { captcha, room } = gate;
    let fields = [
        ("item", Some(item.name().to_owned())),
        ("pool", to_text(item.pool())),
        ("name", Some(name.clone())),
        ("name_en", filled(name_en)),
        ("details", Some(details.clone())),
        ("details_en", filled(details_en)),
        ("pictures", list(pictures.iter())),
        ("price_minor", Some(price.minor.to_string())),
        ("list_price_minor", to_text(*list_price_minor)),
        ("currency", Some(price.currency.to_string())),
        ("units", Some(units.to_string())),
        ("per_user", Some(per_user.to_string())),
        ("hold_ms", Some(hold_ms.to_string())),
        ("policy", Some(policy.name().to_owned())),
        ("gate.captcha", Some(captcha.to_string())),
        ("gate.room.per_second", room.map(|room| room.per_second.to_string())),
    ];
    fields.into_iter().map(|(name, value)| (format!("sale.{name}"), value)).collect()
}

fn strategy_fields(strategy: &Strategy) -> Vec<Field> {
    let Strategy {
        version: _,
        whole,
        mode,
        prizes,
        tables,
        miss_slot,
        tiers,
        consolation,
        fallback,
        pity,
        budget: Budget { total_minor, day_minor },
    } = strategy;
    let mut fields = vec![
        ("whole".to_owned(), Some(whole.to_string())),
        ("mode".to_owned(), Some(mode.name().to_owned())),
        ("miss_slot".to_owned(), Some(miss_slot.0.to_string())),
        ("prizes".to_owned(), list(prizes.iter().map(|prize| prize.id.number()))),
    ];
    prizes.iter().for_each(|prize| prize_fields(prize, &mut fields));
    for (at, table) in tables.iter().enumerate() {
        table_fields(at, table, &mut fields);
    }
    tier_fields(tiers.as_ref(), &mut fields);
    let prize = consolation.map(|prize| prize.number().to_string());
    fields.push(("consolation".to_owned(), prize));
    fallback_fields(fallback.as_ref(), &mut fields);
    pity_fields(pity.as_ref(), &mut fields);
    fields.push(("budget.total_minor".to_owned(), to_text(*total_minor)));
    fields.push(("budget.day_minor".to_owned(), to_text(*day_minor)));
    fields
}

fn prize_fields(prize: &Prize, fields: &mut Vec<Field>) {
    let Prize { id, name, slot, stock, cost_minor, unlock, win_cap, release, hourly_cap, withdrawn_for } =
        prize;
    let mut field = |name: &str, value| fields.push((format!("prizes.{}.{name}", id.number()), value));
    field("name", Some(name.clone()));
    field("slot", Some(slot.0.to_string()));
    field(
        "units",
        match stock {
            PrizeStock::Unlimited => None,
            PrizeStock::Pool { pool: _, units } => Some(units.to_string()),
        },
    );
    field("cost_minor", Some(cost_minor.to_string()));
    let (draws, scope, counts) = match unlock {
        None => (None, None, None),
        Some(Unlock { draws, scope, current_counts }) => {
            (Some(draws), Some(scope.name()), Some(current_counts))
        }
    };
    field("unlock.draws", to_text(draws));
    field("unlock.scope", to_text(scope));
    field("unlock.current_counts", to_text(counts));
    field("win_cap", to_text(*win_cap));
    field("release", list(release.iter().map(|step| format!("{} from {}", step.units, step.at.rfc3339()))));
    field("hourly_cap", to_text(*hourly_cap));
    field("withdrawn_for", list(withdrawn_for.iter()));
}

/// Everybody's table needs no name; the others go by their place, from 1.
fn table_fields(at: usize, OddsTable { slices }: &OddsTable, fields: &mut Vec<Field>) {
    let before = if at == 0 { String::new() } else { format!("tables.{at}.") };
    for OddsSlice { prize, odds } in slices {
        fields.push((format!("{before}prizes.{}.odds", prize.number()), Some(odds.to_string())));
    }
    fields.push((format!("{before}slices"), list(slices.iter().map(|slice| slice.prize.number()))));
}

fn tier_fields(tiers: Option<&Tiers>, fields: &mut Vec<Field>) {
    let by = tiers.map(|tiers| tiers.by.name());
    let steps = tiers.map(|tiers| tiers.steps.as_slice()).unwrap_or_default();
    fields.push(("tiers.by".to_owned(), to_text(by)));
    fields.push(("tiers".to_owned(), list(steps.iter().map(|step| format!("{}:{}", step.from, step.table)))));
}

fn fallback_fields(fallback: Option<&Fallback>, fields: &mut Vec<Field>) {
    let Some(Fallback { prize, amount_min, amount_max, budget_amount }) = fallback else { return };
    let mut field = |name: &str, value: String| fields.push((format!("fallback.{name}"), Some(value)));
    field("prize", prize.number().to_string());
    field("amount_min", amount_min.to_string());
    field("amount_max", amount_max.to_string());
    field("budget_amount", budget_amount.to_string());
}

fn pity_fields(pity: Option<&Pity>, fields: &mut Vec<Field>) {
    let Some(Pity { prize, misses }) = pity else { return };
    fields.push(("pity.prize".to_owned(), Some(prize.number().to_string())));
    fields.push(("pity.misses".to_owned(), Some(misses.to_string())));
}

fn to_text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// In order, or nothing if there is none.
fn list(values: impl Iterator<Item = impl ToString>) -> Option<String> {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}
