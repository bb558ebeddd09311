//! Those who play: draws on an activity, entries to a raffle; each asked for until there is an answer.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, ChanceLimits, Day, Draw, Draws, PlayerFacts, Table, Terms};
use domain::ledger::{Act, Command, Key, Note};
use domain::lottery::random::ClientValue;
use domain::time::Timestamp;
use testkit::model::decks::{self, DECKS, Pools};

use super::clients::{Client, POOLS};
use super::random::Random;

pub const ACTIVITY: ActivityId = ActivityId(9);
pub const RAFFLE: ActivityId = ActivityId(10);
/// Chances everybody has.
const CHANCES: u32 = 6;
const DAY: Day = Day { number: 19_700_101, from: Timestamp(i64::MIN), until: Timestamp(i64::MAX) };

/// What is drawn from under a version; entries come from another pool.
pub fn table(deck: usize, round: u32, version: u32) -> Arc<Table> {
    let pools = Pools { gold: POOLS[0], silver: Some(POOLS[1]) };
    decks::table(deck, (ACTIVITY, round, version), pools, Timestamp(1_000))
}

/// Each version has its own deck: in a run they follow one another from the first on.
fn deck_of(first: usize, version: u32) -> usize {
    (first + version as usize) % DECKS
}

/// Opens the activity, with its entries from the last pool or without; pauses it, puts another version in place, takes
/// a prize back, and sometimes begins another round.
pub fn host(deck: usize, random: &mut Random) -> Client {
    let entries = Some(POOLS[2]).filter(|_| random.percent(30));
    let terms = |round, version| {
        let begin = Some(table(deck_of(deck, version), round, version).begin());
        Terms { version, entries, begin, ..anytime() }
    };
    let activity = ACTIVITY;
    let mut todo = Todo::new("activity");
    todo.push(Act::ActivityOpen { activity, round: 1, terms: terms(1, 1) });
    if random.percent(40) {
        let state = ActivityState::Paused;
        todo.push(Act::ActivityState { activity, state });
        let state = ActivityState::Open;
        todo.push(Act::ActivityState { activity, state });
    }
    if random.percent(40) {
        let prize = decks::id(random.pick(&[1, 2]));
        todo.push(Act::PrizeState { activity, prize, withdrawn: true });
        todo.push(Act::PrizeState { activity, prize, withdrawn: false });
    }
    if random.percent(40) {
        todo.push(Act::ActivityTerms { activity, round: 1, terms: terms(1, 2) });
    }
    if random.percent(20) {
        todo.push(Act::Halt { on: true });
        todo.push(Act::Halt { on: false });
    }
    if random.percent(30) {
        let state = ActivityState::Closed;
        todo.push(Act::ActivityState { activity, state });
        todo.push(Act::ActivityOpen { activity, round: 2, terms: terms(2, 1) });
    }
    Client::with(todo.commands)
}

pub fn raffle_host() -> Client {
    let mut todo = Todo::new("raffle");
    let terms = Terms { version: 1, entries: None, begin: None, ..anytime() };
    todo.push(Act::ActivityOpen { activity: RAFFLE, round: 1, terms });
    Client::with(todo.commands)
}

fn anytime() -> Terms {
    Terms {
        version: 1,
        from: Timestamp(0),
        until: Timestamp(i64::MAX),
        entries: None,
        limits: ChanceLimits { total: CHANCES, month: 0, day: 0 },
        begin: None,
    }
}

/// Draws a few times, and enters the raffle.
pub fn player(n: i64, deck: usize, random: &mut Random) -> Client {
    let user = UserId(n);
    let client = random.percent(50).then(|| ClientValue([u8::try_from(n).unwrap(); 16]));
    let mut todo = VecDeque::new();
    todo.extend(granted(user, random));
    for ticket in 0..random.between(2, 6) {
        let key = Key::of("draw", n, &ticket.to_string());
        let (round, version) = random.pick(&[(1, 1), (1, 1), (1, 1), (1, 2), (2, 1)]);
        todo.push_back(Command::Draw(Box::new(Draw {
            key,
            activity: ACTIVITY,
            round,
            user,
            draws: Draws::new(random.pick(&[1, 1, 1, 3])).unwrap(),
            day: DAY,
            client,
            standing: PlayerFacts { blocked: random.percent(10), ..PlayerFacts::default() },
            table: table(deck_of(deck, version), round, version),
        })));
        if random.percent(20) {
            let (key, entries) = (Key::of("entry", n, &ticket.to_string()), Draws::new(1).unwrap());
            let (activity, day) = (RAFFLE, DAY);
            todo.push_back(Command::Enter { key, activity, round: 1, user, entries, day });
        }
    }
    Client::with(todo)
}

fn granted(user: UserId, random: &mut Random) -> Option<Command> {
    random.percent(30).then(|| {
        let key = Key::of("grant", user.0, "once");
        let (chances, note) = (2, Note::default());
        Command::direct(key, note, Act::Grant { activity: ACTIVITY, user, chances })
    })
}

/// Commands with ids of their own.
struct Todo {
    purpose: &'static str,
    commands: VecDeque<Command>,
}

impl Todo {
    fn new(purpose: &'static str) -> Self {
        Self { purpose, commands: VecDeque::new() }
    }

    fn push(&mut self, act: Act) {
        let key = Key::of(self.purpose, 0, &self.commands.len().to_string());
        self.commands.push_back(Command::direct(key, Note::default(), act));
    }
}
