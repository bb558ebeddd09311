//! The ledger's projection: what is written from its events, and what is read of it.

use async_trait::async_trait;
use domain::ids::{ActivityId, UserId};
use domain::ledger::audit::{HoldRow, OrderBook, Owners, PlayRows, RoundBook};
use domain::ledger::{Event, Key, PoolId};
use domain::page::{Page, PageRequest};
use engine::Outcome;
use engine::ports::*;

use crate::db::Db;
use crate::ledger;
use crate::ledger::play::ask;

#[async_trait]
impl LedgerStore for Db {
    async fn ledger_position(&self) -> Outcome<LedgerPosition> {
        self.read((), |tx, ()| Box::pin(ledger::position(tx))).await
    }

    async fn ledger_project(&self, events: Vec<Event>) -> Outcome<LedgerPosition> {
        self.write(events, |tx, events| Box::pin(ledger::project(tx, events))).await
    }

    async fn ledger_load(&self) -> Outcome<LedgerImage> {
        self.read((), |tx, ()| Box::pin(ledger::load(tx))).await
    }

    async fn id_find(&self, key: Key) -> Outcome<IdLookUp> {
        self.read(key, |tx, key| Box::pin(ledger::find_id(tx, key))).await
    }

    async fn hold_find(&self, key: Key) -> Outcome<HoldLookUp> {
        self.read(key, |tx, key| Box::pin(ledger::find_hold(tx, key))).await
    }

    async fn hold_list(&self, search: HoldSearch, page: PageRequest) -> Outcome<Page<StoredHold>> {
        self.read((search, page), |tx, step| Box::pin(ledger::list_holds(tx, step))).await
    }

    async fn hold_life(&self, key: Key) -> Outcome<Vec<LifeStep>> {
        self.read(key, |tx, key| Box::pin(ledger::life(tx, key))).await
    }

    async fn hold_movements(&self, made: u64, events: Vec<u64>) -> Outcome<Vec<Movement>> {
        self.read((made, events), |tx, step| Box::pin(ledger::list_movements_of_hold(tx, step))).await
    }

    async fn pool_find(&self, pool: PoolId) -> Outcome<Option<NamedPool>> {
        self.read(pool, |tx, pool| Box::pin(ledger::pool(tx, pool))).await
    }

    async fn pool_list(&self, search: PoolSearch, page: PageRequest) -> Outcome<Page<NamedPool>> {
        self.read((search, page), |tx, step| Box::pin(ledger::list_pools(tx, step))).await
    }

    async fn movements(&self, pool: Option<PoolId>, page: PageRequest) -> Outcome<Page<Movement>> {
        self.read((pool, page), |tx, step| Box::pin(ledger::list_movements(tx, step))).await
    }
}

#[async_trait]
impl Plays for Db {
    async fn tickets_of(
        &self,
        user: UserId,
        round: (ActivityId, u32),
        page: PageRequest,
    ) -> Outcome<Page<StoredTicket>> {
        self.read((user, round, page), |tx, step| Box::pin(ask::tickets_of(tx, step))).await
    }

    async fn wins_of(&self, user: UserId, page: PageRequest) -> Outcome<Page<Win>> {
        self.read((user, page), |tx, step| Box::pin(ask::wins_of(tx, step))).await
    }

    async fn wins_newest(&self, activity: ActivityId, after: i64, limit: u32) -> Outcome<Vec<Win>> {
        self.read((activity, after, limit), |tx, step| Box::pin(ask::wins_newest(tx, step))).await
    }

    async fn wins_after(&self, activity: ActivityId, after: i64, limit: u32) -> Outcome<Vec<Win>> {
        self.read((activity, after, limit), |tx, step| Box::pin(ask::wins_after(tx, step))).await
    }

    async fn leaders(&self, round: (ActivityId, u32), limit: u32) -> Outcome<Vec<(UserId, u32)>> {
        self.read((round, limit), |tx, step| Box::pin(ask::leaders(tx, step))).await
    }

    async fn draw_hours(&self, round: (ActivityId, u32), from_hour: i64) -> Outcome<Vec<DrawHour>> {
        self.read((round, from_hour), |tx, step| Box::pin(ask::draw_hours(tx, step))).await
    }

    async fn round_find(&self, round: (ActivityId, u32)) -> Outcome<Option<StoredRound>> {
        self.read(round, |tx, step| Box::pin(ask::round_find(tx, step))).await
    }

    async fn chain_page(&self, chain: ChainKey, after: u64, limit: u32) -> Outcome<Vec<ChainedRecord>> {
        self.read((chain, after, limit), |tx, step| Box::pin(ask::chain_page(tx, step))).await
    }

    async fn players_page(
        &self,
        round: (ActivityId, u32),
        after: UserId,
        limit: u32,
    ) -> Outcome<Vec<(UserId, domain::ledger::play::Account)>> {
        self.read((round, after, limit), |tx, step| Box::pin(ask::players_page(tx, step))).await
    }

    async fn played_by(&self, user: UserId, limit: u32) -> Outcome<Vec<PlayedRound>> {
        self.read((user, limit), |tx, step| Box::pin(ask::played_by(tx, step))).await
    }
}

#[async_trait]
impl LedgerBooks for Db {
    async fn books_rounds(&self, rounds: Vec<RoundAsked>) -> Outcome<Books<Vec<Option<RoundBook>>>> {
        self.read(rounds, |tx, step| Box::pin(ledger::book_rounds(tx, step))).await
    }

    async fn books_owners(&self, round: (PoolId, u32), between: (i64, i64)) -> Outcome<Books<Owners>> {
        self.read((round, between), |tx, step| Box::pin(ledger::book_owners(tx, step))).await
    }

    async fn books_holds(&self, made: Vec<u64>) -> Outcome<Books<Vec<Option<HoldRow>>>> {
        self.read(made, |tx, step| Box::pin(ledger::book_holds(tx, step))).await
    }

    async fn books_plays(&self, rounds: Vec<(ActivityId, u32)>) -> Outcome<Books<Vec<Option<PlayRows>>>> {
        self.read(rounds, |tx, step| Box::pin(ledger::book_plays(tx, step))).await
    }

    async fn books_rounds_after(&self, after: (PoolId, u32)) -> Outcome<Vec<MovedRound>> {
        self.read(after, |tx, step| Box::pin(ledger::rounds_after(tx, step))).await
    }

    async fn books_moved(&self, rounds: Vec<(PoolId, u32)>) -> Outcome<Books<Vec<Option<MovedRound>>>> {
        self.read(rounds, |tx, step| Box::pin(ledger::rounds_moved(tx, step))).await
    }

    async fn books_open_after(&self, after: OpenPlace) -> Outcome<Vec<(OpenPlace, Key)>> {
        self.read(after, |tx, step| Box::pin(ledger::open_after(tx, step))).await
    }

    async fn books_orders_after(&self, made_seq: u64) -> Outcome<OrdersLooked> {
        self.read(made_seq, |tx, after| Box::pin(ledger::orders_after(tx, *after))).await
    }

    async fn books_orders(&self, made: Vec<u64>) -> Outcome<Books<Vec<OrderBook>>> {
        self.read(made, |tx, made| Box::pin(ledger::book_orders(tx, made))).await
    }

    async fn books_correct(&self, step: Correct) -> Outcome<bool> {
        self.write(step, |tx, step| Box::pin(ledger::correct(tx, step))).await
    }
}
