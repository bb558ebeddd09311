//! From what the domain knows back to a form, every default filled in.
//!
//! Strategies come from forms, so slices lie in the order of the prizes, and the first table is everybody's who has
//! reached no tier. A strategy made otherwise is written as near to it as the form can say.

use domain::activity::{ActivityKind, Card, Chances, Configuration, KindSettings, Plan, RafflePrize};
use domain::fulfilment::Gift;
use domain::lottery::strategy::{Mode, PPM, Prize, PrizeId, PrizeStock, Strategy, Tiers, Unlock};

use super::form::{
    ActivityForm, BudgetForm, ChancesForm, FallbackForm, OddsForm, PityForm, PrizeForm, ReleaseForm,
    TierForm, TiersForm, UnlockForm,
};
use super::granting::{GrantForm, Span};

impl From<(&Configuration, &Plan, &[Card])> for ActivityForm {
    fn from((configuration, plan, cards): (&Configuration, &Plan, &[Card])) -> Self {
        let form = empty(configuration);
        match plan {
            Plan::Instant(strategy) => instant(form, strategy, cards),
            Plan::Raffle(prizes) => {
                let prizes = prizes.iter().map(|prize| raffled(prize, cards)).collect();
                Self { prizes, ..form }
            }
            Plan::Sale(sale) => Self { sale: Some(sale.into()), ..form },
        }
    }
}

fn empty(configuration: &Configuration) -> ActivityForm {
    let (kind, ten, draw_at, beacon) = match configuration.kind() {
        KindSettings::Instant { ten } => (ActivityKind::Instant, *ten, None, None),
        KindSettings::Raffle { draw_at, beacon } => {
            (ActivityKind::Raffle, false, Some(*draw_at), beacon.clone())
        }
        KindSettings::Sale => (ActivityKind::Sale, false, None, None),
    };
    let Chances { total, month, day } = configuration.chances();
    let texts = configuration.presentation().clone();
    ActivityForm {
        name: configuration.name().to_owned(),
        name_en: texts.name_en,
        description: configuration.description().to_owned(),
        description_en: texts.description_en,
        organiser: texts.organiser,
        organiser_en: texts.organiser_en,
        rules: texts.rules,
        rules_en: texts.rules_en,
        contact: texts.contact,
        from: configuration.window().from.into(),
        until: configuration.window().until.into(),
        zone: configuration.zone().to_owned(),
        kind,
        game: texts.game,
        ten,
        draw_at: draw_at.map(Into::into),
        beacon,
        entries: configuration.entries(),
        chances: ChancesForm { total, month, day },
        tree: configuration.tree().map(|tree| tree.to_string()),
        whole: PPM,
        mode: Mode::Fixed,
        prizes: Vec::new(),
        sale: None,
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: BudgetForm::default(),
        miss_slot: None,
    }
}

fn instant(form: ActivityForm, strategy: &Strategy, cards: &[Card]) -> ActivityForm {
    ActivityForm {
        whole: strategy.whole,
        mode: strategy.mode,
        prizes: strategy.prizes.iter().map(|prize| drawn(strategy, prize, cards)).collect(),
        tiers: strategy.tiers.as_ref().map(|tiers| tiered(strategy, tiers)),
        consolation: strategy.consolation.map(PrizeId::number),
        fallback: strategy.fallback.map(|fallback| FallbackForm {
            prize: fallback.prize.number(),
            amount_min: fallback.amount_min,
            amount_max: fallback.amount_max,
            budget_amount: fallback.budget_amount,
        }),
        pity: strategy.pity.map(|pity| PityForm { prize: pity.prize.number(), misses: pity.misses }),
        budget: BudgetForm { total_minor: strategy.budget.total_minor, day_minor: strategy.budget.day_minor },
        miss_slot: Some(strategy.miss_slot.0),
        ..form
    }
}

fn drawn(strategy: &Strategy, prize: &Prize, cards: &[Card]) -> PrizeForm {
    let mut slices = strategy.tables.first().into_iter().flat_map(|table| &table.slices);
    let (units, unlimited) = match prize.stock {
        PrizeStock::Unlimited => (None, true),
        PrizeStock::Pool { units, .. } => (Some(units), false),
    };
    let release = prize.release.iter().map(|step| ReleaseForm { at: step.at.into(), units: step.units });
    PrizeForm {
        slot: Some(prize.slot.0),
        odds: slices.find(|slice| slice.prize == prize.id).map(|slice| slice.odds),
        units,
        unlimited,
        cost_minor: prize.cost_minor,
        unlock: prize.unlock.map(unlock),
        win_cap: prize.win_cap,
        release: release.collect(),
        hourly_cap: prize.hourly_cap,
        withdrawn_for: prize.withdrawn_for.clone(),
        ..shown(prize.id, &prize.name, cards)
    }
}

fn raffled(prize: &RafflePrize, cards: &[Card]) -> PrizeForm {
    PrizeForm { units: Some(u64::from(prize.units)), ..shown(prize.id, &prize.name, cards) }
}

/// What people see of it; a prize without a card is a text.
fn shown(id: PrizeId, name: &str, cards: &[Card]) -> PrizeForm {
    let card = cards.iter().find(|card| card.prize == id);
    let gift = card.map_or(Gift::TEXT, |card| card.gift);
    PrizeForm {
        id: Some(id.number()),
        name: name.to_owned(),
        name_en: card.map(|card| card.name_en.clone()).unwrap_or_default(),
        slot: None,
        odds: None,
        units: None,
        unlimited: false,
        cost_minor: 0,
        kind: gift.kind(),
        amount: gift.amount(),
        details: card.map(|card| card.details.clone()).unwrap_or_default(),
        details_en: card.map(|card| card.details_en.clone()).unwrap_or_default(),
        picture: card.map(|card| card.picture.clone()).unwrap_or_default(),
        grant: GrantForm(card.map(|card| card.grant).unwrap_or_default()),
        claim_within: card.and_then(|card| card.claim_within_ms).map(Span),
        pool: card.and_then(|card| card.pool).map(|pool| pool.to_string()),
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    }
}

fn unlock(unlock: Unlock) -> UnlockForm {
    UnlockForm { draws: unlock.draws, scope: unlock.scope, current_counts: unlock.current_counts }
}

fn tiered(strategy: &Strategy, tiers: &Tiers) -> TiersForm {
    let odds = |table: u8| {
        let slices = strategy.tables.get(usize::from(table)).into_iter().flat_map(|table| &table.slices);
        slices.map(|slice| OddsForm { prize: slice.prize.number(), odds: slice.odds }).collect()
    };
    let steps = tiers.steps.iter().skip(1).map(|tier| TierForm { from: tier.from, odds: odds(tier.table) });
    TiersForm { by: tiers.by, steps: steps.collect() }
}
