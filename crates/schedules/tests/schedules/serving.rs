//! Scenarios of the whole writer: callers ask and repeat, commits fail, the projection follows, and a close falls at
//! any moment. Complaints are gathered and raised when all threads have ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use domain::ledger::{Act, 
    Answer, Command, Key, Ledger, Limits, Line, Note, Owner, PoolId, PoolName, Quantity, Refusal, PoolRefusal, Text,
};
use domain::time::Timestamp;
use ledger::Clock;
use shuttle::future::block_on;
use shuttle::rand::Rng;
use shuttle::thread::{JoinHandle, spawn, yield_now};

use crate::disk::{Disk, MemoryLog};
use super::sync::{Condvar, time_stands_still, toss};
use super::writer::{LedgerWriter, NoAnswer, WriterSettings};
use crate::explore::reached;

const POOL: PoolId = PoolId(1);
const HOUR_MS: i64 = 3_600_000;
/// Questions of one [`Place::caller`].
const CALLER_ASKS: u32 = 5;

/// Nothing fails, time stands still: every question is answered by somebody's doing, or refused as closed, and what was
/// refused never happened.
pub fn everybody_hears_one_thing() {
    time_stands_still(true);
    let place = Arc::new(Place::start(10, u64::MAX));
    let callers: Vec<_> = (0..3).map(|caller| place.caller(caller)).collect();
    let closer = place.closer(3);
    join(callers);
    join([closer]);
    place.end();
}

/// Commits fail, loading fails, the projection follows, the close falls anywhere, the ledger slows down: whatever is
/// told as done is on the disk by then, and whatever was not taken in never happened.
pub fn what_is_told_is_on_disk() {
    time_stands_still(false);
    let place = Arc::new(Place::start(2, 5));
    place.disk.fail(3);
    let callers: Vec<_> = (0..3).map(|caller| place.caller(caller)).collect();
    let projector = {
        let place = Arc::clone(&place);
        spawn(move || {
            for answers in (0..3 * CALLER_ASKS).step_by(2) {
                place.wait_for(answers);
                place.writer.projected(place.writer.durable());
            }
        })
    };
    let closer = place.closer(3);
    join(callers);
    join([projector, closer]);
    place.end();
}

/// One caller, one unit. It hears "unknown" and asks under another id: "sold out" is true only if the first is there.
pub fn nobody_is_answered_from_memory_that_is_to_go() {
    time_stands_still(false);
    let place = Arc::new(Place::start(1, u64::MAX));
    place.disk.fail(1);
    if place.ask("first") == Err(NoAnswer::Unknown) {
        let second = place.ask("second");
        if let Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. }))) = second {
            // The unsynced one may be what is in the way; the next sync tells.
            place.writer.close();
            place.check(place.disk.has(&reserve("first")), "sold out, and nobody has it");
        }
    }
    place.writer.close();
    place.end();
}

/// A leader whose lease is over tells nothing, not even a "no": its successor may have decided otherwise.
pub fn nothing_is_told_after_the_lease() {
    time_stands_still(true);
    let place = Arc::new(Place::start(1, u64::MAX));
    let callers: Vec<_> = (0..2)
        .map(|caller| {
            let place = Arc::clone(&place);
            spawn(move || {
                for n in 0..3 {
                    let led = place.disk.is_led();
                    let answer = place.ask(&format!("{caller}/{n}"));
                    place.check(led || answer.is_err(), "told after the lease");
                    let led = place.disk.is_led();
                    let seen = block_on(place.writer.look(1, Ledger::seq));
                    place.check(led || seen.is_err(), "shown after the lease");
                }
            })
        })
        .collect();
    let ender = {
        let place = Arc::clone(&place);
        spawn(move || {
            let answers = shuttle::rand::thread_rng().gen_range(0..6);
            place.wait_for(answers);
            place.disk.end_lease();
        })
    };
    join(callers);
    join([ender]);
    place.writer.close();
    place.end();
}

/// A bounded number of failures, then none: whoever repeats is served, once, although time stands still.
pub fn it_goes_on_after_failures() {
    time_stands_still(true);
    let place = Arc::new(Place::start(2, u64::MAX));
    place.disk.fail(3);
    let callers: Vec<_> = (0..2)
        .map(|caller| {
            let place = Arc::clone(&place);
            spawn(move || {
                let id = format!("{caller}");
                loop {
                    match place.ask(&id) {
                        Ok(Answer::Accepted { .. } | Answer::Replayed(_)) => return,
                        Ok(Answer::Refused(_) | Answer::LookUp)
                        | Err(NoAnswer::Overloaded | NoAnswer::Closed) => {
                            return place.check(false, "there is one for each, and they are not served");
                        }
                        Err(NoAnswer::Unknown | NoAnswer::Unavailable) => yield_now(),
                    }
                }
            })
        })
        .collect();
    join(callers);
    place.writer.close();
    place.check(place.disk.synced().pool(POOL).unwrap().available == 0, "both are on the disk");
    place.end();
}

/// Nobody asks anything after the failure, and time stands still: the failure itself makes the ledger start over.
pub fn a_failure_is_over_without_a_request() {
    time_stands_still(true);
    let place = Arc::new(Place::start(1, u64::MAX));
    place.disk.fail(2);
    let _ = place.ask("first");
    while place.writer.trouble().is_some() {
        yield_now();
    }
    place.writer.close();
    place.end();
}

/// Nothing can be loaded any more, and the close comes: it ends all the same.
pub fn a_close_ends_a_ledger_that_cannot_start_over() {
    time_stands_still(false);
    let place = Arc::new(Place::start(1, u64::MAX));
    place.disk.fail(1);
    place.loads.store(false, Ordering::Relaxed);
    let _ = place.ask("first");
    let _ = place.ask("second");
    place.writer.close();
    place.check(place.ask("late") == Err(NoAnswer::Closed), "closed means closed");
    place.end();
}

struct Place {
    disk: Arc<Disk>,
    /// Whether a ledger can be loaded; after the first time it is a toss-up all the same.
    loads: Arc<AtomicBool>,
    writer: LedgerWriter,
    complaints: Mutex<Vec<String>>,
    answers: super::sync::Mutex<u32>,
    answered: Condvar,
}

impl Place {
    /// With one open pool, on a disk that is still well.
    fn start(total: u64, lag_max: u64) -> Self {
        let disk = Disk::insert();
        let settings = WriterSettings { queue_max: 8, journal_pages_max: 1, lag_max, clock_back_max_ms: i64::MAX };
        let loads = Arc::new(AtomicBool::new(true));
        let (source, started) = (Arc::clone(&loads), AtomicBool::new(false));
        let load = move || {
            let first = !started.swap(true, Ordering::Relaxed);
            let fine = first || (source.load(Ordering::Relaxed) && toss());
            if fine { Ok(Ledger::new(Limits::default())) } else { Err("not now".to_owned()) }
        };
        let writer =
            LedgerWriter::start(Arc::new(MemoryLog), settings, Arc::new(Still), Box::new(load)).unwrap();
        let (key, name) = (Key::of("pool", 0, "open"), PoolName::new("tea").unwrap());
        let open =
            Command::direct(key, Note::default(), Act::PoolOpen { pool: POOL, name, round: 1, total, owner_max: 0 });
        let opened = block_on(writer.ask(0, vec![open.into()]));
        let place = Self {
            disk,
            loads,
            writer,
            complaints: Mutex::default(),
            answers: super::sync::Mutex::new(0),
            answered: Condvar::new(),
        };
        place.check(
            matches!(opened.as_deref(), Ok([Answer::Accepted { .. }])),
            "a ledger that is well opens a pool",
        );
        place.check(place.disk.synced().pool(POOL).is_some(), "told, and not on the disk");
        place
    }

    /// One question; what is told is checked at the moment it is heard.
    fn ask(&self, id: &str) -> Result<Answer, NoAnswer> {
        self.say(&reserve(id))
    }

    fn say(&self, command: &Command) -> Result<Answer, NoAnswer> {
        let answer = block_on(self.writer.ask(1, vec![command.clone().into()])).map(|mut answers| answers.remove(0));
        heard(&answer);
        if let Ok(Answer::Accepted { .. } | Answer::Replayed(_)) = answer {
            self.check(self.disk.has(command), "told, and not on the disk");
        }
        *self.answers.lock().unwrap() += 1;
        self.answered.notify_all();
        answer
    }

    /// One look at a hold; what is seen is on the disk.
    fn look(&self, id: &str) {
        let key = hold(id);
        let seen = block_on(self.writer.look(1, move |ledger| ledger.hold(key).is_some()));
        self.check(seen != Ok(true) || self.disk.has(&reserve(id)), "seen, and not on the disk");
        reached(if seen.is_ok() { "seen" } else { "not seen" });
    }

    /// Reserves, repeats, looks, cancels and reserves again.
    fn caller(self: &Arc<Self>, caller: u32) -> JoinHandle<()> {
        let place = Arc::clone(self);
        spawn(move || {
            let id = format!("{caller}/kept");
            let never = place.ask(&id).is_err_and(not_taken_in) & place.ask(&id).is_err_and(not_taken_in);
            place.check(!never || !place.disk.has(&reserve(&id)), "not taken in, and yet it happened");
            place.look(&id);
            let id = format!("{caller}/cancelled");
            for command in [reserve(&id), cancel(&id), reserve(&id)] {
                let _ = place.say(&command);
            }
        })
    }

    /// Closes after any number of answers that so many callers hear. When it returns, everything has ended.
    fn closer(self: &Arc<Self>, callers: u32) -> JoinHandle<()> {
        let place = Arc::clone(self);
        spawn(move || {
            let answers = shuttle::rand::thread_rng().gen_range(0..=callers * CALLER_ASKS);
            place.wait_for(answers);
            place.writer.close();
            place.disk.close();
            let late = place.ask("late");
            place.check(matches!(late, Err(NoAnswer::Closed | NoAnswer::Overloaded)), "closed means closed");
        })
    }

    /// Waits until callers have heard so many answers.
    fn wait_for(&self, answers: u32) {
        let heard = self.answers.lock().unwrap();
        drop(self.answered.wait_while(heard, |heard| *heard < answers).unwrap());
    }

    fn check(&self, fine: bool, complaint: &str) {
        if !fine {
            self.complaints.lock().unwrap().push(complaint.to_owned());
        }
    }

    /// All threads have ended: what is on the disk adds up, and nobody complains.
    fn end(&self) {
        let ledger = self.disk.synced();
        ledger.assert_sound();
        self.check(self.disk.commits_after_close() == 0, "a commit after the close");
        self.check(self.writer.waiting() == 0, "somebody is still in the queue");
        let complaints = std::mem::take(&mut *self.complaints.lock().unwrap());
        assert!(complaints.is_empty(), "{complaints:?}");
    }
}

/// Counts what callers heard, over all schedules: a scenario in which nobody ever hears "unknown" proves little.
fn heard(answer: &Result<Answer, NoAnswer>) {
    let name = match answer {
        Ok(Answer::Accepted { .. }) => "accepted",
        Ok(Answer::Replayed(_)) => "replayed",
        Ok(Answer::Refused(_)) => "refused",
        Ok(Answer::LookUp) => "look up",
        Err(NoAnswer::Overloaded) => "overloaded",
        Err(NoAnswer::Unknown) => "unknown",
        Err(NoAnswer::Unavailable) => "unavailable",
        Err(NoAnswer::Closed) => "closed",
    };
    reached(name);
}

#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp(1)
    }
}

fn not_taken_in(why: NoAnswer) -> bool {
    match why {
        NoAnswer::Overloaded | NoAnswer::Unavailable | NoAnswer::Closed => true,
        NoAnswer::Unknown => false,
    }
}

fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        thread.join().unwrap();
    }
}

fn hold(id: &str) -> Key {
    Key::of("hold", 0, id)
}

fn cancel(id: &str) -> Command {
    Command::Cancel { hold: hold(id), id: Text::new(id).unwrap(), caller: 0 }
}

fn reserve(id: &str) -> Command {
    Command::Reserve {
        key: hold(id),
        id: Text::new(id).unwrap(),
        caller: 0,
        owner: Some(Owner::new(Text::new(id).unwrap())),
        lines: vec![Line { pool: POOL, quantity: Quantity::new(1).unwrap() }],
        ttl_ms: HOUR_MS,
        gates: Vec::new(),
    }
}
