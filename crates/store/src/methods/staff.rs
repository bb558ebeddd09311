//! Who may do what: keys, people and their roles, second persons' decisions.

use domain::access::ApprovalState;
use domain::ids::{ApprovalId, KeyId, UserId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use crate::audit;
use crate::db::Db;
use crate::failure::Result;
use crate::model::*;
use crate::steps::{approvals, audit_intents, facts, keys, links, people};

impl Db {
    pub async fn key_create(&self, step: KeyCreate) -> Result<KeyMade> {
        self.write(step, |tx, step| Box::pin(keys::create(tx, step))).await
    }

    pub async fn key_rotate(&self, step: KeyRotate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(keys::rotate(tx, step))).await
    }

    pub async fn key_revoke(&self, key: KeyId, signed: AuditStamp) -> Result<()> {
        self.write((key, signed), |tx, step| Box::pin(keys::revoke(tx, step))).await
    }

    pub async fn key_list(&self) -> Result<Vec<KeyRow>> {
        self.read((), |tx, ()| Box::pin(keys::list(tx))).await
    }

    /// A live key by its secret: not revoked, approved if it needs that, its maker still an admin who may act, and the
    /// current secret or one still in its overlap.
    pub async fn key_find(&self, secret_hash: [u8; 32], now: Timestamp) -> Result<Option<KeyRow>> {
        self.read((secret_hash, now), |tx, step| Box::pin(keys::find(tx, step))).await
    }

    pub async fn key_touch(&self, key: KeyId, now: Timestamp) -> Result<()> {
        self.write((key, now), |tx, step| Box::pin(keys::touch(tx, step))).await
    }

    pub async fn external_user(&self, step: ExternalUser) -> Result<UserId> {
        // Made once and asked for with every request: the writer is not troubled when the account is there.
        let found = self.read(step.clone(), |tx, step| Box::pin(links::external_find(tx, step))).await?;
        match found {
            Some(user) => Ok(user),
            None => self.write(step, |tx, step| Box::pin(links::external_user(tx, step))).await,
        }
    }

    pub async fn link_create(&self, step: LinkCreate) -> Result<()> {
        self.write(step, |tx, step| Box::pin(links::create(tx, step))).await
    }

    /// Spends the link and starts the session in one step.
    pub async fn link_redeem(&self, step: LinkRedeem) -> Result<UserId> {
        self.write_judged(step, |tx, step| Box::pin(links::redeem(tx, step))).await
    }
}

impl Db {
    /// Makes the account, or answers the one the phone has, unchanged.
    pub async fn user_create(&self, step: UserCreate) -> Result<UserMade> {
        self.write(step, |tx, step| Box::pin(people::create(tx, step))).await
    }

    pub async fn user_list(&self, query: UserQuery, page: PageRequest) -> Result<Page<AccountRow>> {
        self.read((query, page), |tx, step| Box::pin(people::list(tx, step))).await
    }

    pub async fn user_ban(&self, step: UserBan) -> Result<()> {
        self.write(step, |tx, step| Box::pin(people::ban(tx, step))).await
    }

    /// Ends all of a user's sessions on somebody else's word.
    pub async fn user_sign_out(&self, user: UserId, signed: AuditStamp) -> Result<()> {
        self.write((user, signed), |tx, step| Box::pin(people::sign_out(tx, step))).await
    }

    pub async fn facts_set(&self, step: FactsPut) -> Result<()> {
        self.write(step, |tx, step| Box::pin(facts::set(tx, step))).await
    }

    pub async fn facts_of(&self, user: UserId) -> Result<Vec<FactRow>> {
        self.read(user, |tx, step| Box::pin(facts::of(tx, step))).await
    }

    /// What people are called who did something at a moment, in the order asked for; nothing for those who are gone, also if
    /// the account has come back since: it may have another owner. [`NAMES_MAX`] at most.
    pub async fn names_of(&self, users: Vec<(UserId, Timestamp)>) -> Result<Vec<Option<String>>> {
        self.read(users, |tx, step| Box::pin(people::names_of(tx, step))).await
    }

    pub async fn audit_list(&self, query: AuditQuery, page: PageRequest) -> Result<Page<AuditRow>> {
        self.read((query, page), |tx, step| Box::pin(audit::list(tx, step))).await
    }
}

impl Db {
    pub async fn approval_ask(&self, step: ApprovalAsk) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(approvals::ask(tx, step))).await
    }

    pub async fn approval_decide(&self, step: ApprovalDecide) -> Result<ApprovalRow> {
        self.write(step, |tx, step| Box::pin(approvals::decide(tx, step))).await
    }

    pub async fn approval_list(
        &self,
        state: Option<ApprovalState>,
        page: PageRequest,
    ) -> Result<Page<ApprovalRow>> {
        self.read((state, page), |tx, step| Box::pin(approvals::list(tx, step))).await
    }

    pub async fn approval(&self, id: ApprovalId) -> Result<Option<ApprovalRow>> {
        self.read(id, |tx, step| Box::pin(approvals::find(tx, step))).await
    }
}

impl Db {
    /// All or none. `ChancesAloneMax` or `PiecesAloneMax` when somebody would put out more than one may in a day.
    pub async fn intents_open(&self, intents: Vec<AuditIntent>) -> Result<()> {
        self.write(intents, |tx, step| Box::pin(audit_intents::open(tx, step))).await
    }

    /// One that was closed before is left alone.
    pub async fn intents_close(&self, closes: Vec<IntentClose>) -> Result<()> {
        self.write(closes, |tx, step| Box::pin(audit_intents::close(tx, step))).await
    }

    /// The same for those that a job found.
    pub async fn intents_recover(&self, fence: Fence, closes: Vec<IntentClose>) -> Result<()> {
        self.write((fence, closes), |tx, step| Box::pin(audit_intents::recover(tx, step))).await
    }

    /// Writes a line. Whoever does what it tells writes it first.
    pub async fn audit_line(&self, line: AuditLine) -> Result<()> {
        self.write(line, |tx, line| Box::pin(audit_intents::line(tx, line))).await
    }

    /// Those made before a moment, the oldest first.
    pub async fn intents_list_open(&self, before: Timestamp, limit: u32) -> Result<Vec<IntentRow>> {
        self.read((before, limit), |tx, step| Box::pin(audit_intents::list_open(tx, step))).await
    }
}
