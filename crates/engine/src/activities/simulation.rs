//! Running a simulation on all cores.
//!
//! Draws depend on each other through what they take, so they are decided one after the other, on one thread. Their luck
//! does not, and is most of the work: the other threads work it out in blocks, a little ahead, and the deciding thread
//! lends a hand when the next block is not there yet. The result does not depend on who did what.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use domain::activity::Window;
use domain::ledger::play::Day;
use domain::lottery::simulate::{Course, RecordSink, Simulation, SimulationReport};
use domain::time::Timestamp;
use jiff::tz::TimeZone;

/// Draws of one block: enough to make handing over cheap, few enough to stay in a core's own memory.
const BLOCK: u64 = 16_384;
/// Blocks that are worked out ahead at most, per thread.
const AHEAD: u64 = 4;

/// Carries a simulation out. `reached` hears how many draws are done, now and then, and says whether to go on; without
/// a report it was stopped.
pub fn simulate<K: RecordSink>(
    course: &Course,
    threads: NonZeroUsize,
    keep: &mut K,
    mut reached: impl FnMut(u64) -> bool,
) -> Option<SimulationReport> {
    let foresight = Foresight::new(course, threads);
    let mut simulation = Simulation::new(course);
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(|| foresight.help());
        }
        let mut goes_on = true;
        for block in 0..foresight.blocks {
            let words = foresight.block(block);
            simulation.follow(&words, keep);
            foresight.decided(block, words);
            goes_on = reached(foresight.range(block).end);
            if !goes_on {
                break;
            }
        }
        foresight.stop();
        goes_on
    })
    .then(|| simulation.report())
}

/// The luck of the blocks to come.
struct Foresight<'a> {
    course: &'a Course,
    blocks: u64,
    ahead: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The first block that nobody works on yet.
    next: u64,
    /// Blocks that are decided.
    decided: u64,
    ready: HashMap<u64, Vec<u64>>,
    /// Used before, to be filled again.
    spare: Vec<Vec<u64>>,
    stopped: bool,
}

impl<'a> Foresight<'a> {
    fn new(course: &'a Course, threads: NonZeroUsize) -> Self {
        let blocks = course.draws().div_ceil(BLOCK);
        let ahead = AHEAD * threads.get() as u64;
        Self { course, blocks, ahead, state: Mutex::default(), changed: Condvar::new() }
    }

    fn range(&self, block: u64) -> Range<u64> {
        block * BLOCK..((block + 1) * BLOCK).min(self.course.draws())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works out one block after the other until there are none left.
    fn help(&self) {
        loop {
            let mut state = self.lock();
            while !state.stopped && state.next < self.blocks && state.next >= state.decided + self.ahead {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.stopped || state.next >= self.blocks {
                return;
            }
            drop(self.work(state));
        }
    }

    /// Takes the next block up, works it out, and puts it with the others.
    fn work<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let block = state.next;
        state.next += 1;
        let mut words = state.spare.pop().unwrap_or_default();
        drop(state);
        self.course.words(self.range(block), &mut words);
        let mut state = self.lock();
        state.ready.insert(block, words);
        self.changed.notify_all();
        state
    }

    /// The luck of a block, for the deciding thread.
    fn block(&self, block: u64) -> Vec<u64> {
        let mut state = self.lock();
        loop {
            if let Some(words) = state.ready.remove(&block) {
                return words;
            }
            let room = state.next < self.blocks && state.next < block + self.ahead;
            state = if room {
                self.work(state)
            } else {
                self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    fn decided(&self, block: u64, words: Vec<u64>) {
        let mut state = self.lock();
        state.decided = block + 1;
        state.spare.push(words);
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// The days of a zone that a window touches, in order. Days begin when the zone's date changes, be they of 23 hours.
pub fn days(window: Window, zone: &TimeZone) -> Vec<Day> {
    let mut days = Vec::new();
    let mut at = window.from;
    loop {
        let day = day_of(at, zone);
        days.push(day);
        if day.until >= window.until || day.until <= at {
            return days;
        }
        at = day.until;
    }
}

/// The day of a zone that a moment lies in.
fn day_of(at: Timestamp, zone: &TimeZone) -> Day {
    let number = |at| u32::try_from(crate::world::day_number(at, zone)).unwrap_or(0);
    let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let date = moment.to_zoned(zone.clone()).date();
    let begins = |date: jiff::civil::Date| {
        let begins = date.to_zoned(zone.clone()).ok()?;
        Some(Timestamp(begins.timestamp().as_millisecond()))
    };
    let from = begins(date).unwrap_or(at);
    let until = date.tomorrow().ok().and_then(begins).unwrap_or(Timestamp(i64::MAX));
    Day { number: number(at), from, until }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_when_the_date_changes() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let moment = |text: &str| Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
        let window = Window { from: moment("2026-03-28T12:00:00Z"), until: moment("2026-03-30T12:00:00Z") };
        let days = days(window, &berlin);
        let told: Vec<_> =
            days.iter().map(|day| (day.number, (day.until.0 - day.from.0) / 3_600_000)).collect();
        assert_eq!(told, [(20_260_328, 24), (20_260_329, 23), (20_260_330, 24)]);
        assert!(days[0].contains(window.from));
        assert!(days.windows(2).all(|pair| pair[0].until == pair[1].from));
    }
}
