//! Tables of rows against the real thing: threads, journal, restarts.
//!
//! ```text
//! at 500                               the clock says 500 (it may also say less than before)
//! open p 10 [max 2] [round 2] [#k]     -> open | a refusal's name
//! adjust p -3 [#k], limit p 2, freeze p, thaw p, close p
//! reserve h p:2,q:1 [by ann] [ttl 900] -> held
//! confirm h [p:1], cancel h, extend h 2000
//! pool p                               -> total=available+held+taken, as the journal on disk says
//! swept p                              -> the same, once what is due has been swept
//! restart                              stops and starts again, with nothing but the journal
//! left h                               everything has been projected, and the hold has left memory
//! ```
//! A row that answers what was answered before ends in `again`.

use std::collections::HashMap;
use std::sync::Arc;

use domain::ledger::{
    Act, Answer, Command, Key, Limits, Line, Note, Owner, PoolId, PoolName, PoolState, Quantity, Take, Text,
};
use domain::time::Timestamp;
use ledger::LedgerWriter;
use testkit::model::Said;
use tokio::runtime::{Builder, Runtime};

use crate::place::Place;
use crate::support::{HandClock, ask, eventually};

pub struct Table {
    place: Place,
    writer: Option<LedgerWriter>,
    runtime: Runtime,
    clock: Arc<HandClock>,
    limits: Limits,
    pools: HashMap<String, PoolId>,
    unique: u32,
}

/// Runs a table and compares each row.
pub fn check(rows: &str) {
    Table::new().check(rows);
}

impl Table {
    pub fn new() -> Self {
        let (place, clock) = (Place::new(), Arc::new(HandClock::default()));
        let limits = Limits { ttl_min_ms: 10, ..Limits::default() };
        let writer = Some(place.start_at(&clock, limits));
        let runtime = Builder::new_current_thread().build().unwrap();
        Self { place, writer, runtime, clock, limits, pools: HashMap::new(), unique: 0 }
    }

    pub fn check(&mut self, rows: &str) {
        for (number, row) in rows.lines().enumerate() {
            let row = row.split("//").next().unwrap_or("").trim();
            if row.is_empty() {
                continue;
            }
            let (command, expected) =
                row.split_once("->").map_or((row, ""), |(command, expected)| (command, expected.trim()));
            let got = self.run(command.trim(), expected);
            assert_eq!(got, expected, "row {}: {row}", number + 1);
        }
    }

    fn run(&mut self, row: &str, expected: &str) -> String {
        let words: Vec<&str> = row.split_whitespace().collect();
        match words.as_slice() {
            ["at", clock] => self.clock.set(Timestamp(clock.parse().unwrap())),
            ["restart"] => {
                self.writer = None;
                self.writer = Some(self.place.start_at(&self.clock, self.limits));
            }
            ["left", hold] => {
                let command = Command::Confirm { hold: key("hold", hold), take: Take::All };
                eventually(row, || {
                    let writer = self.writer.as_ref().unwrap();
                    writer.projected(writer.durable());
                    (self.ask(&command) == Answer::LookUp).then_some(())
                });
            }
            ["pool", name] => return self.counters(name),
            ["swept", name] => {
                return eventually(row, || Some(self.counters(name)).filter(|now| now == expected));
            }
            _ => {
                let command = self.command(&words);
                return Said::from(&self.ask(&command)).name();
            }
        }
        String::new()
    }

    fn ask(&self, command: &Command) -> Answer {
        self.runtime.block_on(ask(self.writer.as_ref().unwrap(), command.clone().into())).unwrap()
    }

    fn counters(&mut self, name: &str) -> String {
        let pool = self.pool(name);
        let view = self.place.replayed().pool(pool).unwrap();
        format!("{}={}+{}+{}", view.total, view.available, view.held, view.taken)
    }

    fn command(&mut self, words: &[&str]) -> Command {
        let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
        let number = |word: &str, default: i64| after(word).map_or(default, |text| text.parse().unwrap());
        let note = Note::default();
        self.unique += 1;
        let unnamed = format!("unnamed {}", self.unique);
        let id = words.iter().find(|word| word.starts_with('#')).map_or(unnamed.as_str(), |name| name);
        let key_pool = key("pool", id);
        let state = |pool, state| Command::direct(key_pool, Note::default(), Act::PoolState { pool, state });
        match words[0] {
            "open" => Command::direct(
                key_pool,
                note,
                Act::PoolOpen {
                    pool: self.pool(words[1]),
                    name: PoolName::new(words[1]).unwrap(),
                    round: u32::try_from(number("round", 1)).unwrap(),
                    total: words[2].parse().unwrap(),
                    owner_max: u32::try_from(number("max", 0)).unwrap(),
                },
            ),
            "adjust" => {
                let (pool, delta) = (self.pool(words[1]), words[2].parse().unwrap());
                Command::direct(key_pool, note, Act::PoolAdjust { pool, delta })
            }
            "limit" => {
                let (pool, owner_max) = (self.pool(words[1]), words[2].parse().unwrap());
                Command::direct(key_pool, note, Act::PoolLimit { pool, owner_max })
            }
            "freeze" => state(self.pool(words[1]), PoolState::Frozen),
            "thaw" => state(self.pool(words[1]), PoolState::Open),
            "close" => state(self.pool(words[1]), PoolState::Closed),
            "reserve" => Command::Reserve {
                key: key("hold", words[1]),
                id: Text::new(words[1]).unwrap(),
                caller: 0,
                owner: after("by").map(|owner| Owner::new(Text::new(owner).unwrap())),
                lines: self.lines(words[2]),
                ttl_ms: number("ttl", 60_000),
                gates: Vec::new(),
            },
            "confirm" => {
                let take = words.get(2).map_or(Take::All, |lines| Take::Part(self.lines(lines)));
                Command::Confirm { hold: key("hold", words[1]), take }
            }
            "cancel" => {
                Command::Cancel { hold: key("hold", words[1]), id: Text::new(words[1]).unwrap(), caller: 0 }
            }
            "extend" => {
                let until = Timestamp(words[2].parse().unwrap());
                Command::Extend { hold: key("hold", words[1]), until }
            }
            other => panic!("no such command: {other}"),
        }
    }

    fn pool(&mut self, name: &str) -> PoolId {
        let next = PoolId(i64::try_from(self.pools.len()).unwrap() + 1);
        *self.pools.entry(name.to_owned()).or_insert(next)
    }

    fn lines(&mut self, text: &str) -> Vec<Line> {
        let mut line = |part: &str| {
            let (pool, units) = part.split_once(':').unwrap();
            Line { pool: self.pool(pool), quantity: Quantity::new(units.parse().unwrap()).unwrap() }
        };
        text.split(',').map(&mut line).collect()
    }
}

fn key(purpose: &str, id: &str) -> Key {
    Key::of(purpose, 0, id)
}
