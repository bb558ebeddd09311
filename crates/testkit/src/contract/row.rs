//! A row of a story as a command, in a small language.
//!
//! ```text
//! open p 10 [max 2] [round 2] [#k]     -> open | a refusal's name
//! adjust p -3 [#k], limit p 2, freeze p, thaw p, close p
//! reserve h p:2,q:1 [by ann] [ttl 900] -> held
//! confirm h [p:1], cancel h, extend h 90000 (milliseconds from now)
//! reserve a p:1; reserve b p:1         -> held; sold_out 0 left     in one request
//! pass 100                             at least so much time passes
//! pool p                               -> total=available+held+taken, or "none"
//! hold h                               -> held, confirmed, cancelled, expired, or "none"
//! swept p                              -> the same, once what is due has been carried out
//! restart                              ends and starts again
//! ```
//! A row that answers what was answered before ends in `again`.

use std::collections::HashMap;

use domain::ledger::{
    Act, Command, Key, Line, Note, Owner, PoolId, PoolName, PoolRefusal, PoolState, PoolView, Quantity,
    Refusal, Take, Text,
};
use domain::time::Timestamp;
use engine::ports::StockAnswer;

use crate::model::Said;

const CALLER: i64 = 1;
const TTL_MS: i64 = 600_000;

/// The names of one story. Two stories never meet, also in one ledger.
#[derive(Debug)]
pub struct Names {
    story: usize,
    pools: HashMap<String, PoolId>,
    unnamed: u32,
}

impl Names {
    pub fn new(story: usize) -> Self {
        Self { story, pools: HashMap::new(), unnamed: 0 }
    }

    /// The command a row stands for.
    ///
    /// # Panics
    /// When the row is not in the language.
    pub fn command(&mut self, row: &str, now: Timestamp) -> Command {
        let words: Vec<&str> = row.split_whitespace().collect();
        let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
        let number = |word: &str, default: i64| after(word).map_or(default, parse);
        let (key, note) = (self.pool_key(&words), Note::default());
        let name = words[1];
        match words[0] {
            "open" => Command::direct(
                key,
                note,
                Act::PoolOpen {
                    pool: self.pool(name),
                    name: PoolName::new(&format!("contract/{}/{name}", self.story)).expect("a short name"),
                    round: parse(after("round").unwrap_or("1")),
                    total: parse(words[2]),
                    owner_max: parse(after("max").unwrap_or("0")),
                },
            ),
            "adjust" => {
                Command::direct(key, note, Act::PoolAdjust { pool: self.pool(name), delta: parse(words[2]) })
            }
            "limit" => Command::direct(
                key,
                note,
                Act::PoolLimit { pool: self.pool(name), owner_max: parse(words[2]) },
            ),
            "freeze" => {
                Command::direct(key, note, Act::PoolState { pool: self.pool(name), state: PoolState::Frozen })
            }
            "thaw" => {
                Command::direct(key, note, Act::PoolState { pool: self.pool(name), state: PoolState::Open })
            }
            "close" => {
                Command::direct(key, note, Act::PoolState { pool: self.pool(name), state: PoolState::Closed })
            }
            "reserve" => Command::Reserve {
                key: self.hold(name),
                id: text(name),
                caller: CALLER,
                owner: after("by").map(|owner| Owner::new(text(owner))),
                lines: self.lines(words[2]),
                ttl_ms: number("ttl", TTL_MS),
                gates: Vec::new(),
            },
            "confirm" => {
                let take = words.get(2).map_or(Take::All, |lines| Take::Part(self.lines(lines)));
                Command::Confirm { hold: self.hold(name), take }
            }
            "cancel" => Command::Cancel { hold: self.hold(name), id: text(name), caller: CALLER },
            "extend" => Command::Extend { hold: self.hold(name), until: now + parse::<i64>(words[2]) },
            other => panic!("no such command: {other}"),
        }
    }

    pub fn pool(&mut self, name: &str) -> PoolId {
        let next = self.story * 100 + self.pools.len() + 1;
        let next = PoolId(i64::try_from(next).expect("few stories"));
        *self.pools.entry(name.to_owned()).or_insert(next)
    }

    pub fn hold(&self, name: &str) -> Key {
        Key::of("hold", CALLER, &format!("{}/{name}", self.story))
    }

    /// `#k` names the command; without it each one is new.
    fn pool_key(&mut self, words: &[&str]) -> Key {
        self.unnamed += 1;
        let name = words.iter().find(|word| word.starts_with('#'));
        let name = name.map_or_else(|| format!("unnamed {}", self.unnamed), ToString::to_string);
        Key::of("pool", CALLER, &format!("{}/{name}", self.story))
    }

    fn lines(&mut self, text: &str) -> Vec<Line> {
        let mut line = |part: &str| {
            let (pool, units) = part.split_once(':').expect("pool:units");
            Line { pool: self.pool(pool), quantity: Quantity::new(parse(units)).expect("a quantity") }
        };
        text.split(',').filter(|part| *part != "-").map(&mut line).collect()
    }
}

/// An answer as rows name it.
pub fn word(answer: &StockAnswer) -> String {
    match answer {
        StockAnswer::Refused(Refusal::Pool(PoolRefusal::SoldOut { left, .. })) => {
            format!("sold_out {left} left")
        }
        StockAnswer::Refused(Refusal::Pool(PoolRefusal::LimitReached { has, .. })) => {
            format!("limit_reached has {has}")
        }
        other => said(other).name(),
    }
}

/// An answer in the form the reference gives it too.
pub fn said(answer: &StockAnswer) -> Said {
    match answer {
        StockAnswer::Accepted(outcome) => Said::Accepted(outcome.clone()),
        StockAnswer::Replayed(outcome) => Said::Replayed(outcome.clone()),
        StockAnswer::Refused(refusal) => Said::Refused(refusal.clone()),
    }
}

pub fn counters(view: Option<&PoolView>) -> String {
    match view {
        Some(view) => format!("{}={}+{}+{}", view.total, view.available, view.held, view.taken),
        None => "none".to_owned(),
    }
}

fn text(text: &str) -> Text {
    Text::new(text).expect("a short name")
}

fn parse<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("not a number that fits: {text}"))
}
