//! The reference's draws: the lottery decides, over counters that are counted anew from the list of all draws.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Draw, PlayerState, PrizeTally, RoundState, RoundTotals, Settlement, Table};
use domain::ledger::{PlayRefusal, PoolId, PoolState, Refusal};
use domain::lottery::chain::Receipt;
use domain::lottery::decide::PlayerHistory;
use domain::lottery::random::{ClientValue, DrawKey, Generator};
use domain::lottery::record::Record;
use domain::lottery::shelf::{PrizeUnits, Shelf, Spending};
use domain::lottery::strategy::{PrizeId, PrizeStock};
use domain::lottery::ticket::{pool_lines, settle};
use domain::player_number::PlayerNumber;
use domain::time::{HOUR_MS, Timestamp};

use super::decks::{PRIZES, id, secret_of};
use super::ledger::{Model, Verdict};
use super::play::{Activity, Came, Paid};
use super::said::Said;
use super::tickets::Asked;

impl Model {
    pub(super) fn draw(&mut self, draw: &Draw) -> Verdict {
        let Draw { key, activity: of, round, user, draws, day, client, standing, table } = draw;
        let asked = Asked::Draw { activity: *of, user: *user, draws: *draws, client: *client };
        if let Some(again) = self.ticket_again(*key, asked)? {
            return Ok(again);
        }
        let mut admitted = self.admit(*of, *round, *user, *draws, *day)?;
        let activity = self.activity(*of).expect("it was found a moment ago");
        if activity.terms.begin != Some(table.begin()) {
            return Err(Refusal::Play(PlayRefusal::VersionStale {
                activity: *of,
                version: activity.terms.version,
            }));
        }
        let account = self.account(*of, *round, *user);
        let fixed = activity.client(*user).unwrap_or_default();
        let fixes = match client {
            Some(value) if account.draws == 0 => Some(*value),
            Some(value) if *value != fixed => {
                return Err(Refusal::Play(PlayRefusal::ClientValueFixed { activity: *of }));
            }
            Some(_) | None => None,
        };
        let player = PlayerHistory {
            day: admitted.day,
            draws_today: if account.day == admitted.day { account.day_draws } else { 0 },
            draws: account.draws,
            points_spent: standing.points_spent,
            misses: account.misses,
            blocked: standing.blocked,
            rule_path: standing.rule_path,
            wins: activity.capped(*user),
            withdrawn: standing.withdrawn.clone(),
        };
        let drawn_with = DrawKey {
            activity: *of,
            round: *round,
            version: activity.terms.version,
            seat: activity.seat(*user),
            n: account.draws,
            client: fixes.unwrap_or(fixed),
        };
        let generator = Generator::new(&secret_of(&table.published().commitment));
        let shelf = self.shelf(activity, table, admitted.day);
        let record = settle(table.deck(), &generator, &shelf, drawn_with, &player, *draws);
        admitted.units.extend(self.prizes(&pool_lines(table.deck(), &record))?);
        let settlement = Settlement::new(&record.encode()).expect("a short record");
        let receipt = activity.chain().next(settlement.bytes());
        let ended = (settlement.clone(), Some(receipt));
        let view = self.ticket(*key, asked, (*of, *user, *draws), admitted, ended);
        let last = self.activities.get_mut(of).and_then(|rounds| rounds.last_mut()).expect("it is there");
        last.records.push(settlement);
        last.clients.extend(fixes.map(|value| (*user, value)));
        let from = last.paid.len() - record.draws.len();
        for (paid, came) in last.paid[from..].iter_mut().zip(came(table, &record)) {
            paid.came = Some(came);
        }
        Ok(Said::Accepted(self.ticket_outcome(&view)))
    }

    /// A fresh shelf, from the list of all draws and the pools as they are.
    fn shelf(&self, activity: &Activity, table: &Table, day: u32) -> Shelf {
        let now = activity.moment(self.now);
        let units = |prize: PrizeId| {
            let (left, gone) = match table.deck().prize(prize).map(|prize| prize.stock) {
                Some(PrizeStock::Pool { pool, .. }) => self.free(pool),
                Some(PrizeStock::Unlimited) | None => (0, false),
            };
            PrizeUnits {
                left,
                given: activity.given(prize, |_| true),
                given_this_hour: small(activity.given_lately(prize, hour(now))),
                withdrawn: activity.is_withdrawn(prize) || gone,
            }
        };
        Shelf::restore(table.deck(), now, day, activity.spent(day), units)
    }

    fn free(&self, pool: PoolId) -> (u64, bool) {
        self.pool(pool).map_or((0, true), |view| (view.available, view.state != PoolState::Open))
    }

    /// What the current round has come to, as the ledger should know it.
    pub fn round(&self, activity: ActivityId) -> Option<RoundState> {
        let now = self.activity(activity)?;
        let prizes = (0..=PRIZES).map(id).filter_map(|prize| {
            let mut hours =
                now.paid.iter().filter(|paid| paid.won() == Some(prize)).map(|paid| hour(paid.at));
            let (given, last) = (now.given(prize, |_| true), hours.next_back());
            let known = given > 0 || now.withdrawn.iter().any(|(of, _)| *of == prize);
            let in_hour = last.map_or(0, |last| now.given_lately(prize, last));
            let withdrawn = now.is_withdrawn(prize);
            let (hour, in_hour) = (last.unwrap_or(0), small(in_hour));
            known.then_some((prize, PrizeTally { given, hour, in_hour, withdrawn }))
        });
        let winning = now.paid.iter().rfind(|paid| paid.won().is_some());
        let day = winning.map_or(0, |paid| paid.day);
        Some(RoundState { chain: now.chain(), tally: RoundTotals::restore(now.spent(day), day, prizes) })
    }

    /// Everything that should be known of a player in the current round.
    pub fn player_state(&self, activity: ActivityId, user: UserId) -> Option<PlayerState> {
        let now = self.activity(activity)?;
        let round = u32::try_from(self.activities[&activity].len()).expect("few rounds");
        Some(PlayerState {
            account: self.account(activity, round, user),
            seat: now.paid.iter().any(|paid| paid.user == user).then(|| now.seat(user)),
            last: now.paid.iter().filter(|paid| paid.user == user).map(|paid| paid.change).max().unwrap_or(0),
            client: now.client(user),
            wins: now.capped(user),
        })
    }
}

impl Activity {
    /// Players are numbered in the order in which they paid for a first draw.
    fn seat(&self, user: UserId) -> PlayerNumber {
        let mut seated: Vec<UserId> = Vec::new();
        for paid in &self.paid {
            if !seated.contains(&paid.user) {
                seated.push(paid.user);
            }
        }
        let before = seated.iter().take_while(|other| **other != user).count();
        PlayerNumber::after(u32::try_from(before).ok().and_then(PlayerNumber::new))
    }

    pub(super) fn client(&self, user: UserId) -> Option<ClientValue> {
        self.clients.iter().find(|(who, _)| *who == user).map(|(_, value)| *value)
    }

    /// Wins of prizes with a cap, in the order of the first of each.
    fn capped(&self, user: UserId) -> Vec<(PrizeId, u32)> {
        let mut wins: Vec<(PrizeId, u32)> = Vec::new();
        for came in self.paid.iter().filter(|paid| paid.user == user).filter_map(|paid| paid.came) {
            let Some(prize) = came.prize.filter(|_| came.capped) else { continue };
            match wins.iter_mut().find(|(of, _)| *of == prize) {
                Some((_, units)) => *units += 1,
                None => wins.push((prize, 1)),
            }
        }
        wins
    }

    fn given(&self, prize: PrizeId, which: impl Fn(&Paid) -> bool) -> u64 {
        self.paid.iter().filter(|paid| paid.won() == Some(prize) && which(paid)).count() as u64
    }

    /// The moment a draw is recorded with: records are in the order of time, whatever the clock does.
    pub(super) fn moment(&self, now: Timestamp) -> Timestamp {
        let drawn = self.paid.iter().filter(|paid| paid.came.is_some()).map(|paid| paid.at);
        drawn.max().map_or(now, |last| last.max(now))
    }

    /// In an hour, as far as it is the hour of the last ones given.
    fn given_lately(&self, prize: PrizeId, of: i64) -> u64 {
        let given = self.paid.iter().rev().filter(|paid| paid.won() == Some(prize));
        given.take_while(|paid| hour(paid.at) == of).count() as u64
    }

    fn is_withdrawn(&self, prize: PrizeId) -> bool {
        self.withdrawn.iter().rev().find(|(of, _)| *of == prize).is_some_and(|(_, withdrawn)| *withdrawn)
    }

    /// In all, and on one day.
    fn spent(&self, day: u32) -> Spending {
        let sum = |of: fn(&Came) -> u64, which: &dyn Fn(&Paid) -> bool| {
            let came = self.paid.iter().filter(|paid| which(paid)).filter_map(|paid| paid.came);
            came.map(|came| of(&came)).sum()
        };
        Spending {
            total_minor: sum(|came| came.cost_minor, &|_| true),
            day_minor: sum(|came| came.cost_minor, &|paid| paid.day == day),
            fallback_points: sum(|came| came.points, &|_| true),
        }
    }

    /// From where it begins, record by record.
    fn chain(&self) -> Receipt {
        self.records.iter().fold(self.terms.begin_chain(), |last, record| last.next(record.bytes()))
    }
}

impl Paid {
    fn won(&self) -> Option<PrizeId> {
        self.came.and_then(|came| came.prize)
    }
}

fn came(table: &Table, record: &Record) -> Vec<Came> {
    let came = |drawn: domain::lottery::decide::DrawOutcome| {
        let prize = drawn.prize.and_then(|prize| table.deck().prize(prize));
        Came {
            prize: drawn.prize,
            points: drawn.points,
            cost_minor: prize.map_or(0, |prize| prize.cost_minor),
            capped: prize.is_some_and(|prize| prize.win_cap.is_some()),
        }
    };
    record.draws.iter().map(|draw| came(draw.drawn)).collect()
}

fn hour(at: Timestamp) -> i64 {
    at.0.div_euclid(HOUR_MS)
}

fn small(units: u64) -> u32 {
    u32::try_from(units).expect("few draws")
}
