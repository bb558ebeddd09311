//! What is known of attempts in this process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::Rejection;
use domain::ids::{ActivityId, OrderId, UserId};
use domain::sale::AttemptState;
use domain::time::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::sales::attempts::buyers::Buyers;
use crate::sales::attempts::counters::{AttemptCounters, AttemptCounts};
use crate::sales::gate::Admitted;

/// Attempts that wait for a decision at once.
pub const QUEUED_MAX: usize = 100_000;
/// Attempts that are known at once, those with an answer among them.
const KEPT_MAX: usize = 1_000_000;
/// How long an answer is remembered.
const KEEP: Duration = Duration::from_secs(600);
const RETRY_AFTER_S: i64 = 1;

/// So many units of one sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptLine {
    pub sale: ActivityId,
    pub quantity: u32,
}

/// One attempt.
#[derive(Debug)]
pub struct Attempt {
    pub id: OrderId,
    pub user: UserId,
    /// The caller's own, which makes it safe to repeat.
    pub key: Option<String>,
    pub lines: Vec<AttemptLine>,
    state: watch::Sender<AttemptState>,
}

impl Attempt {
    pub fn new(id: OrderId, user: UserId, key: Option<String>, lines: Vec<AttemptLine>) -> Self {
        Self { id, user, key, lines, state: watch::channel(AttemptState::Queued).0 }
    }

    pub fn state(&self) -> AttemptState {
        self.state.borrow().clone()
    }

    pub fn follow(&self) -> watch::Receiver<AttemptState> {
        self.state.subscribe()
    }
}

/// An attempt and what is needed to decide it.
#[derive(Debug)]
pub(crate) struct Job {
    pub attempt: Arc<Attempt>,
    pub admitted: Vec<Admitted>,
}

/// What came of making one.
#[derive(Debug)]
pub enum AttemptStart {
    New(Arc<Attempt>),
    /// It was made before, under the same key.
    Again(Arc<Attempt>),
}

#[derive(Debug)]
pub struct Attempts {
    known: Mutex<Known>,
    keep: Duration,
    queue: mpsc::Sender<Job>,
    tally: AttemptCounters,
    /// Of the sales that are sold out.
    pub(crate) buyers: Buyers,
    /// Until somebody works on it.
    waiting: Mutex<Option<mpsc::Receiver<Job>>>,
}

#[derive(Debug, Default)]
struct Known {
    by_id: HashMap<OrderId, Arc<Attempt>>,
    by_key: HashMap<(UserId, String), OrderId>,
    under_way: HashMap<(UserId, ActivityId), OrderId>,
    /// Those with an answer, the oldest first.
    finished: VecDeque<(Instant, OrderId)>,
}

impl Default for Attempts {
    fn default() -> Self {
        Self::remembering(KEEP)
    }
}

impl Attempts {
    /// Remembers answers for so long.
    fn remembering(keep: Duration) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUED_MAX);
        Self {
            known: Mutex::default(),
            keep,
            queue,
            tally: AttemptCounters::default(),
            buyers: Buyers::default(),
            waiting: Mutex::new(Some(waiting)),
        }
    }

    /// What was made under somebody's key; with other lines it is a conflict.
    pub fn under(
        &self,
        user: UserId,
        key: Option<&str>,
        lines: &[AttemptLine],
    ) -> Result<Option<Arc<Attempt>>, Rejection> {
        let Some(key) = key else { return Ok(None) };
        self.lock().under(user, key, lines)
    }

    /// Whether somebody made an attempt under this key that is remembered.
    pub fn has_key(&self, user: UserId, key: &str) -> bool {
        self.lock().by_key.contains_key(&(user, key.to_owned()))
    }

    /// Makes one that waits. It is decided once it is [queued](Self::queue).
    pub fn begin(&self, attempt: Attempt) -> Result<AttemptStart, Rejection> {
        let mut known = self.lock();
        if let Some(key) = &attempt.key
            && let Some(before) = known.under(attempt.user, key, &attempt.lines)?
        {
            return Ok(AttemptStart::Again(before));
        }
        for line in &attempt.lines {
            if let Some(other) = known.under_way.get(&(attempt.user, line.sale)) {
                return Err(Rejection::AttemptUnderWay { attempt: other.to_string() });
            }
        }
        known.forget_old(self.keep);
        if known.by_id.len() >= KEPT_MAX || known.waiting() >= QUEUED_MAX {
            return Err(Rejection::TooBusy { retry_after_s: RETRY_AFTER_S });
        }
        let attempt = Arc::new(attempt);
        for line in &attempt.lines {
            known.under_way.insert((attempt.user, line.sale), attempt.id);
        }
        if let Some(key) = &attempt.key {
            known.by_key.insert((attempt.user, key.clone()), attempt.id);
        }
        known.by_id.insert(attempt.id, Arc::clone(&attempt));
        Ok(AttemptStart::New(attempt))
    }

    /// Hands one over for its decision.
    pub fn queue(&self, attempt: Arc<Attempt>, admitted: Vec<Admitted>) -> Result<(), Rejection> {
        let waiting = Arc::clone(&attempt);
        self.queue.try_send(Job { attempt, admitted }).map_err(|job| {
            self.withdraw(&job.into_inner().attempt);
            Rejection::TooBusy { retry_after_s: RETRY_AFTER_S }
        })?;
        waiting.lines.iter().for_each(|line| self.tally.came(line.sale));
        Ok(())
    }

    /// What came of the attempts at a sale since this process began.
    pub fn counts(&self, sale: ActivityId) -> AttemptCounts {
        self.tally.of(sale)
    }

    /// Forgets one that was begun and will not be queued: nobody has heard of it.
    pub fn withdraw(&self, attempt: &Attempt) {
        let mut known = self.lock();
        known.ends(attempt);
        known.forget(attempt);
    }

    pub fn find(&self, id: OrderId) -> Option<Arc<Attempt>> {
        self.lock().by_id.get(&id).cloned()
    }

    /// How many wait for a decision.
    pub fn waiting(&self) -> u64 {
        self.lock().waiting() as u64
    }

    /// The one answer. Answers whether it is: what comes after it changes nothing.
    pub(crate) fn finish(&self, attempt: &Attempt, answer: AttemptState, now: Timestamp) -> bool {
        let ordered = matches!(answer, AttemptState::Ordered(_));
        if ordered {
            attempt.lines.iter().for_each(|line| self.buyers.add(line.sale, attempt.user));
        }
        let mut known = self.lock();
        known.ends(attempt);
        known.finished.push_back((Instant::now(), attempt.id));
        known.forget_old(self.keep);
        drop(known);
        let told = attempt.state.send_if_modified(|state| {
            let first = !state.is_final();
            if first {
                *state = answer;
            }
            first
        });
        if told {
            attempt.lines.iter().for_each(|line| self.tally.decided(line.sale, ordered, now));
        }
        told
    }

    /// Once per process.
    pub(crate) fn take_queue(&self) -> Option<mpsc::Receiver<Job>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn waiting(&self) -> usize {
        self.by_id.len().saturating_sub(self.finished.len())
    }

    fn under(
        &self,
        user: UserId,
        key: &str,
        lines: &[AttemptLine],
    ) -> Result<Option<Arc<Attempt>>, Rejection> {
        let Some(before) = self.by_key.get(&(user, key.to_owned())).and_then(|id| self.by_id.get(id)) else {
            return Ok(None);
        };
        if before.lines != lines {
            return Err(Rejection::IdempotencyConflict);
        }
        Ok(Some(Arc::clone(before)))
    }

    fn ends(&mut self, attempt: &Attempt) {
        for line in &attempt.lines {
            self.under_way.remove(&(attempt.user, line.sale));
        }
    }

    fn forget(&mut self, attempt: &Attempt) {
        self.by_id.remove(&attempt.id);
        if let Some(key) = &attempt.key {
            self.by_key.remove(&(attempt.user, key.clone()));
        }
    }

    fn forget_old(&mut self, keep: Duration) {
        while let Some((since, id)) = self.finished.front().copied() {
            if since.elapsed() < keep {
                return;
            }
            self.finished.pop_front();
            if let Some(attempt) = self.by_id.get(&id).cloned() {
                self.forget(&attempt);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: UserId = UserId(1);
    const TEA: ActivityId = ActivityId(7);
    const CUP: ActivityId = ActivityId(8);
    const NOW: Timestamp = Timestamp(1_000_000);

    fn attempt(id: i64, user: UserId, key: &str, lines: &[(ActivityId, u32)]) -> Attempt {
        let lines =
            lines.iter().map(|(sale, quantity)| AttemptLine { sale: *sale, quantity: *quantity }).collect();
        let key = (!key.is_empty()).then(|| key.to_owned());
        Attempt::new(OrderId(id), user, key, lines)
    }

    fn told(begun: Result<AttemptStart, Rejection>) -> String {
        match begun {
            Ok(AttemptStart::New(attempt)) => format!("new {}", attempt.id),
            Ok(AttemptStart::Again(attempt)) => format!("again {}", attempt.id),
            Err(rejection) => rejection.code().to_owned(),
        }
    }

    /// One story: what is asked for, and what comes of it.
    #[test]
    fn one_under_way_for_each_user_and_sale_and_one_for_each_key() {
        let attempts = Attempts::default();
        for (id, user, key, lines, expected) in [
            (1, ANN, "a", vec![(TEA, 1)], "new 1"),
            (2, ANN, "a", vec![(TEA, 1)], "again 1"),
            (3, ANN, "a", vec![(TEA, 2)], "idempotency_conflict"),
            (4, ANN, "b", vec![(TEA, 1)], "attempt_under_way"),
            (5, ANN, "", vec![(TEA, 1)], "attempt_under_way"),
            (6, ANN, "c", vec![(CUP, 1), (TEA, 1)], "attempt_under_way"),
            (7, UserId(2), "a", vec![(TEA, 1)], "new 7"),
            (8, ANN, "", vec![(CUP, 1)], "new 8"),
        ] {
            assert_eq!(told(attempts.begin(attempt(id, user, key, &lines))), expected, "{id}");
        }
        assert_eq!(attempts.waiting(), 3);
        let first = attempts.find(OrderId(1)).unwrap();
        attempts.finish(&first, AttemptState::Refused(Rejection::AttemptLost), NOW);
        assert_eq!(attempts.waiting(), 2);
        assert_eq!(told(attempts.begin(attempt(9, ANN, "a", &[(TEA, 1)]))), "again 1", "the answer stays");
        assert_eq!(told(attempts.begin(attempt(10, ANN, "d", &[(TEA, 1)]))), "new 10");
    }

    #[test]
    fn an_answer_is_given_once() {
        let attempts = Attempts::default();
        let Ok(AttemptStart::New(made)) = attempts.begin(attempt(1, ANN, "", &[(TEA, 1)])) else {
            panic!("new")
        };
        let follower = made.follow();
        attempts.finish(&made, AttemptState::Ordered(OrderId(1)), NOW);
        attempts.finish(&made, AttemptState::Refused(Rejection::AttemptLost), NOW);
        assert_eq!(made.state(), AttemptState::Ordered(OrderId(1)));
        assert_eq!(*follower.borrow(), AttemptState::Ordered(OrderId(1)));
    }

    #[test]
    fn answers_are_forgotten_after_a_while_and_what_waits_is_not() {
        let attempts = Attempts::remembering(Duration::ZERO);
        for (id, user) in [(1, ANN), (2, UserId(2))] {
            assert_eq!(told(attempts.begin(attempt(id, user, "k", &[(TEA, 1)]))), format!("new {id}"));
        }
        let first = attempts.find(OrderId(1)).unwrap();
        attempts.finish(&first, AttemptState::Ordered(OrderId(1)), NOW);
        assert_eq!(told(attempts.begin(attempt(3, ANN, "k", &[(TEA, 1)]))), "new 3");
        assert!(attempts.find(OrderId(1)).is_none() && attempts.find(OrderId(2)).is_some());
        assert_eq!(attempts.waiting(), 2);
    }

    #[test]
    fn what_was_withdrawn_leaves_nothing_behind() {
        let attempts = Attempts::default();
        let Ok(AttemptStart::New(made)) = attempts.begin(attempt(1, ANN, "k", &[(TEA, 1)])) else {
            panic!("new")
        };
        attempts.withdraw(&made);
        assert_eq!((attempts.waiting(), attempts.find(OrderId(1)).is_none()), (0, true));
        assert_eq!(told(attempts.begin(attempt(2, ANN, "k", &[(TEA, 2)]))), "new 2");
    }
}
