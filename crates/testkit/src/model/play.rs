//! The reference's activities: every chance is counted anew from the list of draws at every question.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{
    Account, ActivityState, ActivityView, GRANT_MAX, Play, PlayOutcome, Settlement, Terms,
};
use domain::ledger::{Effect, Key, PlayRefusal, Refusal};
use domain::lottery::random::ClientValue;
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;

use super::ledger::{Accepted, Model, Verdict};
use super::said::Said;
use super::tickets::Asked;

#[derive(Clone, Debug)]
pub(super) struct Activity {
    pub(super) state: ActivityState,
    pub(super) terms: Terms,
    /// Below zero: taken back.
    granted: Vec<(UserId, i64)>,
    /// Every draw that was paid for.
    pub(super) paid: Vec<Paid>,
    /// Of the version in place.
    pub(super) records: Vec<Settlement>,
    /// Values that players gave, once each.
    pub(super) clients: Vec<(UserId, ClientValue)>,
    /// Every time a prize was taken back or put out again.
    pub(super) withdrawn: Vec<(PrizeId, bool)>,
}

/// One draw or entry that was paid for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paid {
    pub(super) user: UserId,
    pub(super) day: u32,
    /// Whether with a granted chance.
    pub(super) bonus: bool,
    /// The number of the change that made the ticket, and when.
    pub(super) change: u64,
    pub(super) at: Timestamp,
    /// What came of it; nothing of an entry to a raffle.
    pub(super) came: Option<Came>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Came {
    pub(super) prize: Option<PrizeId>,
    pub(super) points: u64,
    pub(super) cost_minor: u64,
    /// Whether wins of the prize are counted per player.
    pub(super) capped: bool,
}

/// What was accepted, for telling a repetition from another command under the same id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlaySaid {
    Open { activity: ActivityId, round: u32, terms: Terms },
    Terms { activity: ActivityId, round: u32, terms: Terms },
    State { activity: ActivityId, state: ActivityState },
    Prize { activity: ActivityId, prize: PrizeId, withdrawn: bool },
    Halt { on: bool },
    Grant { activity: ActivityId, user: UserId, chances: u32 },
    Revoke { activity: ActivityId, user: UserId, chances: u32 },
}

impl Model {
    pub(super) fn play(&mut self, play: &Play) -> Verdict {
        match play {
            Play::ActivityOpen { key, activity, round, terms, note: _ } => {
                let said = PlaySaid::Open { activity: *activity, round: *round, terms: *terms };
                self.play_once(*key, said)
            }
            Play::ActivityTerms { key, activity, round, terms, note: _ } => {
                let said = PlaySaid::Terms { activity: *activity, round: *round, terms: *terms };
                self.play_once(*key, said)
            }
            Play::ActivityState { key, activity, state, note: _ } => {
                self.play_once(*key, PlaySaid::State { activity: *activity, state: *state })
            }
            Play::PrizeState { key, activity, prize, withdrawn, note: _ } => {
                let said = PlaySaid::Prize { activity: *activity, prize: *prize, withdrawn: *withdrawn };
                self.play_once(*key, said)
            }
            Play::Halt { key, on, note: _ } => self.play_once(*key, PlaySaid::Halt { on: *on }),
            Play::Grant { key, activity, user, chances, note: _ } => {
                self.play_once(*key, PlaySaid::Grant { activity: *activity, user: *user, chances: *chances })
            }
            Play::Revoke { key, activity, user, chances, note: _ } => {
                self.play_once(*key, PlaySaid::Revoke { activity: *activity, user: *user, chances: *chances })
            }
            Play::Enter { key, activity, round, user, entries, day } => {
                let asked = Asked::Enter { activity: *activity, user: *user, entries: *entries };
                self.enter(*key, asked, *round, *day)
            }
            Play::Draw(draw) => self.draw(draw),
        }
    }

    fn play_once(&mut self, key: Key, said: PlaySaid) -> Verdict {
        match self.accepted.get(&key) {
            Some(Accepted::Play(before)) if *before == said => {
                return Ok(Said::Replayed(Effect::Play(self.about(&said))));
            }
            Some(_) => return Err(Refusal::Conflict),
            None => {}
        }
        self.change(&said)?;
        self.count();
        self.finished.push((self.changes, key));
        let about = self.about(&said);
        self.accepted.insert(key, Accepted::Play(said));
        Ok(Said::Accepted(Effect::Play(about)))
    }

    fn change(&mut self, said: &PlaySaid) -> Result<(), Refusal> {
        match said {
            PlaySaid::Open { activity, round, terms } => {
                let rounds = self.activities.get(activity).map_or(0, Vec::len);
                let running = self.activity(*activity).is_some_and(|now| now.state != ActivityState::Closed);
                if running || *round as usize != rounds + 1 {
                    return Err(Refusal::Play(PlayRefusal::RoundStale {
                        activity: *activity,
                        round: *round,
                    }));
                }
                self.activities.entry(*activity).or_default().push(Activity::new(*terms));
            }
            PlaySaid::Terms { activity, round, terms } => {
                let rounds = self.activities.get(activity).map_or(0, Vec::len);
                let now = self.not_closed(*activity)?;
                if *round as usize != rounds {
                    return Err(Refusal::Play(PlayRefusal::RoundStale {
                        activity: *activity,
                        round: *round,
                    }));
                }
                if terms.version <= now.terms.version {
                    return Err(Refusal::Play(PlayRefusal::VersionStale {
                        activity: *activity,
                        version: now.terms.version,
                    }));
                }
                now.terms = *terms;
                now.records.clear();
            }
            PlaySaid::State { activity, state } => self.not_closed(*activity)?.state = *state,
            PlaySaid::Prize { activity, prize, withdrawn } => {
                self.not_closed(*activity)?.withdrawn.push((*prize, *withdrawn));
            }
            PlaySaid::Halt { on } => self.halted = *on,
            PlaySaid::Grant { activity, user, chances } => {
                self.not_closed(*activity)?;
                let round = self.round_of(*activity);
                let max = GRANT_MAX - self.account(*activity, round, *user).bonus;
                if *chances == 0 || *chances > max {
                    return Err(Refusal::Play(PlayRefusal::GrantOutOfRange { max }));
                }
                self.not_closed(*activity)?.granted.push((*user, i64::from(*chances)));
            }
            PlaySaid::Revoke { activity, user, chances } => {
                self.not_closed(*activity)?;
                let has = self.account(*activity, self.round_of(*activity), *user).bonus;
                if *chances == 0 || *chances > has {
                    return Err(Refusal::Play(PlayRefusal::RevokeOutOfRange { has }));
                }
                self.not_closed(*activity)?.granted.push((*user, -i64::from(*chances)));
            }
        }
        Ok(())
    }

    pub(super) fn activity(&self, activity: ActivityId) -> Option<&Activity> {
        self.activities.get(&activity).and_then(|rounds| rounds.last())
    }

    fn not_closed(&mut self, activity: ActivityId) -> Result<&mut Activity, Refusal> {
        let last = self.activities.get_mut(&activity).and_then(|rounds| rounds.last_mut());
        match last.ok_or(Refusal::Play(PlayRefusal::Unknown { activity }))? {
            Activity { state: ActivityState::Closed, .. } => {
                Err(Refusal::Play(PlayRefusal::Ended { activity }))
            }
            open => Ok(open),
        }
    }

    fn round_of(&self, activity: ActivityId) -> u32 {
        u32::try_from(self.activities.get(&activity).map_or(0, Vec::len)).expect("few rounds")
    }

    /// A player's chances in a round, counted from the beginning.
    pub(super) fn account(&self, activity: ActivityId, round: u32, user: UserId) -> Account {
        let Some(round) = self.activities.get(&activity).and_then(|rounds| rounds.get(round as usize - 1))
        else {
            return Account::default();
        };
        let granted: i64 =
            round.granted.iter().filter(|(who, _)| *who == user).map(|(_, chances)| chances).sum();
        let granted = u32::try_from(granted).expect("nothing is taken back that was not granted");
        let theirs: Vec<&Paid> = round.paid.iter().filter(|paid| paid.user == user).collect();
        let day = theirs.last().map_or(0, |paid| paid.day);
        let number = |which: &dyn Fn(&Paid) -> bool| {
            u32::try_from(theirs.iter().filter(|paid| which(paid)).count()).expect("few draws")
        };
        let came = theirs.iter().rev().filter_map(|paid| paid.came);
        let misses = came.take_while(|came| came.prize.is_none()).count();
        Account {
            bonus: granted - number(&|paid| paid.bonus),
            used: number(&|paid| !paid.bonus),
            month_used: number(&|paid| !paid.bonus && paid.day / 100 == day / 100),
            day_used: number(&|paid| !paid.bonus && paid.day == day),
            day,
            draws: number(&|_| true),
            day_draws: number(&|paid| paid.day == day),
            misses: u32::try_from(misses).expect("few draws"),
            won: number(&|paid| paid.came.is_some_and(|came| came.prize.is_some())),
        }
    }

    /// A player's chances in the current round as the ledger should know them, and which round that is.
    pub fn player(&self, activity: ActivityId, user: UserId) -> Option<(u32, Account)> {
        self.activities.get(&activity)?;
        let round = self.round_of(activity);
        Some((round, self.account(activity, round, user)))
    }

    /// Whether the switch is on that stops every activity.
    pub fn halted(&self) -> bool {
        self.halted
    }

    fn about(&self, said: &PlaySaid) -> PlayOutcome {
        match said {
            PlaySaid::Open { activity, .. }
            | PlaySaid::Terms { activity, .. }
            | PlaySaid::Prize { activity, .. }
            | PlaySaid::State { activity, .. } => {
                let now = self.activity(*activity).expect("it was changed once");
                let (activity, round) = (*activity, self.round_of(*activity));
                PlayOutcome::Activity(ActivityView { activity, round, state: now.state, terms: now.terms })
            }
            PlaySaid::Halt { .. } => PlayOutcome::Halt { on: self.halted },
            PlaySaid::Grant { activity, user, .. } | PlaySaid::Revoke { activity, user, .. } => {
                let (activity, user, round) = (*activity, *user, self.round_of(*activity));
                PlayOutcome::Chances { activity, round, user, account: self.account(activity, round, user) }
            }
        }
    }
}

impl Activity {
    fn new(terms: Terms) -> Self {
        Self {
            state: ActivityState::Open,
            terms,
            granted: Vec::new(),
            paid: Vec::new(),
            records: Vec::new(),
            clients: Vec::new(),
            withdrawn: Vec::new(),
        }
    }
}
