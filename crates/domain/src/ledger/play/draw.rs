//! A draw: one command makes its ticket, decides what is drawn and takes the units of the prizes.
//!
//! What may be drawn from comes with the command: the published strategy, compiled, and the generator of its secret
//! ([`Table`]). The ledger holds only where its chain begins ([`Terms::begin`](super::Terms)), and refuses a table that
//! is not the one that was published. So a new version takes effect for everybody between two draws, and nobody ever
//! draws from a table that is half in place.
//!
//! The lottery decides; this file asks it, with the counters that the ledger keeps, and writes down every effect in the
//! event. Folding needs no strategy: a ledger that starts anew knows the same without having seen one.

use std::sync::Arc;

use super::super::command::Key;
use super::super::decide::taken_lines;
use super::super::digest::CommandDigest;
use super::super::event::TakenLine;
use super::super::refusal::{PlayRefusal, Refusal};
use super::super::state::Ledger;
use super::decide::{Admission, admit};
use super::{Account, Activity, Day, Draws, Settlement, Taking};
use crate::ids::{ActivityId, UserId};
use crate::lottery::chain::{ChainLink, PublishedChain, Receipt};
use crate::lottery::decide::PlayerHistory as Drawer;
use crate::lottery::deck::Deck;
use crate::lottery::random::{ClientValue, DrawKey, DrawSecret, Generator};
use crate::lottery::record::Record;
use crate::lottery::rule_path::RulePath;
use crate::lottery::strategy::PrizeId;
use crate::lottery::ticket::{pool_lines, settle};

/// What an activity's draws are decided with: made once per (round, version) and shared by all of them.
#[derive(Clone, Debug)]
pub struct Table {
    deck: Deck,
    generator: Generator,
    published: PublishedChain,
    begin: ChainLink,
}

impl Table {
    pub fn new(activity: ActivityId, round: u32, deck: Deck, secret: &DrawSecret) -> Self {
        let version = deck.strategy().version;
        let (commitment, strategy) = (secret.commitment(), deck.hash());
        let published = PublishedChain { activity, round, version, commitment, strategy };
        Self { generator: Generator::new(secret), begin: published.link(), published, deck }
    }

    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    pub fn published(&self) -> &PublishedChain {
        &self.published
    }

    /// Where its chain begins.
    pub fn begin(&self) -> ChainLink {
        self.begin
    }
}

/// The same published strategy and secret.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.begin == other.begin
    }
}

impl Eq for Table {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub key: Key,
    pub activity: ActivityId,
    pub round: u32,
    pub user: UserId,
    pub draws: Draws,
    pub day: Day,
    /// The player's own share of the luck. It is fixed by their first ticket of the round; without one it is zero.
    pub client: Option<ClientValue>,
    pub standing: PlayerFacts,
    pub table: Arc<Table>,
}

/// What the server knows of the player and the ledger does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerFacts {
    pub points_spent: u64,
    /// On the activity's block list.
    pub blocked: bool,
    /// The path through the rule tree that let them in.
    pub rule_path: RulePath,
    /// Prizes that are not for them.
    pub withdrawn: Vec<PrizeId>,
}

/// A ticket that was drawn, with everything it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    pub taking: Taking,
    /// Units of the prizes that have a pool.
    pub lines: Vec<TakenLine>,
    /// Units of all prizes, in the order of their ids.
    pub given: Vec<GivenPrize>,
    /// Points that the fallback gave.
    pub points: u64,
    /// Draws without a prize since the last prize, afterwards.
    pub misses: u32,
    /// Fixed by this ticket, when it is the player's first.
    pub client: Option<ClientValue>,
    /// The event that made the player's ticket before this one; zero for the first.
    pub before: u64,
    /// The record, as it is proved.
    pub settlement: Settlement,
    pub receipt: Receipt,
}

/// Units of one prize that a ticket gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenPrize {
    pub prize: PrizeId,
    pub units: u32,
    /// What one of them costs the operator.
    pub cost_minor: u64,
    /// Whether wins of it are counted per player.
    pub capped: bool,
}

impl Drawing {
    /// Prizes won.
    pub fn won(&self) -> u32 {
        self.given.iter().map(|given| given.units).sum()
    }

    /// What they cost the operator.
    pub fn cost_minor(&self) -> u64 {
        let cost = |given: &GivenPrize| given.cost_minor.saturating_mul(u64::from(given.units));
        self.given.iter().map(cost).fold(0, u64::saturating_add)
    }
}

/// Whether this is the table that was published for the activity's current version.
fn published<'a>(activity: &'a Activity, table: &Table) -> Result<&'a super::desk::Desk, Refusal> {
    let stale =
        Refusal::Play(PlayRefusal::VersionStale { activity: activity.id, version: activity.terms.version });
    if activity.terms.begin != Some(table.begin) {
        return Err(stale);
    }
    // The door put it there before deciding; see `desk::prepare`.
    activity.desk.as_deref().ok_or(stale)
}

pub(super) fn draw(ledger: &Ledger, draw: &Draw, digest: CommandDigest) -> Result<Box<Drawing>, Refusal> {
    let Draw { key, activity, round, user, draws, day, client, standing, table } = draw;
    let (key, activity, user, draws) = (*key, *activity, *user, *draws);
    let asked = Admission { key, digest, activity, round: *round, user, draws };
    let (activity, taking) = admit(ledger, &asked, *day)?;
    let desk = published(activity, table)?;
    let player = activity.players.get(&user.0).copied().unwrap_or_default();
    let client = client_value(activity, user, &player.account, *client)?;
    let drawn_with = DrawKey {
        activity: activity.id,
        round: *round,
        version: activity.terms.version,
        seat: taking.seat,
        n: taking.first,
        client: client.unwrap_or_else(|| activity.client(user)),
    };
    let drawer = drawer(activity, user, &player.account, taking.day, standing);
    let record = settle(&table.deck, &table.generator, &desk.shelf, drawn_with, &drawer, draws);
    let lines = taken_lines(ledger, None, &pool_lines(&table.deck, &record))?.to_vec();
    fits_beside(ledger, &taking, &lines)?;
    let (given, points) = effects(&table.deck, &record);
    let settlement = Settlement::new(&record.encode()).expect("a record is never longer than its bound");
    let receipt = activity.chain.next(settlement.bytes());
    Ok(Box::new(Drawing {
        taking,
        lines,
        given,
        points,
        misses: misses_after(drawer.misses, &record),
        client,
        before: player.last,
        settlement,
        receipt,
    }))
}

/// Entries and prizes may come from one pool, though nobody should want that; then it has to have both.
fn fits_beside(ledger: &Ledger, taking: &Taking, lines: &[TakenLine]) -> Result<(), Refusal> {
    let Some(entries) = taking.entries else { return Ok(()) };
    let Some(prizes) = lines.iter().find(|line| line.pool == entries.pool) else { return Ok(()) };
    let left = ledger.pool(entries.pool).map_or(0, |pool| pool.available);
    let asked = u64::from(entries.quantity.units()) + u64::from(prizes.quantity.units());
    if asked > left {
        Err(Refusal::Play(PlayRefusal::EntriesGone { activity: taking.activity, left }))
    } else {
        Ok(())
    }
}

/// The value that this ticket fixes, if it fixes one.
fn client_value(
    activity: &Activity,
    user: UserId,
    account: &Account,
    given: Option<ClientValue>,
) -> Result<Option<ClientValue>, Refusal> {
    match given {
        None => Ok(None),
        Some(value) if account.draws == 0 => Ok(Some(value)),
        Some(value) if value == activity.client(user) => Ok(None),
        Some(_) => Err(Refusal::Play(PlayRefusal::ClientValueFixed { activity: activity.id })),
    }
}

/// What the rules read about the player: what the ledger counts, and what the server knows.
fn drawer(activity: &Activity, user: UserId, account: &Account, day: u32, standing: &PlayerFacts) -> Drawer {
    Drawer {
        day,
        draws_today: account.draws_on(day),
        draws: account.draws,
        points_spent: standing.points_spent,
        misses: account.misses,
        blocked: standing.blocked,
        rule_path: standing.rule_path,
        wins: activity.capped.get(&user.0).cloned().unwrap_or_default(),
        withdrawn: standing.withdrawn.clone(),
    }
}

fn effects(deck: &Deck, record: &Record) -> (Vec<GivenPrize>, u64) {
    let mut given: Vec<GivenPrize> = Vec::new();
    let mut points = 0;
    for drawn in record.draws.iter().map(|draw| draw.drawn) {
        let Some(prize) = drawn.prize.and_then(|id| deck.prize(id)) else { continue };
        points += drawn.points;
        match given.binary_search_by_key(&prize.id, |given| given.prize) {
            Ok(at) => given[at].units += 1,
            Err(at) => {
                let (cost_minor, capped) = (prize.cost_minor, prize.win_cap.is_some());
                given.insert(at, GivenPrize { prize: prize.id, units: 1, cost_minor, capped });
            }
        }
    }
    (given, points)
}

fn misses_after(before: u32, record: &Record) -> u32 {
    record.draws.iter().fold(
        before,
        |misses, draw| {
            if draw.drawn.prize.is_some() { 0 } else { misses.saturating_add(1) }
        },
    )
}
