//! Those who ask: each repeats its request under the same id until it hears a definite answer.

use std::collections::VecDeque;

use domain::ledger::{
    Act, Answer, Command, Key, Line, Note, Owner, PoolId, PoolName, PoolState, Quantity, Refusal, Take, Text,
};
use domain::time::Timestamp;
use testkit::model::decks::DECKS;

use super::players;
use super::random::Random;

pub const POOLS: [PoolId; 3] = [PoolId(1), PoolId(2), PoolId(3)];
const ORDERS: usize = 18;
const PLAYERS: i64 = 7;

#[derive(Default)]
pub struct Client {
    todo: VecDeque<Command>,
    /// Asked until it is answered.
    pub current: Option<Command>,
    /// Definitely answered with a yes; asked again now and then, long after.
    past: Vec<Command>,
    /// Goes on without waiting for an answer to the first request.
    impatient: bool,
    tries: usize,
    /// Refused, and not tried again.
    pub given_up: Option<Command>,
}

/// Operators first, then those who buy, then those who play.
pub fn everybody(random: &mut Random) -> Vec<Client> {
    let mut clients: Vec<Client> = POOLS.iter().map(|pool| operator(*pool, random)).collect();
    let deck = random.below(DECKS);
    clients.push(players::host(deck, random));
    clients.push(players::raffle_host());
    clients.extend((0..ORDERS).map(|n| buyer(n, random)));
    clients.extend((0..PLAYERS).map(|n| players::player(n, deck, random)));
    clients
}

impl Client {
    pub fn with(todo: VecDeque<Command>) -> Self {
        Self { todo, ..Self::default() }
    }

    /// What it sends now, if anything.
    pub fn turn(&mut self, random: &mut Random) -> Vec<Command> {
        if self.current.is_none() {
            self.current = self.todo.pop_front();
        }
        let Some(current) = self.current.clone() else {
            let again = !self.past.is_empty() && random.percent(20);
            return if again { vec![random.pick(&self.past)] } else { Vec::new() };
        };
        if std::mem::take(&mut self.impatient) {
            self.current = None;
        }
        // The network may deliver it twice.
        vec![current; if random.percent(15) { 2 } else { 1 }]
    }

    pub fn heard(&mut self, command: &Command, answer: &Answer, random: &mut Random) {
        if self.current.as_ref() != Some(command) {
            return;
        }
        match answer {
            Answer::Accepted { .. } | Answer::Replayed(_) => {
                self.past.extend(self.current.take());
                self.tries = 0;
            }
            Answer::Refused(refusal) => self.refused(refusal, random),
            Answer::LookUp => {}
        }
    }

    /// A refused reservation is tried again a few times, then given up with everything that was to follow. So is a
    /// ticket, of which only what belongs to it is given up.
    fn refused(&mut self, refusal: &Refusal, random: &mut Random) {
        let reserve = matches!(self.current, Some(Command::Reserve { .. }));
        let ticket = matches!(self.current, Some(Command::Draw(_) | Command::Enter { .. }));
        if (reserve || ticket) && !refusal.tells_of_an_outcome() && self.tries < 3 && random.percent(60) {
            self.tries += 1;
            return;
        }
        let refused = self.current.take();
        self.tries = 0;
        if reserve {
            self.todo.clear();
            if !refusal.tells_of_an_outcome() {
                self.given_up = refused;
            }
        }
    }

    pub fn done(&self) -> bool {
        self.current.is_none() && self.todo.is_empty()
    }
}

fn buyer(n: usize, random: &mut Random) -> Client {
    let name = format!("order {n}");
    let (id, caller) = (Text::new(&name).unwrap(), i64::from(random.percent(20)));
    // The last ones share the fingerprint of the first: the filter cannot tell them apart.
    let own = Key::of("hold", caller, &name);
    let hold = if n + 2 >= ORDERS {
        Key(Key::of("hold", 0, "order 0").0 >> 64 << 64 | (own.0 & u128::from(u64::MAX)))
    } else {
        own
    };
    let owner = random.percent(80).then(|| random.pick(&["ann", "bob", "cho"]));
    let lines: Vec<Line> = (0..1 + random.below(2))
        .map(|_| Line { pool: random.pick(&POOLS), quantity: units(random.between(1, 3)) })
        .collect();
    let reserve = Command::Reserve {
        key: hold,
        id: id.clone(),
        caller,
        owner: owner.map(|owner| Owner::new(Text::new(owner).unwrap())),
        lines: lines.clone(),
        ttl_ms: random.pick(&[100, 1_000, 60_000]),
        gates: Vec::new(),
    };
    let confirm = Command::Confirm { hold, take: Take::All };
    let part = Command::Confirm { hold, take: Take::Part(vec![Line { quantity: units(1), ..lines[0] }]) };
    let cancel = Command::Cancel { hold, id, caller };
    let extend = Command::Extend { hold, until: Timestamp(random.between(1_000, 100_000)) };
    let (plan, impatient) = match random.below(8) {
        0 => (vec![reserve], false),
        1 => (vec![reserve, part], false),
        2 => (vec![reserve, cancel], false),
        3 => (vec![reserve, cancel], true),
        4 => (vec![reserve, extend, confirm], false),
        5 => (vec![reserve, confirm, cancel], false),
        _ => (vec![reserve, confirm], false),
    };
    Client { todo: plan.into(), impatient, ..Client::default() }
}

/// Opens its pool, then changes it now and then: stock, limit, state, and sometimes a next round.
fn operator(pool: PoolId, random: &mut Random) -> Client {
    let note = Note::default;
    let mut todo = VecDeque::new();
    let mut round = 1;
    let key = |todo: &VecDeque<Command>| Key::of("pool", pool.0, &todo.len().to_string());
    let open = |todo: &mut VecDeque<Command>, round, random: &mut Random| {
        let total = random.pick(&[3, 6, 12]);
        let owner_max = random.pick(&[0, 0, 3]);
        let name = PoolName::new("tea").unwrap();
        todo.push_back(Command::direct(
            key(todo),
            note(),
            Act::PoolOpen { pool, name, round, total, owner_max },
        ));
    };
    open(&mut todo, round, random);
    for _ in 0..random.below(8) {
        let key = key(&todo);
        let state = |state| Command::direct(key, note(), Act::PoolState { pool, state });
        match random.below(7) {
            0 => todo.push_back(state(PoolState::Frozen)),
            1 | 2 => todo.push_back(state(PoolState::Open)),
            3 => todo.push_back(Command::direct(key, note(), Act::PoolLimit { pool, owner_max: 2 })),
            4 => {
                todo.push_back(state(PoolState::Closed));
                round += 1;
                open(&mut todo, round, random);
            }
            _ => {
                let delta = random.between(-2, 4);
                todo.push_back(Command::direct(key, note(), Act::PoolAdjust { pool, delta }));
            }
        }
    }
    Client::with(todo)
}

pub fn units(units: i64) -> Quantity {
    Quantity::new(units).unwrap()
}
