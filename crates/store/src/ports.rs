//! The engine's ports, one line per method: which step, and whether it reads, writes, or judges.

use async_trait::async_trait;
use domain::access::ApprovalState;
use domain::account::SessionPolicy;
use domain::ids::{ActivityId, AddressId, ApprovalId, KeyId, SessionId, TreeId, UserId};
use domain::ledger::audit::PlayRows;
use domain::ledger::audit::{HoldRow, OrderBook, Owners, RoundBook};
use domain::ledger::{Event, Key, PoolId};
use domain::lottery::strategy::PrizeId;
use domain::page::{Page, PageRequest};
use domain::raffle::Entrant;
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::*;

use crate::db::Db;
use crate::ledger::play::ask;
use crate::steps::{
    activities, addresses, approvals, block_list, codes, deletion, facts, jobs, keys, links, nodes,
    passwords, people, phones, profile, raffles, runs, sessions, sign_in, sweeps, trees,
};
use crate::{audit, ledger};

#[async_trait]
impl Accounts for Db {
    async fn code_issue(&self, step: CodeIssue) -> Outcome<bool> {
        self.write(step, |tx, step| Box::pin(codes::issue(tx, step))).await
    }

    async fn sign_in_by_code(&self, step: SignInByCode) -> Outcome<Made> {
        self.write_judged(step, |tx, step| Box::pin(sign_in::sign_in_by_code(tx, step))).await
    }

    async fn sign_in_by_password(&self, step: SignInByPassword) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(sign_in::sign_in_by_password(tx, step))).await
    }

    async fn register(&self, step: Register) -> Outcome<Made> {
        self.write_judged(step, |tx, step| Box::pin(sign_in::register(tx, step))).await
    }

    async fn password_reset(&self, step: PasswordReset) -> Outcome<UserId> {
        self.write_judged(step, |tx, step| Box::pin(passwords::reset(tx, step))).await
    }

    async fn password_change(&self, step: PasswordChange) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(passwords::change(tx, step))).await
    }

    async fn phone_change(&self, step: PhoneChange) -> Outcome<()> {
        self.write_judged(step, |tx, step| Box::pin(phones::change(tx, step))).await
    }

    async fn account_delete(&self, step: AccountDelete) -> Outcome<()> {
        self.write_judged(step, |tx, step| Box::pin(deletion::account_delete(tx, step))).await
    }

    async fn profile_edit(&self, step: ProfileEdit) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(profile::edit(tx, step))).await
    }

    async fn account(&self, user: UserId) -> Outcome<Option<Account>> {
        self.read(user, |tx, step| Box::pin(profile::account(tx, step))).await
    }

    async fn account_by_phone(&self, phone: PhoneIndex) -> Outcome<Option<Account>> {
        self.read(phone, |tx, step| Box::pin(profile::account_by_phone(tx, step))).await
    }

    async fn standing(&self, user: UserId) -> Outcome<Option<Standing>> {
        self.read(user, |tx, step| Box::pin(sessions::standing(tx, step))).await
    }

    async fn session_find(&self, token_hash: [u8; 32]) -> Outcome<Option<SessionRow>> {
        self.read(token_hash, |tx, step| Box::pin(sessions::find(tx, step))).await
    }

    async fn session_touch(&self, session: SessionId, now: Timestamp) -> Outcome<bool> {
        self.write((session, now), |tx, step| Box::pin(sessions::touch(tx, step))).await
    }

    async fn session_list(
        &self,
        user: UserId,
        policy: SessionPolicy,
        now: Timestamp,
    ) -> Outcome<Vec<SessionRow>> {
        self.read((user, policy, now), |tx, step| Box::pin(sessions::list(tx, step))).await
    }

    async fn session_end(&self, user: UserId, session: SessionId) -> Outcome<Option<[u8; 32]>> {
        self.write((user, session), |tx, step| Box::pin(sessions::end(tx, step))).await
    }

    async fn sessions_end_all(&self, user: UserId) -> Outcome<()> {
        self.write(user, |tx, step| Box::pin(sessions::end_all(tx, step))).await
    }

    async fn address_list(&self, user: UserId) -> Outcome<Vec<AddressRow>> {
        self.read(user, |tx, step| Box::pin(addresses::list(tx, step))).await
    }

    async fn address_add(&self, step: AddressSave) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(addresses::add(tx, step))).await
    }

    async fn address_replace(&self, step: AddressSave) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(addresses::replace(tx, step))).await
    }

    async fn address_remove(&self, user: UserId, address: AddressId) -> Outcome<()> {
        self.write((user, address), |tx, step| Box::pin(addresses::remove(tx, step))).await
    }
}

#[async_trait]
impl Keys for Db {
    async fn key_create(&self, step: KeyCreate) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(keys::create(tx, step))).await
    }

    async fn key_rotate(&self, step: KeyRotate) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(keys::rotate(tx, step))).await
    }

    async fn key_revoke(&self, key: KeyId, signed: Signed) -> Outcome<()> {
        self.write((key, signed), |tx, step| Box::pin(keys::revoke(tx, step))).await
    }

    async fn key_list(&self) -> Outcome<Vec<KeyRow>> {
        self.read((), |tx, ()| Box::pin(keys::list(tx))).await
    }

    async fn key_find(&self, secret_hash: [u8; 32], now: Timestamp) -> Outcome<Option<KeyRow>> {
        self.read((secret_hash, now), |tx, step| Box::pin(keys::find(tx, step))).await
    }

    async fn key_touch(&self, key: KeyId, now: Timestamp) -> Outcome<()> {
        self.write((key, now), |tx, step| Box::pin(keys::touch(tx, step))).await
    }

    async fn external_user(&self, step: ExternalUser) -> Outcome<UserId> {
        // Made once and asked for with every request: the writer is not troubled when the account is there.
        let found = self.read(step.clone(), |tx, step| Box::pin(links::external_find(tx, step))).await?;
        match found {
            Some(user) => Ok(user),
            None => self.write(step, |tx, step| Box::pin(links::external_user(tx, step))).await,
        }
    }

    async fn link_create(&self, step: LinkCreate) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(links::create(tx, step))).await
    }

    async fn link_redeem(&self, step: LinkRedeem) -> Outcome<UserId> {
        self.write_judged(step, |tx, step| Box::pin(links::redeem(tx, step))).await
    }
}

#[async_trait]
impl People for Db {
    async fn user_create(&self, step: UserCreate) -> Outcome<UserMade> {
        self.write(step, |tx, step| Box::pin(people::create(tx, step))).await
    }

    async fn user_list(&self, query: UserQuery, page: PageRequest) -> Outcome<Page<Account>> {
        self.read((query, page), |tx, step| Box::pin(people::list(tx, step))).await
    }

    async fn user_ban(&self, step: UserBan) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(people::ban(tx, step))).await
    }

    async fn user_sign_out(&self, user: UserId, signed: Signed) -> Outcome<()> {
        self.write((user, signed), |tx, step| Box::pin(people::sign_out(tx, step))).await
    }

    async fn facts_put(&self, step: FactsPut) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(facts::put(tx, step))).await
    }

    async fn facts_of(&self, user: UserId) -> Outcome<Vec<FactRow>> {
        self.read(user, |tx, step| Box::pin(facts::of(tx, step))).await
    }

    async fn names_of(&self, users: Vec<UserId>) -> Outcome<Vec<Option<String>>> {
        self.read(users, |tx, step| Box::pin(people::names_of(tx, step))).await
    }

    async fn audit_list(&self, query: AuditQuery, page: PageRequest) -> Outcome<Page<AuditRow>> {
        self.read((query, page), |tx, step| Box::pin(audit::list(tx, step))).await
    }
}

#[async_trait]
impl Approvals for Db {
    async fn approval_ask(&self, step: ApprovalAsk) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(approvals::ask(tx, step))).await
    }

    async fn approval_decide(&self, step: ApprovalDecide) -> Outcome<ApprovalRow> {
        self.write(step, |tx, step| Box::pin(approvals::decide(tx, step))).await
    }

    async fn approval_list(
        &self,
        state: Option<ApprovalState>,
        page: PageRequest,
    ) -> Outcome<Page<ApprovalRow>> {
        self.read((state, page), |tx, step| Box::pin(approvals::list(tx, step))).await
    }

    async fn approval(&self, id: ApprovalId) -> Outcome<Option<ApprovalRow>> {
        self.read(id, |tx, step| Box::pin(approvals::find(tx, step))).await
    }
}

#[async_trait]
impl Jobs for Db {
    async fn jobs_declare(&self, defaults: Vec<JobDefault>) -> Outcome<()> {
        self.write(defaults, |tx, step| Box::pin(jobs::declare(tx, step))).await
    }

    async fn leases_end(&self) -> Outcome<()> {
        self.write((), |tx, ()| Box::pin(jobs::leases_end(tx))).await
    }

    async fn job_list(&self) -> Outcome<Vec<JobRow>> {
        self.read((), |tx, ()| Box::pin(jobs::list(tx))).await
    }

    async fn job_edit(&self, step: JobEdit) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(jobs::edit(tx, step))).await
    }

    async fn job_claim(&self, step: JobClaim) -> Outcome<Option<JobRun>> {
        self.write(step, |tx, step| Box::pin(jobs::claim(tx, step))).await
    }

    async fn job_finish(&self, step: JobFinish) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(jobs::finish(tx, step))).await
    }

    async fn job_runs(&self, job: String, page: PageRequest) -> Outcome<Page<RunRow>> {
        self.read((job, page), |tx, step| Box::pin(runs::list(tx, step))).await
    }

    async fn sweep(&self, fence: Fence, sweep: Sweep, limit: u32) -> Outcome<u64> {
        self.write((fence, sweep, limit), |tx, step| Box::pin(sweeps::sweep(tx, step))).await
    }

    async fn sealed_rows(
        &self,
        kind: SealedColumn,
        after: (i64, i64),
        limit: u32,
    ) -> Outcome<Vec<SealedRow>> {
        self.read((kind, after, limit), |tx, step| Box::pin(sweeps::sealed_rows(tx, step))).await
    }

    async fn reseal(&self, fence: Fence, row: SealedRow, sealed: Vec<u8>) -> Outcome<bool> {
        self.write((fence, row, sealed), |tx, step| Box::pin(sweeps::reseal(tx, step))).await
    }

    async fn node_lease(&self, holder: String, now: Timestamp, lease_ms: i64) -> Outcome<NodeLease> {
        self.write((holder, now, lease_ms), |tx, step| Box::pin(nodes::lease(tx, step))).await
    }
}

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

    async fn switch_note(&self, note: SwitchNote) -> Outcome<()> {
        self.write(note, |tx, note| Box::pin(activities::switch_note(tx, note))).await
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

    async fn hold_life(&self, key: Key) -> Outcome<Vec<LifeStep>> {
        self.read(key, |tx, key| Box::pin(ledger::life(tx, key))).await
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

    async fn open_tickets(&self, round: (ActivityId, u32)) -> Outcome<u64> {
        self.read(round, |tx, step| Box::pin(ask::open_tickets(tx, step))).await
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
