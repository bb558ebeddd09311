//! From a form to what the domain knows, or everything that is wrong with it, field by field.
//!
//! Not asked here: whether the strategy can work ([`domain::activity::flaws`]), so that one can save what is half written; and
//! whether the tree exists.

use domain::Rejection;
use domain::activity::{ActivityDraft, ActivityKind, Chances, Content, KindSettings, Plan, Presentation};
use domain::ids::ActivityId;
use domain::lottery::strategy::{PRIZES_MAX, PrizeId};
use domain::rejection::FieldProblem;

use super::form::ActivityForm;
use super::wrong::{INSTANT_ONLY, RAFFLE_ONLY, Wrong, range};

impl ActivityForm {
    /// Everything at once, or everything that is wrong.
    pub fn read(&self, activity: ActivityId, version: u32) -> Result<Content, Vec<Rejection>> {
        let mut wrong = Wrong::default();
        let configuration = wrong.all(self.draft().and_then(|draft| draft.check()));
        if jiff::tz::TimeZone::get(&self.zone).is_err() && !wrong.has("zone") {
            wrong.say("zone", FieldProblem::ZONE);
        }
        let plan = wrong.all(self.plan(activity, version));
        let cards = match self.kind {
            ActivityKind::Instant | ActivityKind::Raffle => wrong.all(self.cards()),
            ActivityKind::Sale => Some(Vec::new()),
        };
        match (configuration, plan, cards) {
            (Some(configuration), Some(plan), Some(cards)) if wrong.0.is_empty() => {
                Ok(Content { configuration, plan, cards })
            }
            _ => Err(wrong.0),
        }
    }

    /// The activity's own fields.
    pub fn draft(&self) -> Result<ActivityDraft, Vec<Rejection>> {
        let mut wrong = Wrong::default();
        if self.kind != ActivityKind::Instant {
            wrong.misplaced("game", self.game.is_some(), INSTANT_ONLY);
        }
        let kind = match self.kind {
            ActivityKind::Instant => {
                self.no_sale(&mut wrong);
                wrong.misplaced("draw_at", self.draw_at.is_some(), RAFFLE_ONLY);
                wrong.misplaced("beacon", self.beacon.is_some(), RAFFLE_ONLY);
                KindSettings::Instant { ten: self.ten }
            }
            ActivityKind::Raffle => {
                self.no_sale(&mut wrong);
                wrong.misplaced("ten", self.ten, INSTANT_ONLY);
                if self.draw_at.is_none() {
                    wrong.say("draw_at", FieldProblem::Missing);
                }
                let draw_at = self.draw_at.unwrap_or(self.until).into();
                KindSettings::Raffle { draw_at, beacon: self.beacon.clone() }
            }
            ActivityKind::Sale => KindSettings::Sale,
        };
        let tree = self.tree.as_ref().map(|tree| tree.parse::<i64>());
        if matches!(tree, Some(Err(_))) {
            wrong.say("tree", FieldProblem::Malformed);
        }
        let chances = self.chances;
        wrong.or(ActivityDraft {
            name: self.name.clone(),
            description: self.description.clone(),
            from: self.from.into(),
            until: self.until.into(),
            zone: self.zone.clone(),
            kind,
            entries: self.entries,
            chances: Chances { total: chances.total, month: chances.month, day: chances.day },
            tree: tree.and_then(Result::ok),
            presentation: Presentation {
                name_en: self.name_en.clone(),
                description_en: self.description_en.clone(),
                organiser: self.organiser.clone(),
                organiser_en: self.organiser_en.clone(),
                rules: self.rules.clone(),
                rules_en: self.rules_en.clone(),
                contact: self.contact.clone(),
                game: self.game,
            },
        })
    }

    /// What can be won, with pools of the activity's own.
    pub fn plan(&self, activity: ActivityId, version: u32) -> Result<Plan, Vec<Rejection>> {
        match self.kind {
            ActivityKind::Instant => self.strategy(activity, version).map(Plan::Instant),
            ActivityKind::Raffle => self.raffle().map(Plan::Raffle),
            ActivityKind::Sale => self.sale().map(Plan::Sale),
        }
    }

    pub(super) fn ids(&self, wrong: &mut Wrong) -> Vec<Option<PrizeId>> {
        if self.prizes.len() > usize::from(PRIZES_MAX) {
            wrong.say("prizes", FieldProblem::TooLong { max: u64::from(PRIZES_MAX) });
            return Vec::new();
        }
        let each = self.prizes.iter().enumerate();
        each.map(|(at, form)| id(wrong, &format!("prizes[{at}].id"), form.id.unwrap_or(place(at)))).collect()
    }
}

pub(super) fn id(wrong: &mut Wrong, field: &str, id: u16) -> Option<PrizeId> {
    let known = PrizeId::new(id);
    if known.is_none() {
        wrong.say(field, range(0, u64::from(PRIZES_MAX) - 1));
    }
    known
}

pub(super) fn place(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}
