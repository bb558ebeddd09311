//! The ledger, a ledger that only folds, and the reference, side by side.

use std::collections::BTreeSet;
use std::fmt::Write;

use domain::ledger::wire::{BatchWriter, decode};
use domain::ledger::{Answer, Change, Command, Event, Ledger};
use domain::lottery::decide::{Cause, DrawReason};
use domain::lottery::record::Record;
use domain::time::Timestamp;
use windfall_testkit::model::play_step::{ACTIVITIES, activity_id, user_id};
use windfall_testkit::model::step::{HOLDS, OWNERS, POOLS, hold_key, pool_id};
use windfall_testkit::model::{LIMITS, Model, Rows, Said, Step};

pub struct Twin {
    ledger: Ledger,
    folded: Ledger,
    model: Model,
    clock: Timestamp,
    story: String,
    /// Every kind of answer there was.
    pub heard: BTreeSet<String>,
    /// Every way a draw came out.
    pub drawn: BTreeSet<String>,
}

impl Default for Twin {
    fn default() -> Self {
        Self {
            ledger: Ledger::new(LIMITS),
            folded: Ledger::new(LIMITS),
            model: Model::new(LIMITS),
            clock: Timestamp(0),
            story: String::new(),
            heard: BTreeSet::new(),
            drawn: BTreeSet::new(),
        }
    }
}

impl Twin {
    /// Runs all rows; the error tells the whole story.
    pub fn run(&mut self, rows: &Rows) -> Result<(), String> {
        for step in &rows.0 {
            let _ = write!(self.story, "\n    {step}");
            if let Err(why) = self.step(step).and_then(|()| self.compare()) {
                return Err(format!("{}\n{why}", self.story));
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Wait(ms) => self.clock = (self.clock + *ms).max(Timestamp(0)),
            Step::Forget { behind, limit } => {
                let projected = self.ledger.seq().saturating_sub(*behind);
                let (gone, expected) =
                    (self.ledger.forget(projected, *limit), self.model.forget(projected, *limit));
                same("records that left", &gone, &expected)?;
            }
            Step::Restart => {
                self.ledger = self.folded.clone();
                let began = self.ledger.begin_term(self.clock);
                self.fold(&began);
                self.model.restart(self.clock);
            }
            Step::PutBack => {
                if self.clock < self.ledger.now() {
                    let event = self.ledger.put_back(self.clock);
                    self.fold(&event);
                    self.model.put_back(self.clock);
                }
            }
            _ => {
                let command = step.command(self.clock).expect("everything else is a command");
                let said = self.ask(&command)?;
                let _ = write!(self.story, " -> {said}");
            }
        }
        Ok(())
    }

    fn ask(&mut self, command: &Command) -> Result<Said, String> {
        // Now and then as the driver does it: what is over ends before anything is told of it.
        if let Some(hold) = command.hold()
            && self.ledger.seq().is_multiple_of(2)
        {
            let ended = self.ledger.end_due(self.clock, hold);
            same("whether it ended", &ended.is_some(), &self.model.end_due(self.clock, hold))?;
            ended.iter().for_each(|event| self.fold(event));
        }
        let mut answer = self.ledger.apply(self.clock, command);
        if answer == Answer::LookUp {
            answer = match self.look_up(command)? {
                Some(said) => return Ok(said),
                None => self.ledger.apply_after_look_up(self.clock, command, Some(self.ledger.seq())),
            };
        } else if let Some(key) = command.key()
            && self.model.has_left(key)
        {
            return Err("an id that left memory was decided without asking the database".to_owned());
        }
        let said = Said::from(&answer);
        let expected = match command {
            Command::ExpireOne => self.model.expire(self.clock, expired(&answer))?,
            _ => self.model.apply(self.clock, command),
        };
        same("the answer", &said, &expected)?;
        if let Answer::Accepted { event, .. } = &answer {
            self.fold(event);
        }
        self.heard.insert(said.name());
        self.drew(&answer);
        Ok(said)
    }

    /// What a draw came to, and why.
    fn drew(&mut self, answer: &Answer) {
        let Answer::Accepted { event: Event { change: Change::Drawn(drawing), .. }, .. } = answer else {
            return;
        };
        let record = Record::decode(drawing.settlement.bytes()).unwrap();
        for draw in &record.draws {
            let won = if draw.drawn.prize.is_some() { "won" } else { "missed" };
            self.drawn.insert(match draw.drawn.why {
                DrawReason::Fallback(Cause::Excluded(hit)) => format!("{won} instead: {:?}", hit.reason),
                other => format!("{won}: {other:?}"),
            });
            self.drawn.extend(draw.news.iter().map(|told| format!("told: {:?}", told.reason)));
        }
    }

    /// The database is asked: what it knows is the answer; otherwise the ledger decides.
    fn look_up(&mut self, command: &Command) -> Result<Option<Said>, String> {
        let key = command.key().expect("only ids are looked up");
        self.heard.insert("look_up".to_owned());
        if !self.model.looks_left(key) {
            return Err("a fresh id was to be looked up".to_owned());
        }
        if !self.model.has_left(key) {
            self.heard.insert("taken by its twin".to_owned());
            return Ok(None);
        }
        // A database that was asked too early to have heard of it does not count.
        let again = self.ledger.apply_after_look_up(self.clock, command, Some(0));
        same("the answer after asking too early", &again, &Answer::LookUp)?;
        match self.model.apply(self.clock, command) {
            Said::Accepted(_) => Err("an id that left memory was not finished".to_owned()),
            said => Ok(Some(said)),
        }
    }

    /// By way of the journal's bytes.
    fn fold(&mut self, event: &Event) {
        let mut writer = BatchWriter::default();
        writer.push(event);
        let events = decode(&writer.finish()).unwrap();
        assert_eq!(events, std::slice::from_ref(event), "what is read is what was written");
        self.folded.fold(event);
    }

    fn compare(&self) -> Result<(), String> {
        self.ledger.assert_sound();
        self.folded.assert_sound();
        same("events", &self.ledger.seq(), &self.model.changes())?;
        for (at, name) in POOLS.iter().enumerate() {
            let expected = self.model.pool(pool_id(at));
            same(&format!("pool {name}"), &self.ledger.pool(pool_id(at)), &expected)?;
            same(&format!("pool {name}, folded"), &self.folded.pool(pool_id(at)), &expected)?;
        }
        for (at, name) in HOLDS.iter().enumerate() {
            let (key, expected) = (hold_key(at), self.model.hold(hold_key(at)));
            same(&format!("hold {name}, folded"), &self.folded.hold(key), &expected)?;
            let here = expected.filter(|_| !self.model.has_left(key));
            same(&format!("hold {name}"), &self.ledger.hold(key), &here)?;
        }
        for activity in (0..ACTIVITIES.len()).map(activity_id) {
            for user in (0..OWNERS.len()).map(user_id) {
                let expected = self.model.player(activity, user);
                same("a player", &self.ledger.player(activity, user), &expected)?;
                same("a player, folded", &self.folded.player(activity, user), &expected)?;
                let expected = self.model.player_state(activity, user);
                same("a player's state", &self.ledger.player_state(activity, user), &expected)?;
                same("a player's state, folded", &self.folded.player_state(activity, user), &expected)?;
            }
            let expected = self.model.round(activity);
            let come_to = |ledger: &Ledger| ledger.round(activity).map(|(_, come_to)| come_to);
            same("a round", &come_to(&self.ledger), &expected)?;
            same("a round, folded", &come_to(&self.folded), &expected)?;
        }
        same("the switch", &self.ledger.halted(), &self.model.halted())?;
        same("the switch, folded", &self.folded.halted(), &self.model.halted())?;
        same("the next expiry, folded", &self.folded.next_expiry(), &self.ledger.next_expiry())
    }
}

fn expired(answer: &Answer) -> Option<domain::ledger::Key> {
    match answer {
        Answer::Accepted { event: Event { change: Change::Expired { hold, .. }, .. }, .. } => Some(*hold),
        _ => None,
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: &T, expected: &T) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    Err(format!("{what}\n  the ledger:    {got:?}\n  the reference: {expected:?}"))
}
