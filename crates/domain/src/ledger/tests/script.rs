//! A small language for rows, so that a table reads as the specification.
//!
//! ```text
//! at 500                              the clock says 500 (it may also say less than before)
//! open p 10 [max 2] [round 2] [#k]    -> open | a refusal's name
//! adjust p -3 [#k]                    -> open
//! limit p 2, freeze p, thaw p, close p
//! reserve h p:2,q:1 [by ann] [ttl 900] [when a/1/1] -> held   (while the activity is in that round and version)
//! confirm h [p:1]                     -> confirmed
//! cancel h                            -> cancelled
//! extend h 2000                       -> held
//! expire                              -> expired
//! end h                               -> expired | as it was   (before anything is told of it)
//! put back                            the clock was ahead and is right now
//! forget                              -> how many records left memory
//! restart                             a ledger that has only folded what was decided goes on in its place
//! pool p                              -> total=available+held+taken
//! ```
//! What is said about activities and tickets is in `play_script.rs`. A row that answers what was answered before ends in `again`. After every row the whole state is checked, and at the
//! end the journal is encoded, decoded and folded into a second ledger that must be the same.

use std::collections::HashMap;

use super::play_script;
use crate::ledger::play::Taking;
use crate::ledger::wire::{BatchWriter, decode};
use crate::ledger::*;
use crate::time::Timestamp;

const CALLER: i64 = 1;
const LIMITS: Limits =
    Limits { lines_max: 4, ttl_min_ms: 10, ttl_max_ms: 1_000, life_max_ms: 5_000, tombstones_max: 2 };

pub struct Script {
    pub ledger: Ledger,
    clock: Timestamp,
    events: Vec<Event>,
    pools: HashMap<String, PoolId>,
    unique: u32,
}

/// Runs a table and compares each row.
pub fn check(rows: &str) {
    let mut script = Script {
        ledger: Ledger::new(LIMITS),
        clock: Timestamp(0),
        events: Vec::new(),
        pools: HashMap::new(),
        unique: 0,
    };
    for (number, row) in rows.lines().enumerate() {
        let row = row.split("//").next().unwrap_or("").trim();
        if row.is_empty() {
            continue;
        }
        let (command, expected) =
            row.split_once("->").map_or((row, ""), |(command, expected)| (command, expected.trim()));
        let got = script.run(command.trim());
        assert_eq!(got, expected, "row {}: {row}", number + 1);
        script.ledger.assert_sound();
    }
    script.refold();
}

impl Script {
    fn run(&mut self, row: &str) -> String {
        let words: Vec<&str> = row.split_whitespace().collect();
        match words.as_slice() {
            ["at", clock] => {
                self.clock = Timestamp(clock.parse().unwrap());
                String::new()
            }
            ["restart"] => {
                self.ledger = self.refold();
                String::new()
            }
            ["put", "back"] => {
                let event = self.ledger.put_back(self.clock);
                self.events.push(event);
                String::new()
            }
            ["lapse", name] => match self.ledger.end_due(self.clock, hold(name)) {
                Some(event) => {
                    self.events.push(event);
                    "expired".to_owned()
                }
                None => "as it was".to_owned(),
            },
            ["forget"] => self.ledger.forget(self.ledger.seq(), usize::MAX).to_string(),
            ["pool", name] => {
                let pool = self.pool(name);
                let view = self.ledger.pool(pool).unwrap();
                format!("{}={}+{}+{}", view.total, view.available, view.held, view.taken)
            }
            ["player", activity, user] => play_script::player(&self.ledger, activity, user),
            _ => {
                let command = self.command(&words);
                let answer = self.ledger.apply(self.clock, &command);
                self.word(answer)
            }
        }
    }

    fn word(&mut self, answer: Answer) -> String {
        let outcome = |outcome: Effect| match outcome {
            Effect::Pool(view) => format!("{:?}", view.state).to_lowercase(),
            Effect::Hold(view) => format!("{:?}", view.state).to_lowercase(),
            Effect::Play(came) => play_script::word(&came),
        };
        match answer {
            Answer::Accepted { event, outcome: came } => {
                self.events.push(event);
                outcome(came)
            }
            Answer::Replayed(came) => format!("{} again", outcome(came)),
            Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { left, .. })) => {
                format!("sold_out {left} left")
            }
            Answer::Refused(Refusal::Pool(PoolRefusal::LimitReached { has, .. })) => {
                format!("limit_reached has {has}")
            }
            Answer::Refused(Refusal::Play(PlayRefusal::ChancesSpent { left, scope, .. })) => {
                format!("chances_spent {left} left ({scope:?})").to_lowercase()
            }
            Answer::Refused(refusal) => refusal.name().to_owned(),
            Answer::LookUp => "look_up".to_owned(),
        }
    }

    fn command(&mut self, words: &[&str]) -> Command {
        let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
        let number = |word: &str, default: i64| after(word).map_or(default, |text| text.parse().unwrap());
        let note = Note::default();
        let key = self.key(words);
        match words[0] {
            "open" => Command::direct(
                key,
                note,
                Act::PoolOpen {
                    pool: self.pool(words[1]),
                    name: PoolName::new(words[1]).unwrap(),
                    round: u32::try_from(number("round", 1)).unwrap(),
                    total: words[2].parse().unwrap(),
                    owner_max: u32::try_from(number("max", 0)).unwrap(),
                },
            ),
            "adjust" => Command::direct(
                key,
                note,
                Act::PoolAdjust { pool: self.pool(words[1]), delta: words[2].parse().unwrap() },
            ),
            "limit" => Command::direct(
                key,
                note,
                Act::PoolLimit { pool: self.pool(words[1]), owner_max: words[2].parse().unwrap() },
            ),
            "freeze" => self.state(key, words, PoolState::Frozen),
            "thaw" => self.state(key, words, PoolState::Open),
            "close" => self.state(key, words, PoolState::Closed),
            "reserve" => Command::Reserve {
                key: hold(words[1]),
                id: Text::new(words[1]).unwrap(),
                caller: CALLER,
                owner: after("by").map(|owner| Owner::new(Text::new(owner).unwrap())),
                lines: self.lines(words[2]),
                ttl_ms: number("ttl", 100),
                gates: after("when").map(play_script::gates).unwrap_or_default(),
            },
            "confirm" => {
                let take = words.get(2).map_or(Take::All, |lines| Take::Part(self.lines(lines)));
                Command::Confirm { hold: hold(words[1]), take }
            }
            "cancel" => {
                Command::Cancel { hold: hold(words[1]), id: Text::new(words[1]).unwrap(), caller: CALLER }
            }
            "extend" => Command::Extend { hold: hold(words[1]), until: Timestamp(words[2].parse().unwrap()) },
            "expire" => Command::ExpireOne,
            _ => play_script::command(self, words, key),
        }
    }

    fn state(&mut self, key: Key, words: &[&str], state: PoolState) -> Command {
        Command::direct(key, Note::default(), Act::PoolState { pool: self.pool(words[1]), state })
    }

    /// `#k` names the command; without it each one is new.
    fn key(&mut self, words: &[&str]) -> Key {
        self.unique += 1;
        match words.iter().find(|word| word.starts_with('#')) {
            Some(name) => Key::of("pool", CALLER, name),
            None => Key::of("pool", CALLER, &format!("unnamed {}", self.unique)),
        }
    }

    pub fn pool(&mut self, name: &str) -> PoolId {
        let next = PoolId(i64::try_from(self.pools.len()).unwrap() + 1);
        *self.pools.entry(name.to_owned()).or_insert(next)
    }

    pub fn lines(&mut self, text: &str) -> Vec<Line> {
        let mut line = |part: &str| {
            let (pool, units) = part.split_once(':').unwrap();
            Line { pool: self.pool(pool), quantity: Quantity::new(units.parse().unwrap()).unwrap() }
        };
        text.split(',').filter(|part| *part != "-").map(&mut line).collect()
    }

    /// A second ledger that only folds is the same ledger.
    fn refold(&self) -> Ledger {
        let mut writer = BatchWriter::default();
        self.events.iter().for_each(|event| writer.push(event));
        let mut second = Ledger::new(LIMITS);
        for event in decode(&writer.finish()).unwrap() {
            second.fold(&event);
        }
        second.assert_sound();
        for pool in self.pools.values() {
            assert_eq!(second.pool(*pool), self.ledger.pool(*pool));
        }
        for event in &self.events {
            if let Some(Taking { activity, user, .. }) = taking(&event.change) {
                assert_eq!(second.player_state(activity, user), self.ledger.player_state(activity, user));
                assert_eq!(second.round(activity), self.ledger.round(activity));
            }
            if let Change::Reserved { key, .. } = event.change
                && let Some(view) = self.ledger.hold(key)
            {
                assert_eq!(second.hold(key), Some(view));
            }
        }
        second
    }
}

fn taking(change: &Change) -> Option<Taking> {
    match change {
        Change::Entered(taking) => Some(*taking),
        Change::Drawn(drawing) => Some(drawing.taking),
        _ => None,
    }
}

fn hold(name: &str) -> Key {
    Key::of("hold", CALLER, name)
}
