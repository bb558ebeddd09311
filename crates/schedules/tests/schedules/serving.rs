//! Scenarios of the whole writer: callers ask and repeat, commits fail, the projection follows, and a close falls at
//! any moment. Complaints are gathered and raised when all threads have ended.

use std::path::Path;
use std::sync::{Arc, Mutex};

use domain::ledger::{
    Answer, Command, Key, Ledger, Limits, Line, Note, Owner, PoolId, Quantity, Refusal, Text,
};
use domain::time::Timestamp;
use embedded::ledger::Ask;
use engine::ports::Clock;
use shuttle::future::block_on;
use shuttle::thread::{JoinHandle, spawn};

use super::journal::Disk;
use super::sync::{time_stands_still, toss};
use super::writer::{LedgerWriter, NoAnswer, WriterSettings};

pub const ALL: &[(&str, fn())] = &[
    ("everybody_hears_one_thing", everybody_hears_one_thing),
    ("what_is_told_is_on_disk", what_is_told_is_on_disk),
    (
        "nobody_is_answered_from_memory_that_is_to_go",
        nobody_is_answered_from_memory_that_is_to_go,
    ),
    ("it_goes_on_after_failures", it_goes_on_after_failures),
];

const POOL: PoolId = PoolId(1);
const HOUR_MS: i64 = 3_600_000;

/// Nothing fails, time stands still: every question is answered by somebody's doing, or refused as closed, and what was
/// refused never happened.
pub fn everybody_hears_one_thing() {
    time_stands_still(true);
    let place = Arc::new(Place::start(10, u64::MAX));
    let callers: Vec<_> = (0..3).map(|caller| place.caller(caller, 2)).collect();
    let closer = place.closer();
    join(callers);
    join([closer]);
    place.end();
}

/// Commits fail, loading fails, the projection follows, the close falls anywhere, the ledger slows down: whatever is
/// told as done is on the disk by then, and whatever was not taken in never happened.
pub fn what_is_told_is_on_disk() {
    time_stands_still(false);
    let place = Arc::new(Place::start(2, 4));
    place.disk.fail(3);
    let callers: Vec<_> = (0..3).map(|caller| place.caller(caller, 2)).collect();
    let projector = {
        let place = Arc::clone(&place);
        spawn(move || (0..3).for_each(|_| place.writer.projected(place.writer.durable())))
    };
    let closer = place.closer();
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
        if let Ok(Answer::Refused(Refusal::SoldOut { .. })) = second {
            // The unsynced one may be what is in the way; the next sync tells.
            place.writer.close();
            place.check(place.disk.has(hold("first")), "sold out, and nobody has it");
        }
    }
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
                        Err(NoAnswer::Unknown | NoAnswer::Unavailable) => shuttle::thread::yield_now(),
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

struct Place {
    disk: Arc<Disk>,
    writer: LedgerWriter,
    complaints: Mutex<Vec<String>>,
}

impl Place {
    /// With one open pool, on a disk that is still well.
    fn start(total: u64, lag_max: u64) -> Self {
        let disk = Disk::insert();
        let settings = WriterSettings { queue_max: 8, journal_pages_max: 1, lag_max: u64::MAX };
        let settings = WriterSettings { lag_max, ..settings };
        let first = Mutex::new(true);
        let load = move || {
            let first = std::mem::replace(&mut *first.lock().unwrap(), false);
            if first || toss() { Ok(Ledger::new(Limits::default())) } else { Err("not now".to_owned()) }
        };
        let writer =
            LedgerWriter::start(Path::new("memory"), settings, Arc::new(Still), Box::new(load)).unwrap();
        let key = Key::of("pool", 0, "open");
        let open =
            Command::PoolOpen { key, pool: POOL, round: 1, total, owner_max: 0, note: Note::default() };
        let opened = block_on(writer.ask(0, vec![open.into()]));
        let place = Self { disk, writer, complaints: Mutex::default() };
        place.check(
            matches!(opened.as_deref(), Ok([Answer::Accepted { .. }])),
            "a ledger that is well opens a pool",
        );
        place.check(place.disk.synced().pool(POOL).is_some(), "told, and not on the disk");
        place
    }

    /// One question; what is told is checked at the moment it is heard.
    fn ask(&self, id: &str) -> Result<Answer, NoAnswer> {
        let answer = block_on(self.writer.ask(1, vec![reserve(id)])).map(|mut answers| answers.remove(0));
        if let Ok(Answer::Accepted { .. } | Answer::Replayed(_)) = answer {
            self.check(self.disk.has(hold(id)), "told, and not on the disk");
        }
        answer
    }

    /// Asks so many things under ids of its own, and for the last one twice.
    fn caller(self: &Arc<Self>, caller: u32, asks: u32) -> JoinHandle<()> {
        let place = Arc::clone(self);
        spawn(move || {
            for n in 0..asks {
                let id = format!("{caller}/{n}");
                let mut never = place.ask(&id).is_err_and(not_taken_in);
                if n + 1 == asks {
                    never &= place.ask(&id).is_err_and(not_taken_in);
                }
                if never {
                    place.check(!place.disk.has(hold(&id)), "not taken in, and yet it happened");
                }
            }
        })
    }

    /// When it returns, everything has ended.
    fn closer(self: &Arc<Self>) -> JoinHandle<()> {
        let place = Arc::clone(self);
        spawn(move || {
            place.writer.close();
            place.disk.close();
            place.check(place.ask("late") == Err(NoAnswer::Closed), "closed means closed");
        })
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

fn reserve(id: &str) -> Ask {
    Command::Reserve {
        key: hold(id),
        id: Text::new(id).unwrap(),
        caller: 0,
        owner: Some(Owner::new(Text::new(id).unwrap())),
        lines: vec![Line { pool: POOL, quantity: Quantity::new(1).unwrap() }],
        ttl_ms: HOUR_MS,
    }
    .into()
}
