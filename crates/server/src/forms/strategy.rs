//! The strategy that a form writes, with pools of the activity's own.

use std::collections::BTreeSet;

use domain::Rejection;
use domain::activity::PoolUse;
use domain::ids::ActivityId;
use domain::lottery::strategy::{
    Budget, Fallback, OddsSlice, OddsTable, Pity, Prize, PrizeId, PrizeStock, Release, SlotIndex, Strategy,
    TABLES_MAX, Tier, Tiers, Unlock,
};
use domain::rejection::FieldProblem;

use super::form::{ActivityForm, OddsForm, PrizeForm, TiersForm};
use super::read::{id, place};
use super::wrong::{ONE_OR_OTHER, Wrong};

/// Steps of tiers; the prizes' own odds are a table too.
pub const TIERS_MAX: usize = TABLES_MAX - 1;

impl ActivityForm {
    pub(super) fn strategy(&self, activity: ActivityId, version: u32) -> Result<Strategy, Vec<Rejection>> {
        let mut wrong = Wrong::default();
        let ids = self.ids(&mut wrong);
        let mut prizes = Vec::with_capacity(self.prizes.len());
        let mut main = Vec::new();
        for ((at, form), id) in self.prizes.iter().enumerate().zip(&ids) {
            let Some(id) = *id else { continue };
            let stock = match (form.units, form.unlimited) {
                (Some(units), false) => {
                    PrizeStock::Pool { pool: PoolUse::Prize(id).pool_name(activity).pool(), units }
                }
                (None, true) => PrizeStock::Unlimited,
                (Some(_), true) => {
                    wrong.say(&format!("prizes[{at}].units"), ONE_OR_OTHER);
                    continue;
                }
                (None, false) => {
                    wrong.say(&format!("prizes[{at}].units"), FieldProblem::Missing);
                    continue;
                }
            };
            main.extend(form.odds.map(|odds| OddsSlice { prize: id, odds }));
            prizes.push(prize(form, id, SlotIndex(form.slot.unwrap_or(place(at))), stock));
        }
        let mut tables = vec![OddsTable { slices: main }];
        let tiers = self.tiers.as_ref().map(|tiers| steps(&mut wrong, tiers, &mut tables));
        let mut named = |field: &str, prize: u16| id(&mut wrong, field, prize);
        let consolation = self.consolation.and_then(|prize| named("consolation", prize));
        let fallback = self.fallback.and_then(|form| {
            Some(Fallback {
                prize: named("fallback.prize", form.prize)?,
                amount_min: form.amount_min,
                amount_max: form.amount_max,
                budget_amount: form.budget_amount,
            })
        });
        let pity = self
            .pity
            .and_then(|form| Some(Pity { prize: named("pity.prize", form.prize)?, misses: form.misses }));
        let free =
            || (0..=u16::MAX).map(SlotIndex).find(|slot| prizes.iter().all(|prize| prize.slot != *slot));
        let miss_slot = self.miss_slot.map(SlotIndex).or_else(free).unwrap_or(SlotIndex(u16::MAX));
        let mode = self.mode;
        let budget = Budget { total_minor: self.budget.total_minor, day_minor: self.budget.day_minor };
        let whole = self.whole;
        wrong.or(Strategy {
            version,
            whole,
            mode,
            prizes,
            tables,
            miss_slot,
            tiers,
            consolation,
            fallback,
            pity,
            budget,
        })
    }
}

fn prize(form: &PrizeForm, id: PrizeId, slot: SlotIndex, stock: PrizeStock) -> Prize {
    let unlock = form.unlock.map(|unlock| Unlock {
        draws: unlock.draws,
        scope: unlock.scope,
        current_counts: unlock.current_counts,
    });
    let release = form.release.iter().map(|step| Release { at: step.at.into(), units: step.units });
    Prize {
        id,
        name: form.name.trim().to_owned(),
        slot,
        stock,
        cost_minor: form.cost_minor,
        unlock,
        win_cap: form.win_cap,
        release: release.collect(),
        hourly_cap: form.hourly_cap,
        withdrawn_for: labels(&form.withdrawn_for),
    }
}

/// In order, each once, without the spaces around it: whether they can be labels is the strategy's check.
fn labels(form: &[String]) -> Vec<String> {
    let labels: BTreeSet<&str> = form.iter().map(|label| label.trim()).collect();
    labels.into_iter().map(str::to_owned).collect()
}

/// The prizes' own odds are the first table, for everybody who has reached no step.
fn steps(wrong: &mut Wrong, form: &TiersForm, tables: &mut Vec<OddsTable>) -> Tiers {
    let mut steps = vec![Tier { from: 0, table: 0 }];
    if form.steps.len() > TIERS_MAX {
        wrong.say("tiers.steps", FieldProblem::TooLong { max: TIERS_MAX as u64 });
        return Tiers { by: form.by, steps };
    }
    for (at, (table, step)) in (1..).zip(&form.steps).enumerate() {
        steps.push(Tier { from: step.from, table });
        let each = step.odds.iter().enumerate();
        let slice = |(index, slice): (usize, &OddsForm)| {
            let field = format!("tiers.steps[{at}].odds[{index}].prize");
            Some(OddsSlice { prize: id(wrong, &field, slice.prize)?, odds: slice.odds })
        };
        tables.push(OddsTable { slices: each.filter_map(slice).collect() });
    }
    Tiers { by: form.by, steps }
}
