//! The deciding: one draw after the other, each from what those before it left.

use std::collections::HashMap;

use super::course::Course;
use super::report::{BUCKETS, Cell, PrizeReport, RefusedDraws, SimulationReport, TableReport};
use super::stops::Stops;
use crate::lottery::chi::chi_square;
use crate::lottery::decide::{Cause, DrawOutcome, DrawReason, Inputs, PlayerHistory, decide};
use crate::lottery::live::{ExclusionReason, Trail};
use crate::lottery::record::{Record, RecordedDraw};
use crate::lottery::shelf::Shelf;
use crate::lottery::strategy::{Mode, PrizeId, PrizeStock};
use crate::time::Timestamp;

/// What becomes of each record. Simulations are about counts; whoever wants the records themselves says so.
pub trait RecordSink {
    const RECORDS: bool;
    fn keep(&mut self, record: Record);
}

/// Counts only.
#[derive(Debug)]
pub struct Nothing;

impl RecordSink for Nothing {
    const RECORDS: bool = false;
    fn keep(&mut self, _: Record) {}
}

impl<F: FnMut(Record)> RecordSink for F {
    const RECORDS: bool = true;
    fn keep(&mut self, record: Record) {
        self(record);
    }
}

#[derive(Debug)]
pub struct Simulation<'a> {
    course: &'a Course,
    clock: Clock,
    shelf: Shelf,
    past: Vec<Past>,
    /// Wins of prizes with a cap, of the users who have any.
    wins: HashMap<u64, Vec<(PrizeId, u32)>>,
    player: PlayerHistory,
    trail: Trail,
    tally: Tally,
    stops: Stops,
}

/// What is known of a user, in as little room as it takes: millions of them pass by at every turn.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    draws: u32,
    misses: u32,
    today: u32,
    month: u32,
    /// Which day of the window their counts are of.
    day: u16,
    has_wins: bool,
}

#[derive(Debug, Default)]
struct Tally {
    draws: u64,
    misses: u64,
    refused: RefusedDraws,
    /// Per prize id.
    won: Vec<u64>,
    rolled: Vec<u64>,
    ran_out: Vec<Option<Timestamp>>,
    over_time: Vec<[u64; BUCKETS]>,
    /// Per table, per prize id; the last is no prize.
    hits: Vec<Vec<u64>>,
}

impl<'a> Simulation<'a> {
    pub fn new(course: &'a Course) -> Self {
        let deck = &course.deck;
        let clock = Clock::new(course);
        let ids = deck.ids();
        Self {
            course,
            shelf: Shelf::full(deck, clock.at, course.days[0].number),
            clock,
            past: vec![Past::default(); course.users as usize],
            wins: HashMap::new(),
            player: PlayerHistory::default(),
            trail: Trail::default(),
            stops: Stops::new(ids),
            tally: Tally {
                won: vec![0; ids],
                rolled: vec![0; ids],
                ran_out: vec![None; ids],
                over_time: vec![[0; BUCKETS]; ids],
                hits: vec![vec![0; ids + 1]; deck.strategy().tables.len()],
                ..Tally::default()
            },
        }
    }

    /// The next draws, with the luck that [`Course::words`] found for them.
    pub fn follow<K: RecordSink>(&mut self, words: &[u64], keep: &mut K) {
        for word in words {
            self.turn(*word, keep);
            self.clock.tick(self.course);
        }
    }

    fn turn<K: RecordSink>(&mut self, word: u64, keep: &mut K) {
        let Self { course, clock, shelf, past, wins, player, trail, tally, stops } = self;
        let deck = &course.deck;
        let Some(known) = past.get_mut(clock.user) else { return };
        if !clock.admit(course, known, tally) {
            return;
        }
        let day = course.days[usize::from(clock.day)].number;
        shelf.advance(deck, clock.at, day);
        stops.look(deck, shelf.live(), tally.draws, clock.at);
        player.day = day;
        (player.draws, player.draws_today, player.misses) = (known.draws, known.today, known.misses);
        let user = clock.user as u64;
        player.wins.clear();
        if known.has_wins
            && let Some(wins) = wins.get(&user)
        {
            player.wins.extend_from_slice(wins);
        }
        let key = course.key(user, known.draws);
        let fallback_points = shelf.spent().fallback_points;
        let inputs = Inputs { key, player, live: shelf.live(), also: &[], fallback_points };
        // Who was refused before has made fewer draws than turns, and their luck is that of another number.
        let drawn = if known.draws == clock.lap {
            decide(deck, &course.generator.foreseen(word), &inputs, trail)
        } else {
            decide(deck, &course.generator, &inputs, trail)
        };
        stops.met(trail, clock.at);
        tally.count(clock.bucket, &drawn);
        let table = deck.table_of(player);
        let applies = deck.mode() == Mode::Fixed || trail.mattered_nothing(shelf.live());
        if applies && let Some(cell) = hit(&drawn, deck.ids()) {
            tally.hits[table][cell] += 1;
        }
        if K::RECORDS {
            let news = trail.mattered(shelf.live());
            keep.keep(Record::new(key, clock.at, player, vec![RecordedDraw { drawn, news }]));
        }
        shelf.give(deck, &drawn);
        known.draws += 1;
        known.today += 1;
        known.month += 1;
        match drawn.prize {
            None => known.misses += 1,
            Some(id) => {
                known.misses = 0;
                if deck.prize(id).is_some_and(|prize| prize.win_cap.is_some()) {
                    player.after(deck, &drawn);
                    wins.insert(user, player.wins.clone());
                    known.has_wins = true;
                }
                if shelf.live().reason(id) == Some(ExclusionReason::Exhausted) {
                    tally.ran_out[id.at()].get_or_insert(clock.at);
                }
            }
        }
    }

    pub fn report(self) -> SimulationReport {
        let (strategy, tally) = (self.course.deck.strategy(), self.tally);
        let stops = self.stops.finish(tally.draws);
        let prizes = strategy.prizes.iter().map(|prize| PrizeReport {
            id: prize.id,
            name: prize.name.clone(),
            wins: tally.won[prize.id.at()],
            rolled: tally.rolled[prize.id.at()],
            units: match prize.stock {
                PrizeStock::Unlimited => None,
                PrizeStock::Pool { units, .. } => Some(units),
            },
            ran_out: tally.ran_out[prize.id.at()],
            over_time: tally.over_time[prize.id.at()].to_vec(),
            stops: stops(prize.id),
        });
        let tables = strategy.tables.iter().zip(&tally.hits).map(|(table, hits)| {
            let none = Cell {
                prize: None,
                odds: strategy.whole - table.odds(),
                hits: hits.last().copied().unwrap_or_default(),
            };
            let slices = table.slices.iter().map(|slice| Cell {
                prize: Some(slice.prize),
                odds: slice.odds,
                hits: hits[slice.prize.at()],
            });
            let cells: Vec<Cell> = slices.chain([none]).collect();
            let counts: Vec<(u64, u64)> = cells.iter().map(|cell| (cell.hits, cell.odds)).collect();
            TableReport { rolls: hits.iter().sum(), cells, chi_square: chi_square(&counts) }
        });
        SimulationReport {
            draws: tally.draws,
            refused: tally.refused,
            users: self.course.users,
            misses: tally.misses,
            prizes: prizes.collect(),
            tables: tables.collect(),
            cost_minor: self.shelf.spent().total_minor,
            fallback_points: self.shelf.spent().fallback_points,
        }
    }
}

impl Tally {
    fn count(&mut self, bucket: usize, drawn: &DrawOutcome) {
        self.draws += 1;
        match drawn.prize {
            None => self.misses += 1,
            Some(id) => {
                self.won[id.at()] += 1;
                self.rolled[id.at()] += u64::from(drawn.why == DrawReason::Rolled);
                self.over_time[id.at()][bucket] += 1;
            }
        }
    }
}

/// The slice that the roll landed on, whatever came of it; the last cell is no prize.
fn hit(drawn: &DrawOutcome, ids: usize) -> Option<usize> {
    match drawn.why {
        DrawReason::Rolled => drawn.prize.map(PrizeId::at),
        DrawReason::NoPrize => Some(ids),
        DrawReason::Fallback(Cause::Excluded(hit)) => Some(hit.prize.at()),
        DrawReason::Fallback(Cause::NothingLeft | Cause::ConsolationGone | Cause::NoConsolation)
        | DrawReason::Consolation
        | DrawReason::Pity => None,
    }
}

/// Whose turn it is and when. Moments are spread without a remainder: draw i is at `from + span × i ÷ draws`.
#[derive(Clone, Debug)]
struct Clock {
    turn: u64,
    user: usize,
    lap: u32,
    at: Timestamp,
    /// What the division left over.
    rest: u64,
    day: u16,
    day_ends: Timestamp,
    bucket: usize,
    bucket_ends: u64,
    /// Milliseconds from one draw to the next, and what is left over.
    step: (i64, u64),
}

impl Clock {
    fn new(course: &Course) -> Self {
        let span = course.window.until.since_ms(course.window.from).max(1).unsigned_abs();
        let step = (i64::try_from(span / course.draws).unwrap_or(i64::MAX), span % course.draws);
        let mut clock = Self {
            turn: 0,
            user: 0,
            lap: 0,
            at: course.window.from,
            rest: 0,
            day: 0,
            day_ends: Timestamp(i64::MIN),
            bucket: 0,
            bucket_ends: bucket_ends(course, 0),
            step,
        };
        clock.day_ends = next_day(course, 0);
        clock.catch_up(course);
        clock
    }

    fn tick(&mut self, course: &Course) {
        self.turn += 1;
        self.user += 1;
        if self.user == course.users as usize {
            self.user = 0;
            self.lap = self.lap.saturating_add(1);
        }
        self.at = self.at + self.step.0;
        self.rest += self.step.1;
        if self.rest >= course.draws {
            self.rest -= course.draws;
            self.at = self.at + 1;
        }
        self.catch_up(course);
    }

    fn catch_up(&mut self, course: &Course) {
        while self.at >= self.day_ends {
            self.day += 1;
            self.day_ends = next_day(course, self.day);
        }
        while self.turn >= self.bucket_ends && self.bucket + 1 < BUCKETS {
            self.bucket += 1;
            self.bucket_ends = bucket_ends(course, self.bucket);
        }
    }

    /// Whether the user still has a chance, as the ledger would count it. Chances that are granted are not simulated, so
    /// without a number in all there is no limit.
    fn admit(&self, course: &Course, known: &mut Past, tally: &mut Tally) -> bool {
        if known.day != self.day {
            let month = |day: u16| course.days[usize::from(day)].number / 100;
            if month(known.day) != month(self.day) {
                known.month = 0;
            }
            (known.day, known.today) = (self.day, 0);
        }
        let (limits, refused) = (&course.chances, &mut tally.refused);
        let spent = |limit: u32, count: u32| limit > 0 && count >= limit;
        if course.entries.is_some_and(|entries| tally.draws >= entries) {
            refused.entries += 1;
        } else if spent(limits.total, known.draws) {
            refused.total += 1;
        } else if spent(limits.month, known.month) {
            refused.month += 1;
        } else if spent(limits.day, known.today) {
            refused.day += 1;
        } else {
            return true;
        }
        false
    }
}

fn next_day(course: &Course, day: u16) -> Timestamp {
    course.days.get(usize::from(day) + 1).map_or(Timestamp(i64::MAX), |next| next.from)
}

fn bucket_ends(course: &Course, bucket: usize) -> u64 {
    let ends = u128::from(course.draws) * (bucket as u128 + 1) / BUCKETS as u128;
    u64::try_from(ends).unwrap_or(u64::MAX)
}
