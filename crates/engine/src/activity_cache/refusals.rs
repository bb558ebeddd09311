//! What players and buyers were refused for, by activity, since this process began.
//!
//! A "no" is written nowhere, so nobody could count it later: it is counted here, for those who watch an activity, and gone
//! with the process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Rejection;
use domain::ids::ActivityId;

use crate::failure::Failure;

/// Activities that are counted at once; beyond it the one that refused nobody for the longest goes.
const ACTIVITIES_MAX: usize = 1_000;

/// How often it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalCount {
    /// The stable code of the rejection.
    pub code: &'static str,
    pub count: u64,
}

#[derive(Debug, Default)]
pub struct RefusalCounters(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Goes up with every refusal.
    turn: u64,
    activities: HashMap<ActivityId, Refused>,
}

#[derive(Debug, Default)]
struct Refused {
    last: u64,
    counts: Vec<RefusalCount>,
}

impl RefusalCounters {
    /// Counts a "no". Whatever names no activity, or is a fault, is nobody's refusal.
    pub fn watch<T>(&self, activity: ActivityId, answer: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(Failure::Rejected(rejection)) = &answer {
            self.count(activity, rejection);
        }
        answer
    }

    pub fn count(&self, activity: ActivityId, rejection: &Rejection) {
        if !matches!(rejection, Rejection::NotFound { .. }) {
            self.add(activity, rejection.code());
        }
    }

    fn add(&self, activity: ActivityId, code: &'static str) {
        let mut kept = self.lock();
        kept.turn += 1;
        let turn = kept.turn;
        if kept.activities.len() >= ACTIVITIES_MAX && !kept.activities.contains_key(&activity) {
            let oldest = kept.activities.iter().min_by_key(|(_, refused)| refused.last).map(|(id, _)| *id);
            oldest.map(|oldest| kept.activities.remove(&oldest));
        }
        let refused = kept.activities.entry(activity).or_default();
        refused.last = turn;
        match refused.counts.iter_mut().find(|known| known.code == code) {
            Some(known) => known.count += 1,
            None => refused.counts.push(RefusalCount { code, count: 1 }),
        }
    }

    /// Most often said first.
    pub fn of(&self, activity: ActivityId) -> Vec<RefusalCount> {
        let mut counts =
            self.lock().activities.get(&activity).map_or_else(Vec::new, |one| one.counts.clone());
        counts.sort_by_key(|one| (std::cmp::Reverse(one.count), one.code));
        counts
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use domain::rejection::MissingThing;

    use super::*;

    const WHEEL: ActivityId = ActivityId(7);

    #[test]
    fn refusals_are_counted_by_cause() {
        let counters = RefusalCounters::default();
        for rejection in [
            Rejection::ChancesSpent { left: 0 },
            Rejection::Paused,
            Rejection::ChancesSpent { left: 2 },
            Rejection::NotFound { what: MissingThing::Activity },
        ] {
            let answer = counters.watch::<()>(WHEEL, Err(rejection.clone().into()));
            assert!(matches!(answer, Err(Failure::Rejected(same)) if same == rejection), "the answer stays");
        }
        assert!(counters.watch(WHEEL, Ok(())).is_ok());
        let told: Vec<_> = counters.of(WHEEL).into_iter().map(|one| (one.code, one.count)).collect();
        assert_eq!(told, [("chances_spent", 2), ("paused", 1)]);
        assert_eq!(counters.of(ActivityId(8)), []);
    }

    #[test]
    fn the_activity_that_refused_nobody_for_the_longest_goes() {
        let counters = RefusalCounters::default();
        for id in 0..2_000 {
            counters.count(ActivityId(id), &Rejection::Paused);
            counters.count(WHEEL, &Rejection::Ended);
        }
        assert_eq!(counters.lock().activities.len(), ACTIVITIES_MAX);
        assert_eq!(counters.of(WHEEL)[0].count, 2_000, "refused all the time");
        assert_eq!(counters.of(ActivityId(0)), []);
    }
}
