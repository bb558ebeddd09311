//! What operators draw up: activities, rule trees, block lists, raffles.

use domain::ids::{ActivityId, TreeId, UserId};
use domain::lottery::strategy::PrizeId;
use domain::page::{Page, PageRequest};
use domain::raffle::Entrant;
use domain::time::Timestamp;

use crate::db::Db;
use crate::failure::Result;
use crate::model::*;
use crate::steps::{activities, block_list, raffles, trees};

impl Db {
    pub async fn activity_create(&self, step: ActivityCreate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(activities::create(tx, step))).await
    }

    pub async fn activity_edit(&self, step: ActivityEdit) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(activities::edit(tx, step))).await
    }

    pub async fn activity_act(&self, step: ActivityAct) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(activities::act(tx, step))).await
    }

    /// Takes the version in the making back; an activity that was never published goes with it.
    pub async fn activity_discard(&self, step: ActivityDiscard) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(activities::discard(tx, step))).await
    }

    /// Versions that ask a rule tree; `limit` of them at most.
    pub async fn tree_uses(&self, tree: TreeId, limit: u32) -> Result<Vec<TreeUse>> {
        self.read((tree, limit), |tx, step| Box::pin(activities::tree_uses(tx, step))).await
    }

    pub async fn activity_find(&self, id: ActivityId) -> Result<Option<ActivityRow>> {
        self.read(id, |tx, id| Box::pin(activities::find(tx, id))).await
    }

    /// The newest first.
    pub async fn activity_list(
        &self,
        search: ActivitySearch,
        page: PageRequest,
    ) -> Result<Page<ActivityRow>> {
        self.read((search, page), |tx, step| Box::pin(activities::list(tx, step))).await
    }

    pub async fn version_find(&self, id: ActivityId, number: u32) -> Result<Option<VersionRow>> {
        self.read((id, number), |tx, step| Box::pin(activities::version_find(tx, step))).await
    }

    /// The newest first.
    pub async fn version_list(&self, id: ActivityId, page: PageRequest) -> Result<Page<VersionRow>> {
        self.read((id, page), |tx, step| Box::pin(activities::version_list(tx, step))).await
    }

    /// What the clock or the ledger waits for, in the order of ids, after one.
    pub async fn activities_due(&self, now: Timestamp, after: i64, limit: u32) -> Result<Vec<ActivityId>> {
        self.read((now, after, limit), |tx, step| Box::pin(activities::due(tx, step))).await
    }

    /// Takes the step that the clock asks for, if it does; answers whether it did.
    pub async fn activity_tick(&self, fence: Fence, id: ActivityId, signed: AuditStamp) -> Result<bool> {
        self.write((fence, id, signed), |tx, step| Box::pin(activities::tick(tx, step))).await
    }

    /// What the ledger has to hear; nothing when it has everything.
    pub async fn carry_find(&self, id: ActivityId) -> Result<Option<Carry>> {
        self.read(id, |tx, id| Box::pin(activities::carry_find(tx, id))).await
    }

    /// Answers whether there was no further step meanwhile.
    pub async fn ledger_synced(&self, step: LedgerSynced) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(activities::mark_synced(tx, step))).await
    }

    /// In the order of rounds and versions.
    pub async fn secret_list(&self, id: ActivityId) -> Result<Vec<SecretRow>> {
        self.read(id, |tx, id| Box::pin(activities::secret_list(tx, id))).await
    }

    /// Reveals the secrets of an instant activity's round that is closed in the ledger's rows with no ticket left open;
    /// answers which, or that there is none. A raffle's are revealed by its drawing.
    pub async fn secrets_reveal(
        &self,
        fence: Fence,
        signed: AuditStamp,
    ) -> Result<Option<(ActivityId, u32)>> {
        self.write((fence, signed), |tx, step| Box::pin(activities::reveal(tx, step))).await
    }

    /// Whether every activity is stopped, in the ledger's rows.
    pub async fn is_halted(&self) -> Result<bool> {
        self.read((), |tx, ()| Box::pin(activities::is_halted(tx))).await
    }

    /// Those that the ledger was last known to have open, in the order of ids, after one.
    pub async fn activities_open(&self, after: i64, limit: u32) -> Result<Vec<ActivityId>> {
        self.read((after, limit), |tx, step| Box::pin(activities::activities_open(tx, step))).await
    }

    pub async fn low_stock_list(&self, id: ActivityId) -> Result<Vec<LowStock>> {
        self.read(id, |tx, id| Box::pin(activities::low_stock_list(tx, id))).await
    }

    /// Keeps or forgets a notice; answers whether that was news.
    pub async fn low_stock_set(&self, fence: Fence, step: LowStockSet) -> Result<bool> {
        self.write((fence, step), |tx, step| Box::pin(activities::low_stock_set(tx, step))).await
    }

    pub async fn published_find(&self, id: ActivityId) -> Result<Option<PublishedActivityRow>> {
        self.read(id, |tx, id| Box::pin(activities::published_find(tx, id))).await
    }

    /// Whatever was approved at some time, the newest first.
    pub async fn published_list(&self, page: PageRequest) -> Result<Page<ActivityRow>> {
        self.read(page, |tx, page| Box::pin(activities::published_list(tx, page))).await
    }
}

impl Db {
    pub async fn tree_create(&self, step: TreeCreate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(trees::create(tx, step))).await
    }

    /// Answers the version's number. What the newest version already says is not saved again.
    pub async fn tree_save(&self, step: TreeSave) -> Result<u32> {
        self.write(step, |tx, step| Box::pin(trees::save(tx, step))).await
    }

    /// A version, or the newest.
    pub async fn tree_find(&self, tree: TreeId, version: Option<u32>) -> Result<Option<TreeVersion>> {
        self.read((tree, version), |tx, step| Box::pin(trees::find(tx, step))).await
    }

    /// Newest trees first.
    pub async fn tree_list(&self, query: TreeQuery, page: PageRequest) -> Result<Page<TreeRow>> {
        self.read((query, page), |tx, step| Box::pin(trees::list(tx, step))).await
    }
}

impl Db {
    /// Answers in the order of the names.
    pub async fn block_list_add(&self, step: BlockListAdd) -> Result<Vec<BlockFate>> {
        self.write(step, |tx, step| Box::pin(block_list::add(tx, step))).await
    }

    /// Answers whether the user was on the list.
    pub async fn block_list_remove(&self, step: BlockListRemove) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(block_list::remove(tx, step))).await
    }

    /// The newest accounts first.
    pub async fn block_list_page(&self, activity: ActivityId, page: PageRequest) -> Result<Page<BlockedRow>> {
        self.read((activity, page), |tx, step| Box::pin(block_list::page(tx, step))).await
    }

    /// The whole list, in the order of ids, and how often it was changed: both of one moment.
    pub async fn block_list_load(&self, activity: ActivityId) -> Result<(u64, Vec<UserId>)> {
        self.read(activity, |tx, step| Box::pin(block_list::load(tx, step))).await
    }
}

impl Db {
    /// Rounds that wait for something that can be done now, in order, after one.
    pub async fn raffles_due(
        &self,
        now: Timestamp,
        after: RaffleRound,
        limit: u32,
    ) -> Result<Vec<RaffleDue>> {
        self.read((now, after, limit), |tx, step| Box::pin(raffles::due(tx, step))).await
    }

    /// Everybody who entered, by account, whether or not they are on the block list; [`RAFFLE_ROWS_MAX`] at most.
    pub async fn raffle_entrants(
        &self,
        round: RaffleRound,
        after: UserId,
        limit: u32,
    ) -> Result<Vec<(UserId, Entrant)>> {
        self.read((round, after, limit), |tx, step| Box::pin(raffles::entrants(tx, step))).await
    }

    /// In place of what was written before under its number; answers whether it was, which it is not once the roll is
    /// public.
    pub async fn roll_piece_set(&self, fence: Fence, piece: RollPiece) -> Result<bool> {
        self.write((fence, piece), |tx, step| Box::pin(raffles::set_piece(tx, step))).await
    }

    /// Answers whether it did: not for a round that is open or has a roll, and not when the block list was changed.
    pub async fn roll_publish(&self, fence: Fence, step: RollPublish, signed: AuditStamp) -> Result<bool> {
        self.write((fence, step, signed), |tx, step| Box::pin(raffles::publish(tx, step))).await
    }

    pub async fn raffle_find(&self, round: RaffleRound) -> Result<Option<RaffleRow>> {
        self.read(round, |tx, round| Box::pin(raffles::find(tx, round))).await
    }

    /// The rounds of an activity that have a roll, in order; [`RAFFLE_ROUNDS_MAX`] at most.
    pub async fn raffle_list(&self, activity: ActivityId) -> Result<Vec<RaffleRow>> {
        self.read(activity, |tx, activity| Box::pin(raffles::list(tx, activity))).await
    }

    /// A piece of a roll that is public; nothing after the last.
    pub async fn roll_piece(&self, round: RaffleRound, number: u32) -> Result<Option<Vec<u8>>> {
        self.read((round, number), |tx, step| Box::pin(raffles::piece(tx, step))).await
    }

    /// The first value stays; the same again changes nothing.
    pub async fn beacon_set(&self, step: BeaconSet) -> Result<()> {
        self.write(step, |tx, step| Box::pin(raffles::beacon_set(tx, step))).await
    }

    /// Winners, wins, and the secret revealed: all of it or nothing, once. Answers whether it did.
    pub async fn raffle_draw(&self, fence: Fence, step: RaffleDraw, signed: AuditStamp) -> Result<bool> {
        self.write((fence, step, signed), |tx, step| Box::pin(raffles::draw(tx, step))).await
    }

    /// How many units of each prize the drawing gave; none before it.
    pub async fn raffle_count_given(&self, round: RaffleRound) -> Result<Vec<(PrizeId, u64)>> {
        self.read(round, |tx, round| Box::pin(raffles::count_given(tx, round))).await
    }

    /// From a place in the order of the drawing on; [`RAFFLE_ROWS_MAX`] at most.
    pub async fn raffle_winners(&self, round: RaffleRound, from: u32, limit: u32) -> Result<Vec<WinnerRow>> {
        self.read((round, from, limit), |tx, step| Box::pin(raffles::winners(tx, step))).await
    }
}
