//! What can be asked about playing is what the events add up to, counted in another way than the projection's.

use std::collections::BTreeMap;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Settlement, Taking};
use domain::ledger::{Act, Change, Event};
use domain::lottery::chain::Receipt;
use domain::lottery::record::Record;
use domain::lottery::strategy::PrizeId;
use domain::page::PageRequest;
use domain::time::{HOUR_MS, MINUTE_MS};
use store::Db;
use store::model::*;

use crate::ledger_fixtures::*;
use crate::ledger_random::empty;

const SEQUENCES: u64 = 80;
const COMMANDS: usize = 120;

on_both! {
    what_is_asked_is_what_was_played,
    the_list_of_leaders_is_cut_and_stays_right,
}

type Round = (ActivityId, u32);
/// The event that made it, its version, and its receipt.
type Seen = (u64, u32, Option<Receipt>);
/// Draws, costs, points.
type Sums = (u64, u64, u64);

/// Everything that was played, event by event.
#[derive(Default)]
struct Story {
    versions: BTreeMap<Round, u32>,
    /// Of each player, the first one first.
    tickets: BTreeMap<(Round, UserId), Vec<Seen>>,
    wins: Vec<Win>,
    hours: BTreeMap<(Round, i64, Option<PrizeId>), Sums>,
    /// Draws and wins.
    minutes: BTreeMap<(Round, i64), (u64, u64)>,
    counts: BTreeMap<Round, RoundCounts>,
    chains: BTreeMap<(Round, u32), Vec<(Receipt, Settlement)>>,
}

impl Story {
    fn of(events: &[Event]) -> Self {
        let mut all = Self::default();
        for event in events {
            all.add(event);
        }
        all
    }

    fn add(&mut self, event: &Event) {
        match &event.change {
            Change::Directed {
                act: Act::ActivityOpen { activity, terms, .. } | Act::ActivityTerms { activity, terms, .. },
                ..
            } => {
                self.versions.insert((*activity, event.round), terms.version);
                self.counts.entry((*activity, event.round)).or_default();
            }
            Change::Entered(taking) => self.taken(event, taking, None),
            Change::Drawn(drawing) => {
                let (taking, round) = (&drawing.taking, (drawing.taking.activity, event.round));
                self.taken(event, taking, Some(drawing.receipt));
                let record = Record::decode(drawing.settlement.bytes()).unwrap();
                let version = self.versions[&round];
                let link = (drawing.receipt, drawing.settlement.clone());
                self.chains.entry((round, version)).or_default().push(link);
                let won_before = self.won(round).contains_key(&taking.user);
                for (at, draw) in (0..).zip(&record.draws) {
                    let (prize, points) = (draw.drawn.prize, draw.drawn.points);
                    let given = drawing.given.iter().find(|given| Some(given.prize) == prize);
                    let cost_minor = given.map_or(0, |given| given.cost_minor);
                    let sum = self.hours.entry((round, event.at.0 / HOUR_MS, prize)).or_default();
                    *sum = (sum.0 + 1, sum.1 + cost_minor, sum.2 + points);
                    let sum = self.minutes.entry((round, event.at.0 / MINUTE_MS)).or_default();
                    *sum = (sum.0 + 1, sum.1 + u64::from(prize.is_some()));
                    let (id, user) = (Win::id(event.seq, at), taking.user);
                    let (activity, round, draw, at) =
                        (taking.activity, event.round, taking.first + at, event.at);
                    self.wins.extend(prize.map(|prize| Win {
                        id,
                        user,
                        activity,
                        round,
                        version,
                        draw,
                        prize,
                        points,
                        cost_minor,
                        at,
                    }));
                }
                let won = record.draws.iter().filter(|draw| draw.drawn.prize.is_some()).count() as u64;
                let counts = self.counts.entry(round).or_default();
                counts.wins += won;
                counts.winners += u64::from(won > 0 && !won_before);
            }
            Change::Directed { .. }
            | Change::TermBegan
            | Change::ClockPutBack
            | Change::Reserved { .. }
            | Change::Confirmed { .. }
            | Change::Cancelled { .. }
            | Change::Spent { .. }
            | Change::Extended { .. }
            | Change::Expired { .. } => {}
        }
    }

    fn taken(&mut self, event: &Event, taking: &Taking, receipt: Option<Receipt>) {
        let round = (taking.activity, event.round);
        let theirs = self.tickets.entry((round, taking.user)).or_default();
        let counts = self.counts.entry(round).or_default();
        counts.players += u64::from(theirs.is_empty());
        counts.draws += u64::from(taking.draws.count());
        theirs.push((event.seq, self.versions[&round], receipt));
    }

    fn won(&self, round: Round) -> BTreeMap<UserId, u32> {
        let mut won = BTreeMap::new();
        for win in self.wins.iter().filter(|win| (win.activity, win.round) == round) {
            *won.entry(win.user).or_default() += 1;
        }
        won
    }
}

async fn what_is_asked_is_what_was_played(db: &Db) {
    let mut wins = 0;
    for seed in 0..SEQUENCES {
        let life = Life::random(seed, COMMANDS);
        empty(db, life.start).await;
        let mut dice = Dice(seed ^ 0xcafe);
        for batch in life.events.chunks(1 + usize::try_from(dice.roll(40)).unwrap()) {
            db.ledger_project(batch.to_vec()).await.unwrap();
        }
        let all = Story::of(&life.events);
        wins += all.wins.len();
        for round in all.counts.keys() {
            same_round(db, &all, *round, seed).await;
        }
        for activity in ACTIVITIES {
            let of = |win: &&Win| win.activity == activity;
            let newest: Vec<Win> = all.wins.iter().rev().filter(of).take(5).copied().collect();
            assert_eq!(db.wins_newest(activity, 0, 5).await.unwrap(), newest, "seed {seed}");
            if let Some(last) = newest.last() {
                let later = db.wins_newest(activity, last.id, 100).await.unwrap();
                assert_eq!(later, newest[..newest.len() - 1], "seed {seed}");
            }
        }
        for user in PLAYERS {
            let theirs: Vec<Win> = all.wins.iter().rev().filter(|win| win.user == user).copied().collect();
            let mut page = PageRequest::first(3);
            let mut listed = Vec::new();
            loop {
                let some = db.wins_of(user, page).await.unwrap();
                listed.extend(some.items);
                match some.next {
                    Some(_) => page.after = some.next,
                    None => break,
                }
            }
            assert_eq!(listed, theirs, "seed {seed}");
        }
    }
    assert!(wins > 150, "{wins} wins prove little");
}

async fn same_round(db: &Db, all: &Story, round: Round, seed: u64) {
    let stored = db.round_find(round).await.unwrap().unwrap();
    assert_eq!(stored.counts, all.counts[&round], "seed {seed}");
    let mut leaders: Vec<(UserId, u32)> = all.won(round).into_iter().collect();
    leaders.sort_by_key(|(user, won)| (u32::MAX - won, *user));
    assert_eq!(db.leaders(round, LEADERS_MAX).await.unwrap(), leaders, "seed {seed}");
    let hours = all.hours.iter().filter(|((of, ..), _)| *of == round);
    let hours: Vec<DrawHour> = hours
        .map(|((_, hour, prize), (draws, cost_minor, points))| DrawHour {
            hour: *hour,
            prize: *prize,
            draws: *draws,
            cost_minor: *cost_minor,
            points: *points,
        })
        .collect();
    assert_eq!(db.draw_hours(round, 0).await.unwrap(), hours, "seed {seed}");
    let minutes = all.minutes.iter().filter(|((of, _), _)| *of == round);
    let minutes: Vec<DrawMinute> = minutes
        .map(|((_, minute), (draws, wins))| DrawMinute { minute: *minute, draws: *draws, wins: *wins })
        .collect();
    let first = minutes.first().map_or(0, |first| first.minute);
    let told: Vec<_> =
        minutes.into_iter().filter(|one| one.minute < first + i64::from(MINUTES_MAX)).collect();
    assert_eq!(db.draw_minutes(round.0, round.1).await.unwrap(), told, "seed {seed}");
    for version in 0..10 {
        let expected = all.chains.get(&(round, version)).cloned().unwrap_or_default();
        let chain = ChainKey { activity: round.0, round: round.1, version };
        let mut after = 0;
        let mut records = Vec::new();
        loop {
            let page = db.chain_page(chain, after, 2).await.unwrap();
            let Some(last) = page.last() else { break };
            after = last.receipt.place;
            records.extend(page.into_iter().map(|link| (link.receipt, link.record)));
        }
        assert_eq!(records, expected, "seed {seed}");
    }
    let mut players = Vec::new();
    loop {
        let after = players.last().copied().unwrap_or(UserId(0));
        let page = db.players_page(round, after, 2).await.unwrap();
        if page.is_empty() {
            break;
        }
        players.extend(page.into_iter().map(|(user, _)| user));
    }
    for user in PLAYERS {
        same_tickets(db, all, round, user, seed).await;
        assert!(players.contains(&user) || !all.tickets.contains_key(&(round, user)), "seed {seed}");
    }
}

async fn same_tickets(db: &Db, all: &Story, round: Round, user: UserId, seed: u64) {
    let theirs = all.tickets.get(&(round, user)).cloned().unwrap_or_default();
    let mut page = PageRequest::first(2);
    let mut listed = Vec::new();
    loop {
        let some = db.tickets_of(user, round, page).await.unwrap();
        listed.extend(some.items);
        match some.next {
            Some(_) => page.after = some.next,
            None => break,
        }
    }
    listed.reverse();
    let seen = |ticket: &StoredTicket| (ticket.made_seq, ticket.version, ticket.view.receipt);
    assert_eq!(listed.iter().map(seen).collect::<Vec<_>>(), theirs, "seed {seed}");
    assert!(listed.iter().all(|ticket| ticket.view.user == user), "seed {seed}");
    // Somebody else's ticket leads nowhere.
    if let Some((seq, ..)) = theirs.last() {
        let page = PageRequest { after: Some(i64::try_from(*seq).unwrap()), ..PageRequest::default() };
        let other = db.tickets_of(UserId(1), round, page).await.unwrap();
        assert_eq!(other.items, vec![], "seed {seed}");
    }
}

/// Everybody wins with every draw, some more often than others.
async fn the_list_of_leaders_is_cut_and_stays_right(db: &Db) {
    let round = (ACTIVITIES[1], 1);
    let everybody_wins = 7;
    let draw = |n: i64, times: i64| draw_once(round.0, everybody_wins, UserId(n), &times.to_string());
    let players = 3 * i64::from(LEADERS_MAX) / 2;
    let mut commands = vec![open("pool", pool(2), 1, 40), open_activity(round.0, everybody_wins)];
    for times in 0..4 {
        commands.extend((1..=players).filter(|n| n % (times + 1) == 0).map(|n| draw(n, times)));
    }
    let life = Life::of(commands);
    for batch in life.events.chunks(37) {
        db.ledger_project(batch.to_vec()).await.unwrap();
    }
    let mut expected: Vec<(UserId, u32)> = Story::of(&life.events).won(round).into_iter().collect();
    expected.sort_by_key(|(user, won)| (u32::MAX - won, *user));
    assert!(expected.len() > LEADERS_MAX as usize);
    expected.truncate(LEADERS_MAX as usize);
    assert_eq!(db.leaders(round, u32::MAX).await.unwrap(), expected);
    assert_eq!(db.leaders(round, 3).await.unwrap(), expected[..3]);
}
