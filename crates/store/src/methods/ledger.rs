//! The ledger's projection: what is written from its events, and what is read of it.

use domain::ids::{ActivityId, UserId};
use domain::ledger::audit::{HoldRow, OrderBook, Owners, PlayRows, RoundBook};
use domain::ledger::{BlockDigest, Event, Key, PoolId};
use domain::page::{Page, PageRequest};

use crate::db::Db;
use crate::failure::Result;
use crate::ledger;
use crate::ledger::play::ask;
use crate::model::*;

impl Db {
    pub async fn ledger_position(&self) -> Result<LedgerPosition> {
        self.read((), |tx, ()| Box::pin(ledger::position(tx))).await
    }

    /// Projects a batch, exactly once: what is already there is skipped, a gap is a fault, and a term older than the
    /// one reached is refused as a lost lease. Rows and position are one transaction. Answers the position reached.
    pub async fn ledger_project(&self, events: Vec<Event>) -> Result<LedgerPosition> {
        self.ledger_project_chained(events, None).await
    }

    /// The same from a log that chains its blocks: the digest of the block that holds the last of these events is kept
    /// with the position.
    pub async fn ledger_project_chained(
        &self,
        events: Vec<Event>,
        digest: Option<BlockDigest>,
    ) -> Result<LedgerPosition> {
        self.write((events, digest), |tx, (events, digest)| Box::pin(ledger::project(tx, events, *digest)))
            .await
    }

    /// What a ledger starts from, on one consistent view.
    pub async fn ledger_load(&self) -> Result<LedgerImage> {
        self.read((), |tx, ()| Box::pin(ledger::load(tx))).await
    }

    /// What an id stands for that the ledger has let go of.
    pub async fn id_find(&self, key: Key) -> Result<IdLookUp> {
        self.read(key, |tx, key| Box::pin(ledger::find_id(tx, key))).await
    }

    pub async fn hold_find(&self, key: Key) -> Result<HoldLookUp> {
        self.read(key, |tx, key| Box::pin(ledger::find_hold(tx, key))).await
    }

    /// The newest first.
    pub async fn hold_list(&self, search: HoldSearch, page: PageRequest) -> Result<Page<StoredHold>> {
        self.read((search, page), |tx, step| Box::pin(ledger::list_holds(tx, step))).await
    }

    /// What happened to a hold, in order; nothing if there is no such hold.
    pub async fn hold_life(&self, key: Key) -> Result<Vec<LifeStep>> {
        self.read(key, |tx, key| Box::pin(ledger::life(tx, key))).await
    }

    /// What a hold moved at these events; `made` is the first of its life.
    pub async fn hold_movements(&self, made: u64, events: Vec<u64>) -> Result<Vec<Movement>> {
        self.read((made, events), |tx, step| Box::pin(ledger::list_movements_of_hold(tx, step))).await
    }

    /// A pool's current round.
    pub async fn pool_find(&self, pool: PoolId) -> Result<Option<NamedPool>> {
        self.read(pool, |tx, pool| Box::pin(ledger::pool(tx, pool))).await
    }

    /// Current rounds, those of the newest pools first.
    pub async fn pool_list(&self, search: PoolSearch, page: PageRequest) -> Result<Page<NamedPool>> {
        self.read((search, page), |tx, step| Box::pin(ledger::list_pools(tx, step))).await
    }

    /// The newest first, of one pool or of all.
    pub async fn movements(&self, pool: Option<PoolId>, page: PageRequest) -> Result<Page<Movement>> {
        self.read((pool, page), |tx, step| Box::pin(ledger::list_movements(tx, step))).await
    }
}

impl Db {
    /// A player's tickets in one round, the newest first; a page goes on after the event that made a ticket.
    pub async fn tickets_of(
        &self,
        user: UserId,
        round: (ActivityId, u32),
        page: PageRequest,
    ) -> Result<Page<StoredTicket>> {
        self.read((user, round, page), |tx, step| Box::pin(ask::tickets_of(tx, step))).await
    }

    /// What somebody won anywhere, the newest first.
    pub async fn wins_of(&self, user: UserId, page: PageRequest) -> Result<Page<Win>> {
        self.read((user, page), |tx, step| Box::pin(ask::wins_of(tx, step))).await
    }

    /// What was won in an activity after that win, the newest first.
    pub async fn wins_newest(&self, activity: ActivityId, after: i64, limit: u32) -> Result<Vec<Win>> {
        self.read((activity, after, limit), |tx, step| Box::pin(ask::wins_newest(tx, step))).await
    }

    /// What was won in an activity after that win, in order; [`PLAYS_MAX`] at most.
    pub async fn wins_after(&self, activity: ActivityId, after: i64, limit: u32) -> Result<Vec<Win>> {
        self.read((activity, after, limit), |tx, step| Box::pin(ask::wins_after(tx, step))).await
    }

    /// Those who won the most in a round, the first first; [`LEADERS_MAX`] at most.
    pub async fn leaders(&self, round: (ActivityId, u32), limit: u32) -> Result<Vec<(UserId, u32)>> {
        self.read((round, limit), |tx, step| Box::pin(ask::leaders(tx, step))).await
    }

    /// The first [`MINUTES_MAX`] minutes of a round, in order; a minute without draws has no row.
    pub async fn draw_minutes(&self, activity: ActivityId, round: u32) -> Result<Vec<DrawMinute>> {
        self.read((activity, round), |tx, step| Box::pin(ask::draw_minutes(tx, step))).await
    }

    /// Hours of a round from this one on, in order; [`PLAYS_MAX`] rows at most, of which the last hour may be cut short.
    pub async fn draw_hours(&self, round: (ActivityId, u32), from_hour: i64) -> Result<Vec<DrawHour>> {
        self.read((round, from_hour), |tx, step| Box::pin(ask::draw_hours(tx, step))).await
    }

    /// A round with all it has come to.
    pub async fn round_find(&self, round: (ActivityId, u32)) -> Result<Option<StoredRound>> {
        self.read(round, |tx, step| Box::pin(ask::round_find(tx, step))).await
    }

    /// Records of a chain after a place, in order; [`PLAYS_MAX`] at most.
    pub async fn chain_page(&self, chain: ChainKey, after: u64, limit: u32) -> Result<Vec<ChainedRecord>> {
        self.read((chain, after, limit), |tx, step| Box::pin(ask::chain_page(tx, step))).await
    }

    /// Players of a round by id; [`PLAYS_MAX`] at most. Those who were only granted chances are among them.
    pub async fn players_page(
        &self,
        round: (ActivityId, u32),
        after: UserId,
        limit: u32,
    ) -> Result<Vec<(UserId, domain::ledger::play::Account)>> {
        self.read((round, after, limit), |tx, step| Box::pin(ask::players_page(tx, step))).await
    }

    /// Rounds that somebody has a part in, those of the newest activities first, among the newest [`SEARCHED_MAX`].
    pub async fn played_by(&self, user: UserId, limit: u32) -> Result<Vec<PlayedRound>> {
        self.read((user, limit), |tx, step| Box::pin(ask::played_by(tx, step))).await
    }
}

impl Db {
    /// Rounds in the order asked for.
    pub async fn books_rounds(&self, rounds: Vec<RoundLookup>) -> Result<Books<Vec<Option<RoundBook>>>> {
        self.read(rounds, |tx, step| Box::pin(ledger::book_rounds(tx, step))).await
    }

    /// Owners of a round whose digests, as signed numbers, lie between two.
    pub async fn books_owners(&self, round: (PoolId, u32), between: (i64, i64)) -> Result<Books<Owners>> {
        self.read((round, between), |tx, step| Box::pin(ledger::book_owners(tx, step))).await
    }

    /// Holds by the event that made them, in the order asked for.
    pub async fn books_holds(&self, made: Vec<u64>) -> Result<Books<Vec<Option<HoldRow>>>> {
        self.read(made, |tx, step| Box::pin(ledger::book_holds(tx, step))).await
    }

    /// Rounds of activities in the order asked for.
    pub async fn books_plays(&self, rounds: Vec<(ActivityId, u32)>) -> Result<Books<Vec<Option<PlayRows>>>> {
        self.read(rounds, |tx, step| Box::pin(ledger::book_plays(tx, step))).await
    }

    /// The rounds after one, in the order of pool and round, with the sums of their movements. Fewer than asked for when
    /// there are many movements; none at the end.
    pub async fn books_rounds_after(&self, after: (PoolId, u32)) -> Result<Vec<MovedRound>> {
        self.read(after, |tx, step| Box::pin(ledger::rounds_after(tx, step))).await
    }

    /// The same for rounds by their keys, in the order asked for; of at most one slice.
    pub async fn books_moved(&self, rounds: Vec<(PoolId, u32)>) -> Result<Books<Vec<Option<MovedRound>>>> {
        self.read(rounds, |tx, step| Box::pin(ledger::rounds_moved(tx, step))).await
    }

    /// Open holds after a place.
    pub async fn books_open_after(&self, after: OpenPlace) -> Result<Vec<(OpenPlace, Key)>> {
        self.read(after, |tx, step| Box::pin(ledger::open_after(tx, step))).await
    }

    /// Orders of the holds after an event, each beside its hold.
    pub async fn books_orders_after(&self, made_seq: u64) -> Result<OrderSlice> {
        self.read(made_seq, |tx, after| Box::pin(ledger::orders_after(tx, *after))).await
    }

    /// Orders by the events that made their holds.
    pub async fn books_orders(&self, made: Vec<u64>) -> Result<Books<Vec<OrderBook>>> {
        self.read(made, |tx, made| Box::pin(ledger::book_orders(tx, made))).await
    }

    /// Answers whether the position was still the one named; if not, nothing was written.
    pub async fn books_correct(&self, step: Correct) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(ledger::correct(tx, step))).await
    }
}
