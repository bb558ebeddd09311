//! The running ledger says what the reference model says, through threads, disk and restarts.
//!
//! After each restart nothing is loaded: the journal is the whole truth. Expiry comes by itself; before anything is
//! asked, everything that is due has been swept, so that each answer has one right value.

use std::fmt::Write;
use std::sync::Arc;

use domain::ledger::{Answer, Change, Command, Event, HoldState, Key, Ledger, Limits, Take};
use domain::time::Timestamp;
use ledger::log::LogReader;
use ledger::{Ask, LedgerWriter};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};
use testkit::model::step::{HOLDS, POOLS, hold_key, pool_id};
use testkit::model::{LIMITS, Model, Rows, Said, Shape, Step, rows};
use tokio::runtime::{Builder, Runtime};

use crate::place::Place;
use crate::support::{HandClock, eventually, reply};

const SHAPE: Shape = Shape { rows_max: 60, expire: false, play: true, put_back: false };
/// When an id leaves memory is up to the decider; how many tombstones it counts must not hang on it.
const ROOMY: Limits = Limits { tombstones_max: u32::MAX, ..LIMITS };

fn config() -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40);
    Config { cases, failure_persistence: None, max_shrink_iters: 500, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_running_ledger_says_what_the_reference_says(rows in rows(SHAPE)) {
        Pair::new().run(&rows).map_err(TestCaseError::fail)?;
    }
}

struct Pair {
    place: Place,
    runtime: Runtime,
    clock: Arc<HandClock>,
    writer: Option<LedgerWriter>,
    journal: Box<dyn LogReader>,
    /// Folds what the journal says.
    follower: Ledger,
    model: Model,
    /// The database is said to be here.
    projected: u64,
    story: String,
}

impl Pair {
    fn new() -> Self {
        let (place, clock) = (Place::new(), Arc::new(HandClock::default()));
        let writer = place.start_at(&clock, ROOMY);
        let mut model = Model::new(ROOMY);
        model.restart(Timestamp(0));
        let journal = place.log().reader().unwrap();
        let runtime = Builder::new_current_thread().build().unwrap();
        let (follower, story) = (Ledger::new(ROOMY), String::new());
        Self { place, runtime, clock, writer: Some(writer), journal, follower, model, projected: 0, story }
    }

    /// Commands that follow each other go in one request.
    fn run(&mut self, rows: &Rows) -> Result<(), String> {
        let mut chunk = Vec::new();
        for step in &rows.0 {
            if let Some(command) = step.command(self.clock.get()) {
                let _ = write!(self.story, "\n    {step}");
                chunk.push(command);
                continue;
            }
            self.ask(&std::mem::take(&mut chunk))?;
            let _ = write!(self.story, "\n    {step}");
            self.step(step);
        }
        self.ask(&chunk)
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Wait(ms) => self.clock.set((self.clock.get() + *ms).max(Timestamp(0))),
            Step::Forget { behind, limit: _ } => {
                let position = self.follower.seq().saturating_sub(*behind);
                self.projected = self.projected.max(position);
                self.writer.as_ref().unwrap().projected(position);
                self.model.forget(self.projected, usize::MAX);
            }
            Step::Restart => {
                self.writer = None;
                self.writer = Some(self.place.start_at(&self.clock, ROOMY));
                self.model.restart(self.clock.get());
                self.projected = 0;
            }
            _ => unreachable!("everything else is a command"),
        }
    }

    fn ask(&mut self, commands: &[Command]) -> Result<(), String> {
        self.sweep()?;
        let asks = commands.iter().cloned().map(Ask::from).collect();
        let answers = self.request(asks)?;
        let mut twins = Vec::new();
        for (command, answer) in commands.iter().zip(&answers) {
            let key = command.key().expect("expiry comes by itself");
            if *answer == Answer::LookUp && !self.model.has_left(key) {
                if !self.model.looks_left(key) {
                    return Err(format!("{}\n{command:?}: a fresh id was to be looked up", self.story));
                }
                twins.push(command);
                continue;
            }
            self.judge(command, answer)?;
        }
        for command in twins {
            let ask = Ask { command: command.clone(), absent_at: Some(self.projected) };
            let answer = self.request(vec![ask])?.remove(0);
            self.judge(command, &answer)?;
        }
        self.sweep()?;
        self.compare()
    }

    fn request(&self, asks: Vec<Ask>) -> Result<Vec<Answer>, String> {
        let writer = self.writer.as_ref().unwrap();
        self.runtime.block_on(reply(writer, asks)).map_err(|no| format!("{}\nno answer: {no:?}", self.story))
    }

    fn judge(&mut self, command: &Command, answer: &Answer) -> Result<(), String> {
        if let Some(hold) = command.hold() {
            self.model.end_due(self.clock.get(), hold);
        }
        let (said, expected) = (Said::from(answer), self.model.apply(self.clock.get(), command));
        // The database has it: what it says is what the reference says.
        let looked_up = said == Said::LookUp && !matches!(expected, Said::Accepted(_));
        if said == expected || looked_up {
            return Ok(());
        }
        Err(format!("{}\n{command:?}\n  the ledger:    {said}\n  the reference: {expected}", self.story))
    }

    /// Waits until the journal has everything that must be there, and what is due has been swept.
    fn sweep(&mut self) -> Result<(), String> {
        // A question about nothing, so that the ledger has looked at the clock before it moves again.
        let nothing = Command::Confirm { hold: Key(0), take: Take::All };
        self.request(vec![nothing.into()])?;
        self.model.wait(self.clock.get());
        let story = self.story.clone();
        eventually(&story, || {
            let news = self.journal.read_after(self.follower.seq(), usize::MAX).unwrap();
            for event in news {
                if let Err(why) = self.follow(&event) {
                    return Some(Err(format!("{}\n{why}", self.story)));
                }
            }
            let swept = self.follower.next_expiry().is_none_or(|at| at > self.model.now());
            (swept && self.follower.seq() == self.model.changes()).then_some(Ok(()))
        })
    }

    fn follow(&mut self, event: &Event) -> Result<(), String> {
        self.follower.fold(event);
        match event.change {
            // Told in an answer before it was read here.
            Change::Expired { hold, .. }
                if self.model.hold(hold).is_some_and(|view| view.state == HoldState::Expired) =>
            {
                Ok(())
            }
            Change::Expired { hold, .. } => self.model.expire(self.clock.get(), Some(hold)).map(drop),
            _ => Ok(()),
        }
    }

    fn compare(&self) -> Result<(), String> {
        self.follower.assert_sound();
        let pools = (0..POOLS.len()).map(pool_id);
        let wrong_pool = pools.into_iter().find(|pool| self.follower.pool(*pool) != self.model.pool(*pool));
        let holds = (0..HOLDS.len()).map(hold_key);
        let wrong_hold = holds.into_iter().find(|key| self.follower.hold(*key) != self.model.hold(*key));
        if wrong_pool.is_none() && wrong_hold.is_none() {
            return Ok(());
        }
        Err(format!("{}\nthe journal says otherwise: {wrong_pool:?} {wrong_hold:?}", self.story))
    }
}
