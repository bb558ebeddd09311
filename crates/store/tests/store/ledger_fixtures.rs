//! Ledgers that live through random commands, for the tests of their projection.

use std::sync::Arc;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::*;
use domain::ledger::{
    Act, Answer, Command, Event, Key, Ledger, Limits, Line, Note, Owner, PoolId, PoolName, PoolState,
    Quantity, Restore, Take, Text,
};
use domain::lottery::random::ClientValue;
use domain::time::Timestamp;
use testkit::model::decks::{self, DECKS, Pools};

use crate::fixtures::T0;

pub const LIMITS: Limits =
    Limits { lines_max: 4, ttl_min_ms: 10, ttl_max_ms: 2_000, life_max_ms: 5_000, tombstones_max: 1_000 };
pub const CALLER: i64 = 9;
/// Events in an era of the projection.
pub const ERA: u64 = 1 << 17;

pub const ACTIVITIES: [ActivityId; 2] = [ActivityId(500), ActivityId(501)];
pub const PLAYERS: [UserId; 3] = [UserId(70), UserId(71), UserId(72)];

/// Numbers from one number.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % sides
    }

    fn signed(&mut self, sides: u64) -> i64 {
        i64::try_from(self.roll(sides)).unwrap()
    }

    /// An amount that the due time of a hold takes less than a few of.
    pub fn pause(&mut self) -> i64 {
        self.signed(120)
    }
}

pub fn hold(n: u64) -> Key {
    Key::of("hold", CALLER, &hold_id(n))
}

fn hold_id(n: u64) -> String {
    format!("h{n}")
}

pub fn pool(n: u64) -> PoolId {
    PoolId(i64::try_from(n).unwrap() + 1)
}

pub fn owner(n: u64) -> Owner {
    Owner::new(Text::new(&format!("owner {n}")).unwrap())
}

pub fn line(pool: PoolId, units: i64) -> Line {
    Line { pool, quantity: Quantity::new(units).unwrap() }
}

pub fn name(pool: PoolId) -> PoolName {
    PoolName::new(&format!("inventory/Shop_{}/tea", pool.0)).unwrap()
}

pub fn open(key: &str, pool: PoolId, round: u32, total: u64) -> Command {
    let key = Key::of("pool", CALLER, key);
    let (name, note) = (name(pool), Note::new("first stock").unwrap().signed(77));
    Command::direct(key, note, Act::PoolOpen { pool, name, round, total, owner_max: 0 })
}

pub fn adjust(key: &str, pool: PoolId, delta: i64) -> Command {
    let key = Key::of("pool", CALLER, key);
    Command::direct(key, Note::default(), Act::PoolAdjust { pool, delta })
}

pub fn set_state(key: &str, pool: PoolId, state: PoolState) -> Command {
    Command::direct(Key::of("pool", CALLER, key), Note::default(), Act::PoolState { pool, state })
}

pub fn reserve(n: u64, by: Option<u64>, lines: Vec<Line>) -> Command {
    let id = Text::new(&hold_id(n)).unwrap();
    Command::Reserve {
        key: hold(n),
        id,
        caller: CALLER,
        owner: by.map(owner),
        lines,
        ttl_ms: 500,
        gates: Vec::new(),
    }
}

pub fn confirm(n: u64, part: Option<Vec<Line>>) -> Command {
    Command::Confirm { hold: hold(n), take: part.map_or(Take::All, Take::Part) }
}

pub fn cancel(n: u64) -> Command {
    Command::Cancel { hold: hold(n), id: Text::new(&hold_id(n)).unwrap(), caller: CALLER }
}

pub fn extend(n: u64, until: Timestamp) -> Command {
    Command::Extend { hold: hold(n), until }
}

/// What a round of an activity draws from under a version. Prizes have their pools for themselves.
fn table(activity: ActivityId, round: u32, version: u32) -> Arc<Table> {
    let pools = match activity.0 {
        500 => Pools { gold: pool(0), silver: Some(pool(1)) },
        _ => Pools { gold: pool(2), silver: None },
    };
    let deck = usize::try_from(version + round).unwrap() % DECKS;
    decks::table(deck, (activity, round, version), pools, T0)
}

/// An activity without bounds, with the strategy of this version.
pub fn open_activity(activity: ActivityId, version: u32) -> Command {
    let limits = ChanceLimits { total: u32::MAX, month: 0, day: 0 };
    let begin = Some(table(activity, 1, version).begin());
    let terms = Terms { version, from: T0, until: T0 + 1_000_000, entries: None, limits, begin };
    let (key, note) = (Key::of("activity", CALLER, "open"), Note::default());
    Command::direct(key, note, Act::ActivityOpen { activity, round: 1, terms })
}

/// One draw in its first round.
pub fn draw_once(activity: ActivityId, version: u32, user: UserId, key: &str) -> Command {
    Command::Draw(Box::new(Draw {
        key: Key::of("draw", user.0, key),
        activity,
        round: 1,
        user,
        draws: Draws::new(1).unwrap(),
        day: Day { number: 20_240_131, from: Timestamp(0), until: Timestamp(i64::MAX) },
        client: None,
        standing: PlayerFacts::default(),
        table: table(activity, 1, version),
    }))
}

/// A ledger with everything it was told and everything that came of it. It forgets nothing.
#[derive(Debug)]
pub struct Life {
    pub ledger: Ledger,
    pub clock: Timestamp,
    pub commands: Vec<Command>,
    pub events: Vec<Event>,
    /// The number before its first event.
    pub start: u64,
}

/// A ledger that has nothing and goes on from a number.
pub fn nothing_at(seq: u64) -> Ledger {
    Restore::begin(LIMITS, seq, 0, Timestamp(0)).finish().unwrap()
}

impl Life {
    fn starting_at(start: u64) -> Self {
        Self { ledger: nothing_at(start), clock: T0, commands: Vec::new(), events: Vec::new(), start }
    }

    /// A life told by hand; every command must be accepted.
    pub fn of(commands: Vec<Command>) -> Self {
        let mut life = Self::starting_at(0);
        life.begin_term();
        for command in commands {
            let answer = life.tell(command);
            assert!(matches!(answer, Answer::Accepted { .. }), "{answer:?}");
        }
        life
    }

    pub fn begin_term(&mut self) {
        let event = self.ledger.begin_term(self.clock);
        self.events.push(event);
    }

    pub fn tell(&mut self, command: Command) -> Answer {
        let answer = self.ledger.apply(self.clock, &command);
        if let Answer::Accepted { event, .. } = &answer {
            self.events.push(event.clone());
        }
        self.commands.push(command);
        answer
    }

    /// Every other one passes from one era of the projection to the next.
    pub fn random(seed: u64, commands: usize) -> Self {
        let mut dice = Dice(seed);
        let start = if seed.is_multiple_of(2) { 0 } else { 3 * ERA - dice.roll(40) };
        let mut life = Self::starting_at(start);
        life.begin_term();
        for n in 0..3 {
            life.tell(open(&format!("first {n}"), pool(n), 1, 5 + dice.roll(30)));
        }
        for step in 0..commands {
            life.clock = life.clock + dice.pause();
            if dice.roll(25) == 0 {
                life.begin_term();
            }
            let command = life.any_command(&mut dice, step);
            life.tell(command);
        }
        life.ledger.assert_sound();
        life
    }

    fn any_terms(dice: &mut Dice, activity: ActivityId, round: u32, version: u32) -> Terms {
        let mut small = |sides| u32::try_from(dice.roll(sides)).unwrap();
        let tight = ChanceLimits { total: 2 + small(9), month: small(5), day: small(3) };
        let limits = if small(3) == 0 { tight } else { ChanceLimits { total: 30, month: 0, day: 0 } };
        let entries = Some(if activity.0 == 500 { pool(2) } else { pool(0) }).filter(|_| small(3) == 0);
        let begin = Some(table(activity, round, version).begin()).filter(|_| small(5) > 0);
        Terms { version, from: T0, until: T0 + 1_000_000_000, entries, limits, begin }
    }

    /// Two activities and three players; few ids, so that they meet.
    fn any_play(&self, dice: &mut Dice, key: &str) -> Command {
        let activity = ACTIVITIES[usize::try_from(dice.roll(2)).unwrap()];
        let (key, user) = (Key::of("pool", CALLER, key), PLAYERS[usize::try_from(dice.roll(3)).unwrap()]);
        let note = Note::new("played").unwrap().signed(7);
        let round = self.ledger.player(activity, user).map_or(0, |(round, _)| round);
        let version = self.ledger.round(activity).map_or(0, |(view, _)| view.terms.version);
        let once = Key::of("once", CALLER, &dice.roll(60).to_string());
        let small = |dice: &mut Dice, sides| u32::try_from(dice.roll(sides)).unwrap();
        let day = |dice: &mut Dice| {
            let number = 20_240_131 + 70 * small(dice, 2);
            Day { number, from: Timestamp(0), until: Timestamp(i64::MAX) }
        };
        match dice.roll(20) {
            0 | 1 => {
                let version = 1 + small(dice, 3);
                let terms = Self::any_terms(dice, activity, round + 1, version);
                Command::direct(key, note, Act::ActivityOpen { activity, round: round + 1, terms })
            }
            2 => {
                let states =
                    [ActivityState::Open, ActivityState::Paused, ActivityState::Open, ActivityState::Closed];
                let state = states[usize::try_from(dice.roll(4)).unwrap()];
                Command::direct(key, note, Act::ActivityState { activity, state })
            }
            3 => Command::direct(key, note, Act::Grant { activity, user, chances: 1 + small(dice, 3) }),
            4 => {
                let version = version + small(dice, 3);
                let terms = Self::any_terms(dice, activity, round, version);
                Command::direct(key, note, Act::ActivityTerms { activity, round, terms })
            }
            5 => {
                let (prize, withdrawn) =
                    (decks::id(1 + u16::try_from(dice.roll(3)).unwrap()), dice.roll(2) == 0);
                Command::direct(key, note, Act::PrizeState { activity, prize, withdrawn })
            }
            6 => Command::direct(key, note, Act::Halt { on: dice.roll(4) == 0 }),
            7..=11 => {
                let (entries, day) = (Draws::new(1 + small(dice, 3)).unwrap(), day(dice));
                Command::Enter { key: once, activity, round, user, entries, day }
            }
            _ => Command::Draw(Box::new(Draw {
                key: once,
                activity,
                round,
                user,
                draws: Draws::new(1 + small(dice, 3)).unwrap(),
                day: day(dice),
                client: Some(ClientValue([u8::try_from(dice.roll(2)).unwrap(); 16]))
                    .filter(|_| dice.roll(4) == 0),
                standing: PlayerFacts { blocked: dice.roll(10) == 0, ..PlayerFacts::default() },
                table: table(activity, round, version),
            })),
        }
    }

    /// Few ids, owners and pools, so that they meet.
    pub fn any_command(&self, dice: &mut Dice, step: usize) -> Command {
        let (id, of) = (dice.roll(24), pool(dice.roll(3)));
        let key = format!("{step} or {}", dice.roll(2));
        match dice.roll(32) {
            16.. => self.any_play(dice, &key),
            0..=6 => {
                let by = Some(dice.roll(4)).filter(|n| *n > 0);
                let lines = (0..=dice.roll(3)).map(|_| line(pool(dice.roll(3)), 1 + dice.signed(3)));
                reserve(id, by, lines.collect())
            }
            7 | 8 => confirm(id, None),
            9 => confirm(id, Some(vec![line(of, 1)])),
            10 => cancel(id),
            11 => extend(id, self.clock + 200 + dice.pause()),
            12 => Command::ExpireOne,
            13 => adjust(&key, of, dice.signed(9) - 4),
            14 => {
                let owner_max = u32::try_from(dice.roll(6)).unwrap();
                let note = Note::default();
                Command::direct(Key::of("pool", CALLER, &key), note, Act::PoolLimit { pool: of, owner_max })
            }
            _ => match self.ledger.pool(of) {
                Some(view) if view.state == PoolState::Closed => open(&key, of, view.round + 1, 9),
                Some(_) | None => {
                    let states = [PoolState::Frozen, PoolState::Open, PoolState::Open, PoolState::Closed];
                    set_state(&key, of, states[usize::try_from(dice.roll(4)).unwrap()])
                }
            },
        }
    }
}
