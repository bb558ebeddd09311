//! What operators draw up: activities, rule trees, block lists, raffles.

use async_trait::async_trait;
use domain::ids::{ActivityId, TreeId, UserId};
use domain::lottery::strategy::PrizeId;
use domain::page::{Page, PageRequest};
use domain::raffle::Entrant;
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::*;

use crate::db::Db;
use crate::steps::{activities, block_list, raffles, trees};

#[async_trait]
impl Activities for Db {
    async fn activity_create(&self, step: ActivityCreate) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(activities::create(tx, step))).await
    }

    async fn activity_edit(&self, step: ActivityEdit) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(activities::edit(tx, step))).await
    }

    async fn activity_act(&self, step: ActivityAct) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(activities::act(tx, step))).await
    }

    async fn activity_find(&self, id: ActivityId) -> Outcome<Option<ActivityRow>> {
        self.read(id, |tx, id| Box::pin(activities::find(tx, id))).await
    }

    async fn activity_list(&self, search: ActivitySearch, page: PageRequest) -> Outcome<Page<ActivityRow>> {
        self.read((search, page), |tx, step| Box::pin(activities::list(tx, step))).await
    }

    async fn version_find(&self, id: ActivityId, number: u32) -> Outcome<Option<VersionRow>> {
        self.read((id, number), |tx, step| Box::pin(activities::version_find(tx, step))).await
    }

    async fn version_list(&self, id: ActivityId, page: PageRequest) -> Outcome<Page<VersionRow>> {
        self.read((id, page), |tx, step| Box::pin(activities::version_list(tx, step))).await
    }

    async fn activities_due(&self, now: Timestamp, after: i64, limit: u32) -> Outcome<Vec<ActivityId>> {
        self.read((now, after, limit), |tx, step| Box::pin(activities::due(tx, step))).await
    }

    async fn activity_tick(&self, fence: Fence, id: ActivityId, signed: Signed) -> Outcome<bool> {
        self.write((fence, id, signed), |tx, step| Box::pin(activities::tick(tx, step))).await
    }

    async fn carry_find(&self, id: ActivityId) -> Outcome<Option<Carry>> {
        self.read(id, |tx, id| Box::pin(activities::carry_find(tx, id))).await
    }

    async fn carried(&self, step: Carried) -> Outcome<bool> {
        self.write(step, |tx, step| Box::pin(activities::carried(tx, step))).await
    }

    async fn secret_list(&self, id: ActivityId) -> Outcome<Vec<SecretRow>> {
        self.read(id, |tx, id| Box::pin(activities::secret_list(tx, id))).await
    }

    async fn secrets_reveal(&self, fence: Fence, signed: Signed) -> Outcome<Option<(ActivityId, u32)>> {
        self.write((fence, signed), |tx, step| Box::pin(activities::reveal(tx, step))).await
    }

    async fn halted(&self) -> Outcome<bool> {
        self.read((), |tx, ()| Box::pin(activities::halted(tx))).await
    }

    async fn activities_open(&self, after: i64, limit: u32) -> Outcome<Vec<ActivityId>> {
        self.read((after, limit), |tx, step| Box::pin(activities::activities_open(tx, step))).await
    }

    async fn low_stock_list(&self, id: ActivityId) -> Outcome<Vec<LowStock>> {
        self.read(id, |tx, id| Box::pin(activities::low_stock_list(tx, id))).await
    }

    async fn low_stock_set(&self, fence: Fence, step: LowStockSet) -> Outcome<bool> {
        self.write((fence, step), |tx, step| Box::pin(activities::low_stock_set(tx, step))).await
    }

    async fn published_find(&self, id: ActivityId) -> Outcome<Option<PublishedActivity>> {
        self.read(id, |tx, id| Box::pin(activities::published_find(tx, id))).await
    }

    async fn published_list(&self, page: PageRequest) -> Outcome<Page<ActivityRow>> {
        self.read(page, |tx, page| Box::pin(activities::published_list(tx, page))).await
    }
}

#[async_trait]
impl Trees for Db {
    async fn tree_create(&self, step: TreeCreate) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(trees::create(tx, step))).await
    }

    async fn tree_save(&self, step: TreeSave) -> Outcome<u32> {
        self.write(step, |tx, step| Box::pin(trees::save(tx, step))).await
    }

    async fn tree_find(&self, tree: TreeId, version: Option<u32>) -> Outcome<Option<TreeVersion>> {
        self.read((tree, version), |tx, step| Box::pin(trees::find(tx, step))).await
    }

    async fn tree_list(&self, query: TreeQuery, page: PageRequest) -> Outcome<Page<TreeRow>> {
        self.read((query, page), |tx, step| Box::pin(trees::list(tx, step))).await
    }
}

#[async_trait]
impl BlockLists for Db {
    async fn block_list_add(&self, step: BlockListAdd) -> Outcome<Vec<BlockFate>> {
        self.write(step, |tx, step| Box::pin(block_list::add(tx, step))).await
    }

    async fn block_list_remove(&self, step: BlockListRemove) -> Outcome<bool> {
        self.write(step, |tx, step| Box::pin(block_list::remove(tx, step))).await
    }

    async fn block_list_page(&self, activity: ActivityId, page: PageRequest) -> Outcome<Page<BlockedRow>> {
        self.read((activity, page), |tx, step| Box::pin(block_list::page(tx, step))).await
    }

    async fn block_list_load(&self, activity: ActivityId) -> Outcome<(u64, Vec<UserId>)> {
        self.read(activity, |tx, step| Box::pin(block_list::load(tx, step))).await
    }
}

#[async_trait]
impl Raffles for Db {
    async fn raffles_due(&self, now: Timestamp, after: RaffleRound, limit: u32) -> Outcome<Vec<RaffleDue>> {
        self.read((now, after, limit), |tx, step| Box::pin(raffles::due(tx, step))).await
    }

    async fn raffle_entrants(
        &self,
        round: RaffleRound,
        after: UserId,
        limit: u32,
    ) -> Outcome<Vec<(UserId, Entrant)>> {
        self.read((round, after, limit), |tx, step| Box::pin(raffles::entrants(tx, step))).await
    }

    async fn roll_piece_put(&self, fence: Fence, piece: RollPiece) -> Outcome<bool> {
        self.write((fence, piece), |tx, step| Box::pin(raffles::piece_put(tx, step))).await
    }

    async fn roll_publish(&self, fence: Fence, step: RollPublish, signed: Signed) -> Outcome<bool> {
        self.write((fence, step, signed), |tx, step| Box::pin(raffles::publish(tx, step))).await
    }

    async fn raffle_find(&self, round: RaffleRound) -> Outcome<Option<RaffleRow>> {
        self.read(round, |tx, round| Box::pin(raffles::find(tx, round))).await
    }

    async fn raffle_list(&self, activity: ActivityId) -> Outcome<Vec<RaffleRow>> {
        self.read(activity, |tx, activity| Box::pin(raffles::list(tx, activity))).await
    }

    async fn roll_piece(&self, round: RaffleRound, number: u32) -> Outcome<Option<Vec<u8>>> {
        self.read((round, number), |tx, step| Box::pin(raffles::piece(tx, step))).await
    }

    async fn beacon_set(&self, step: BeaconSet) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(raffles::beacon_set(tx, step))).await
    }

    async fn raffle_draw(&self, fence: Fence, step: RaffleDraw, signed: Signed) -> Outcome<bool> {
        self.write((fence, step, signed), |tx, step| Box::pin(raffles::draw(tx, step))).await
    }

    async fn raffle_given(&self, round: RaffleRound) -> Outcome<Vec<(PrizeId, u64)>> {
        self.read(round, |tx, round| Box::pin(raffles::given(tx, round))).await
    }

    async fn raffle_winners(&self, round: RaffleRound, from: u32, limit: u32) -> Outcome<Vec<WinnerRow>> {
        self.read((round, from, limit), |tx, step| Box::pin(raffles::winners(tx, step))).await
    }
}
