//! Those who play: tickets on one activity, settled with a prize or with nothing, asked for until there is an answer.

use std::collections::VecDeque;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, ChanceLimits, Day, Draws, Play, Settlement, Terms};
use domain::ledger::{Command, Key, Line, Note};
use domain::time::Timestamp;

use super::clients::{Client, POOLS, units};
use super::random::Random;

pub const ACTIVITY: ActivityId = ActivityId(9);
/// Chances everybody has.
const CHANCES: u32 = 3;

/// Opens the activity, with its entries from the last pool or without; pauses it, and sometimes begins another round.
pub fn host(random: &mut Random) -> Client {
    let entries = Some(POOLS[2]).filter(|_| random.percent(50));
    let limits = ChanceLimits { total: CHANCES, month: 0, day: 0 };
    let terms = Terms { from: Timestamp(0), until: Timestamp(i64::MAX), entries, limits };
    let mut todo = VecDeque::new();
    let key = |todo: &VecDeque<Command>| Key::of("activity", 0, &todo.len().to_string());
    let open = |key, round| {
        Command::Play(Play::ActivityOpen { key, activity: ACTIVITY, round, terms, note: Note::default() })
    };
    let state = |key, state| {
        Command::Play(Play::ActivityState { key, activity: ACTIVITY, state, note: Note::default() })
    };
    todo.push_back(open(key(&todo), 1));
    if random.percent(40) {
        todo.push_back(state(key(&todo), ActivityState::Paused));
        todo.push_back(state(key(&todo), ActivityState::Open));
    }
    if random.percent(30) {
        todo.push_back(state(key(&todo), ActivityState::Closed));
        todo.push_back(open(key(&todo), 2));
    }
    Client::with(todo)
}

/// Takes a few tickets one after the other. Each is settled with a prize, and with nothing should the prize be gone.
pub fn player(n: i64, random: &mut Random) -> Client {
    let user = UserId(n);
    let mut todo = VecDeque::new();
    if random.percent(30) {
        let key = Key::of("grant", n, "once");
        let (chances, note) = (2, Note::default());
        todo.push_back(Command::Play(Play::Grant { key, activity: ACTIVITY, user, chances, note }));
    }
    for ticket in 0..random.between(1, 5) {
        let key = Key::of("ticket", n, &ticket.to_string());
        let draws = Draws::new(random.pick(&[1, 1, 2])).unwrap();
        let day = Day { number: 20_240_101, from: Timestamp(i64::MIN), until: Timestamp(i64::MAX) };
        let round = random.pick(&[1, 1, 1, 2]);
        todo.push_back(Command::Play(Play::Take { key, activity: ACTIVITY, round, user, draws, day }));
        if random.percent(60) {
            let prize = Line { pool: random.pick(&POOLS), quantity: units(1) };
            todo.push_back(settle(key, vec![prize], "a prize"));
        }
        todo.push_back(settle(key, Vec::new(), "nothing"));
    }
    Client::with(todo)
}

fn settle(ticket: Key, takes: Vec<Line>, what: &str) -> Command {
    Command::Play(Play::Settle { ticket, takes, settlement: Settlement::new(what.as_bytes()).unwrap() })
}
