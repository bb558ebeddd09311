//! Rows about activities and tickets, by short names: activities `A B`, players `ann bob`, tickets `t u v`, ...

use std::fmt;
use std::sync::Arc;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, ChanceLimits, Day, Draw, Draws, PlayerFacts, Table, Terms};
use domain::ledger::{Act, Command, Key, Note};
use domain::lottery::random::ClientValue;
use domain::time::Timestamp;

use super::decks::{self, Pools};
use super::step::{OWNERS, pool_id, pool_key};

pub const ACTIVITIES: [&str; 2] = ["A", "B"];
pub const TICKETS: [&str; 12] = ["t", "u", "v", "w", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];
/// A day is this long here, and a month has two.
const DAY_MS: i64 = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayStep {
    Open { activity: usize, round: u32, paper: Paper, id: u16 },
    Terms { activity: usize, round: u32, paper: Paper, id: u16 },
    State { activity: usize, state: ActivityState, id: u16 },
    Prize { activity: usize, prize: u16, withdrawn: bool, id: u16 },
    Halt { on: bool, id: u16 },
    Grant { activity: usize, user: usize, chances: u32, id: u16 },
    Revoke { activity: usize, user: usize, chances: u32, id: u16 },
    Enter(Seat),
    Draw { seat: Seat, version: u32, deck: usize, client: Option<u8>, standing: usize },
}

/// What is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    pub version: u32,
    /// Nothing for a raffle.
    pub deck: Option<usize>,
    pub hours: (i64, i64),
    /// Whether entries are counted.
    pub entries: bool,
    pub limits: [u32; 3],
}

/// Who plays where, on the day the clock shows or on the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub ticket: usize,
    pub activity: usize,
    pub round: u32,
    pub user: usize,
    pub draws: u32,
    pub late: bool,
}

impl PlayStep {
    pub fn command(&self, clock: Timestamp) -> Command {
        let note = Note::default();
        match self {
            Self::Open { activity, round, paper, id } => {
                let terms = paper.terms(*activity, *round);
                let (key, activity) = (pool_key(*id), activity_id(*activity));
                Command::direct(key, note, Act::ActivityOpen { activity, round: *round, terms })
            }
            Self::Terms { activity, round, paper, id } => {
                let terms = paper.terms(*activity, *round);
                let (key, activity) = (pool_key(*id), activity_id(*activity));
                Command::direct(key, note, Act::ActivityTerms { activity, round: *round, terms })
            }
            Self::State { activity, state, id } => Command::direct(
                pool_key(*id),
                note,
                Act::ActivityState { activity: activity_id(*activity), state: *state },
            ),
            Self::Prize { activity, prize, withdrawn, id } => {
                let (key, activity, prize) = (pool_key(*id), activity_id(*activity), decks::id(*prize));
                Command::direct(key, note, Act::PrizeState { activity, prize, withdrawn: *withdrawn })
            }
            Self::Halt { on, id } => Command::direct(pool_key(*id), note, Act::Halt { on: *on }),
            Self::Grant { activity, user, chances, id } => {
                let (key, activity, user) = (pool_key(*id), activity_id(*activity), user_id(*user));
                Command::direct(key, note, Act::Grant { activity, user, chances: *chances })
            }
            Self::Revoke { activity, user, chances, id } => {
                let (key, activity, user) = (pool_key(*id), activity_id(*activity), user_id(*user));
                Command::direct(key, note, Act::Revoke { activity, user, chances: *chances })
            }
            Self::Enter(seat) => Command::Enter {
                key: ticket_key(seat.ticket),
                activity: activity_id(seat.activity),
                round: seat.round,
                user: user_id(seat.user),
                entries: seat.draws(),
                day: day(clock, seat.late),
            },
            Self::Draw { seat, version, deck, client, standing } => Command::Draw(Box::new(Draw {
                key: ticket_key(seat.ticket),
                activity: activity_id(seat.activity),
                round: seat.round,
                user: user_id(seat.user),
                draws: seat.draws(),
                day: day(clock, seat.late),
                client: client.map(|byte| ClientValue([byte; 16])),
                standing: known(*standing),
                table: table(*deck, seat.activity, seat.round, *version),
            })),
        }
    }

    /// A sequence has its own decks, each version one.
    pub(super) fn shuffle(&mut self, by: usize) {
        let deck_of = |version: u32| (by + version as usize) % decks::DECKS;
        match self {
            Self::Open { paper, .. } | Self::Terms { paper, .. } => {
                paper.deck = paper.deck.map(|_| deck_of(paper.version));
            }
            Self::Draw { version, deck, .. } => *deck = deck_of(*version),
            Self::State { .. }
            | Self::Prize { .. }
            | Self::Halt { .. }
            | Self::Grant { .. }
            | Self::Revoke { .. }
            | Self::Enter(_) => {}
        }
    }
}

impl Paper {
    /// Entries come from a pool that is not among the prizes.
    fn terms(&self, activity: usize, round: u32) -> Terms {
        let [total, month, day] = self.limits;
        Terms {
            version: self.version,
            from: Timestamp(self.hours.0),
            until: Timestamp(self.hours.1),
            entries: Some(pool_id(if activity == 0 { 2 } else { 0 })).filter(|_| self.entries),
            limits: ChanceLimits { total, month, day },
            begin: self.deck.map(|deck| table(deck, activity, round, self.version).begin()),
        }
    }
}

impl Seat {
    fn draws(&self) -> Draws {
        Draws::new(self.draws).expect("one to ten")
    }
}

fn table(deck: usize, activity: usize, round: u32, version: u32) -> Arc<Table> {
    let pools = match activity {
        0 => Pools { gold: pool_id(0), silver: Some(pool_id(1)) },
        _ => Pools { gold: pool_id(2), silver: None },
    };
    decks::table(deck, (activity_id(activity), round, version), pools, Timestamp(0))
}

/// Mostly nothing in particular.
fn known(standing: usize) -> PlayerFacts {
    match standing {
        0 => PlayerFacts { blocked: true, ..PlayerFacts::default() },
        1 => PlayerFacts { withdrawn: vec![decks::id(1)], points_spent: 7, ..PlayerFacts::default() },
        _ => PlayerFacts::default(),
    }
}

fn day(clock: Timestamp, late: bool) -> Day {
    let number = clock.0 / DAY_MS - i64::from(late && clock.0 >= DAY_MS);
    let (month, day) = (number / 2 + 1, number % 2 + 1);
    let (from, until) = (Timestamp(number * DAY_MS), Timestamp((number + 1) * DAY_MS));
    Day { number: u32::try_from(month * 100 + day).expect("not long ago"), from, until }
}

pub fn activity_id(activity: usize) -> ActivityId {
    ActivityId(i64::try_from(activity).expect("few activities") + 100)
}

pub fn user_id(user: usize) -> UserId {
    UserId(i64::try_from(user).expect("few players") + 1_000)
}

fn ticket_key(ticket: usize) -> Key {
    Key::of("ticket", 1, TICKETS[ticket])
}

impl fmt::Display for PlayStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { activity, round, paper, id } => {
                write!(f, "activity {} {paper} round {round} #{id}", ACTIVITIES[*activity])
            }
            Self::Terms { activity, round, paper, id } => {
                write!(f, "terms {} {paper} round {round} #{id}", ACTIVITIES[*activity])
            }
            Self::State { activity, state, id } => {
                write!(f, "{} {state:?} #{id}", ACTIVITIES[*activity])
            }
            Self::Prize { activity, prize, withdrawn, id } => {
                let verb = if *withdrawn { "withdraw" } else { "restore" };
                write!(f, "{verb} {} {prize} #{id}", ACTIVITIES[*activity])
            }
            Self::Halt { on, id } => write!(f, "halt {on} #{id}"),
            Self::Grant { activity, user, chances, id } => {
                write!(f, "grant {} {} {chances} #{id}", ACTIVITIES[*activity], OWNERS[*user])
            }
            Self::Revoke { activity, user, chances, id } => {
                write!(f, "revoke {} {} {chances} #{id}", ACTIVITIES[*activity], OWNERS[*user])
            }
            Self::Enter(seat) => write!(f, "enter {seat}"),
            Self::Draw { seat, version, deck, client, standing } => {
                write!(f, "draw {seat} version {version} deck {deck}")?;
                client.map_or(Ok(()), |client| write!(f, " client {client}"))?;
                if *standing < 2 { write!(f, " standing {standing}") } else { Ok(()) }
            }
        }
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [total, month, day] = self.limits;
        let (from, until) = self.hours;
        write!(f, "version {} {from}..{until} total {total} month {month} day {day}", self.version)?;
        if self.entries {
            f.write_str(" entries counted")?;
        }
        match self.deck {
            Some(deck) => write!(f, " deck {deck}"),
            None => f.write_str(" raffle"),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticket, activity, round, user, draws, late } = *self;
        let late = if late { " on yesterday" } else { "" };
        let (ticket, activity, user) = (TICKETS[ticket], ACTIVITIES[activity], OWNERS[user]);
        write!(f, "{ticket} {activity} {user} x {draws} round {round}{late}")
    }
}
