//! The bounded queue in front of the ledger, fair between lanes.
//!
//! Each lane (an activity, a sale, a caller's inventory) waits in a line of its own, and the decider takes from all
//! lines in turn: a crowd in one lane makes that lane slow, not the others. Both the whole and each lane have a limit;
//! beyond it the answer is "overloaded" at once, never a wait and never more memory.
//!
//! While a commit is under way nothing that is decided can leave, so the decider is not woken for a few: it sleeps until
//! [`ENOUGH`] wait or the commit is over. Waking a thread costs more than deciding a dozen requests.

use std::collections::{HashMap, VecDeque};
use std::sync::PoisonError;
use std::time::Duration;

use super::sync::{self, Condvar, Mutex, MutexGuard};

/// Whose turn it is: any number that tells lanes apart.
pub type QueueLane = i64;

/// Requests taken from one lane before the next lane has its turn.
pub const TURN: usize = 64;
/// So many requests are worth waking the decider for while a commit is under way: it decides them beside the commit
/// instead of after it.
pub const ENOUGH: usize = 64;

#[derive(Debug)]
pub struct Queue<T> {
    state: Mutex<State<T>>,
    filled: Condvar,
    ended: Condvar,
    /// Requests in all lanes together.
    max: usize,
}

#[derive(Debug)]
struct State<T> {
    lanes: HashMap<QueueLane, Line<T>>,
    /// Lanes with something in them, in the order of their turns.
    turns: VecDeque<QueueLane>,
    waiting: usize,
    closed: bool,
    /// Something besides requests wants the decider's attention.
    nudged: bool,
    /// The decider waits and nobody has woken it yet: waking is a system call, and one is enough.
    asleep: bool,
    /// A commit is under way.
    committing: bool,
}

#[derive(Debug)]
struct Line<T> {
    items: VecDeque<(usize, T)>,
    weight: usize,
}

/// Why something was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    Full,
    Closed,
}

/// What the decider woke up to.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken<T> {
    Some(Vec<T>),
    /// Nothing came within the time, or somebody nudged.
    Nothing,
    /// Closed, and everything that was in it has been taken.
    Over,
}

impl<T> Queue<T> {
    pub fn new(max: usize) -> Self {
        let state = State {
            lanes: HashMap::new(),
            turns: VecDeque::new(),
            waiting: 0,
            closed: false,
            nudged: false,
            asleep: false,
            committing: false,
        };
        Self { state: Mutex::new(state), filled: Condvar::new(), ended: Condvar::new(), max }
    }

    /// Takes in an item that stands for `weight` requests. A single lane may fill three quarters of the queue: the rest
    /// is for everybody else.
    pub fn push(&self, lane: QueueLane, weight: usize, item: T) -> Result<(), (NotTaken, T)> {
        let mut state = self.lock();
        if state.closed {
            return Err((NotTaken::Closed, item));
        }
        let in_lane = state.lanes.get(&lane).map_or(0, |line| line.weight);
        if state.waiting + weight > self.max || in_lane + weight > self.max / 4 * 3 {
            return Err((NotTaken::Full, item));
        }
        let line = state.lanes.entry(lane).or_insert_with(|| Line { items: VecDeque::new(), weight: 0 });
        let first = line.items.is_empty();
        line.items.push_back((weight, item));
        line.weight += weight;
        if first {
            state.turns.push_back(lane);
        }
        state.waiting += weight;
        self.wake(state);
        Ok(())
    }

    /// Waits until there is something worth waking up for, then takes up to about `limit` requests, lane by lane. When
    /// `patience` is over, whatever is there is worth it.
    pub fn take(&self, limit: usize, patience: Duration) -> Taken<T> {
        let mut state = self.lock();
        if state.may_sleep() {
            state = sync::wait(&self.filled, state, patience, |state| {
                state.asleep = state.may_sleep();
                state.asleep
            });
        }
        state.asleep = false;
        state.nudged = false;
        if state.waiting == 0 {
            return if state.closed { Taken::Over } else { Taken::Nothing };
        }
        Taken::Some(state.take(limit))
    }

    /// Takes nothing for a while, whatever comes; ends early only when the queue is closed.
    pub fn rest(&self, pause: Duration) {
        drop(sync::pause(&self.ended, self.lock(), pause, |state| !state.closed));
    }

    /// Says whether a commit is under way. Whoever gathered meanwhile is decided as soon as it is over.
    pub fn committing(&self, committing: bool) {
        let mut state = self.lock();
        state.committing = committing;
        self.wake(state);
    }

    /// Wakes the decider without a request.
    pub fn nudge(&self) {
        self.lock().nudged = true;
        self.filled.notify_one();
    }

    /// Nothing more is taken in; what is there will still be taken out. Answers whether it was open.
    pub fn close(&self) -> bool {
        let was_closed = std::mem::replace(&mut self.lock().closed, true);
        self.filled.notify_all();
        self.ended.notify_all();
        !was_closed
    }

    pub fn waiting(&self) -> usize {
        self.lock().waiting
    }

    /// Wakes the decider if it sleeps and no longer may.
    fn wake(&self, mut state: MutexGuard<'_, State<T>>) {
        if state.asleep && !state.may_sleep() {
            state.asleep = false;
            drop(state);
            self.filled.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn may_sleep(&self) -> bool {
        let few = self.waiting == 0 || (self.committing && self.waiting < ENOUGH);
        few && !self.closed && !self.nudged
    }

    fn take(&mut self, limit: usize) -> Vec<T> {
        let (mut items, mut taken) = (Vec::new(), 0);
        while taken < limit
            && let Some(lane) = self.turns.pop_front()
        {
            let mut turn = 0;
            let line = self.lanes.get_mut(&lane).expect("a lane with a turn exists");
            while turn < TURN
                && let Some((weight, item)) = line.items.pop_front()
            {
                items.push(item);
                turn += weight;
            }
            line.weight -= turn;
            if line.items.is_empty() {
                self.lanes.remove(&lane);
            } else {
                self.turns.push_back(lane);
            }
            taken += turn;
        }
        self.waiting -= taken;
        items
    }
}
