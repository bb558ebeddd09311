//! A raffle's prizes, as a form writes them.

use domain::Rejection;
use domain::activity::RafflePrize;
use domain::lottery::strategy::PRIZE_NAME_MAX;
use domain::raffle::{PRIZES_MAX, WINNERS_MAX};
use domain::rejection::FieldProblem;

use super::form::{ActivityForm, BudgetForm};
use super::wrong::{INSTANT_ONLY, Wrong, range};

impl ActivityForm {
    /// A raffle's prizes have names and units; odds and the rules of draws are not for them.
    pub(super) fn raffle(&self) -> Result<Vec<RafflePrize>, Vec<Rejection>> {
        let mut wrong = Wrong::default();
        for (field, given) in [
            ("tiers", self.tiers.is_some()),
            ("consolation", self.consolation.is_some()),
            ("fallback", self.fallback.is_some()),
            ("pity", self.pity.is_some()),
            ("budget", self.budget != BudgetForm::default()),
            ("miss_slot", self.miss_slot.is_some()),
        ] {
            wrong.misplaced(field, given, INSTANT_ONLY);
        }
        let ids = self.ids(&mut wrong);
        if !(1..=PRIZES_MAX).contains(&ids.len()) {
            let max = PRIZES_MAX as u64;
            let problem = if ids.is_empty() {
                FieldProblem::TooShort { min: 1 }
            } else {
                FieldProblem::TooLong { max }
            };
            wrong.say("prizes", problem);
        }
        let mut prizes: Vec<RafflePrize> = Vec::with_capacity(ids.len());
        let mut left = WINNERS_MAX;
        for ((at, form), id) in self.prizes.iter().enumerate().zip(ids) {
            let field = |name: &str| format!("prizes[{at}].{name}");
            for (name, given) in [
                ("slot", form.slot.is_some()),
                ("odds", form.odds.is_some()),
                ("unlimited", form.unlimited),
                ("unlock", form.unlock.is_some()),
                ("win_cap", form.win_cap.is_some()),
                ("release", !form.release.is_empty()),
                ("hourly_cap", form.hourly_cap.is_some()),
                ("withdrawn_for", !form.withdrawn_for.is_empty()),
                ("cost_minor", form.cost_minor != 0),
            ] {
                wrong.misplaced(&field(name), given, INSTANT_ONLY);
            }
            let units = form.units.unwrap_or(0);
            if units == 0 || units > left {
                wrong.say(&field("units"), range(1, left));
            }
            left = left.saturating_sub(units);
            let name = form.name.trim();
            let fits = (1..=PRIZE_NAME_MAX).contains(&name.len());
            if !fits {
                wrong.say(&field("name"), FieldProblem::Malformed);
            }
            if let Some(id) = id
                && prizes.iter().any(|prize| prize.id == id)
            {
                wrong.say(&field("id"), FieldProblem::Duplicate);
            }
            prizes.extend(id.map(|id| RafflePrize {
                id,
                name: name.to_owned(),
                units: u32::try_from(units).unwrap_or(0),
            }));
        }
        wrong.or(prizes)
    }
}
