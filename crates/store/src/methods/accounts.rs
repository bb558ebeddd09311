//! People at the door: sign-in, sessions, passwords, addresses.

use domain::account::SessionPolicy;
use domain::ids::{AddressId, SessionId, UserId};
use domain::time::Timestamp;

use crate::db::Db;
use crate::failure::Result;
use crate::model::*;
use crate::steps::{
    addresses, codes, deletion, devices, passwords, phones, profile, second_factors, sessions, sign_in,
};

impl Db {
    /// Keeps a code if the caps allow; answers whether the phone belongs to an account.
    pub async fn code_issue(&self, step: CodeIssue) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(codes::issue(tx, step))).await
    }

    /// Answers the user's id.
    pub async fn sign_in_by_code(&self, step: SignInByCode) -> Result<CreateOutcome> {
        self.write_judged(step, |tx, step| Box::pin(sign_in::sign_in_by_code(tx, step))).await
    }

    pub async fn sign_in_by_password(&self, step: SignInByPassword) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(sign_in::sign_in_by_password(tx, step))).await
    }

    pub async fn register(&self, step: Register) -> Result<CreateOutcome> {
        self.write_judged(step, |tx, step| Box::pin(sign_in::register(tx, step))).await
    }

    pub async fn password_reset(&self, step: PasswordReset) -> Result<UserId> {
        self.write_judged(step, |tx, step| Box::pin(passwords::reset(tx, step))).await
    }

    pub async fn password_change(&self, step: PasswordChange) -> Result<()> {
        self.write(step, |tx, step| Box::pin(passwords::change(tx, step))).await
    }

    pub async fn phone_change(&self, step: PhoneChange) -> Result<()> {
        self.write_judged(step, |tx, step| Box::pin(phones::change(tx, step))).await
    }

    pub async fn account_delete(&self, step: AccountDelete) -> Result<()> {
        self.write_judged(step, |tx, step| Box::pin(deletion::account_delete(tx, step))).await
    }

    pub async fn second_factor(&self, user: UserId) -> Result<Option<SecondFactorRow>> {
        self.read(user, |tx, step| Box::pin(second_factors::find(tx, step))).await
    }

    pub async fn second_factor_begin(&self, step: SecondFactorBegin) -> Result<()> {
        self.write(step, |tx, step| Box::pin(second_factors::begin(tx, step))).await
    }

    pub async fn second_factor_confirm(&self, step: SecondFactorConfirm) -> Result<()> {
        self.write(step, |tx, step| Box::pin(second_factors::confirm(tx, step))).await
    }

    pub async fn second_factor_remove(&self, step: SecondFactorRemove) -> Result<()> {
        self.write_judged(step, |tx, step| Box::pin(second_factors::remove(tx, step))).await
    }

    pub async fn profile_edit(&self, step: ProfileEdit) -> Result<()> {
        self.write(step, |tx, step| Box::pin(profile::edit(tx, step))).await
    }

    pub async fn account(&self, user: UserId) -> Result<Option<AccountRow>> {
        self.read(user, |tx, step| Box::pin(profile::account(tx, step))).await
    }

    pub async fn account_by_phone(&self, phone: PhoneIndex) -> Result<Option<AccountRow>> {
        self.read(phone, |tx, step| Box::pin(profile::account_by_phone(tx, step))).await
    }

    /// Whether the account of this phone was signed in to from this device before.
    pub async fn is_device_known(&self, phone: PhoneIndex, device_hash: [u8; 32]) -> Result<bool> {
        self.read((phone, device_hash), |tx, step| Box::pin(devices::is_known(tx, step))).await
    }

    pub async fn standing(&self, user: UserId) -> Result<Option<AccountStatus>> {
        self.read(user, |tx, step| Box::pin(sessions::standing(tx, step))).await
    }

    pub async fn session_find(&self, token_hash: [u8; 32]) -> Result<Option<SessionRow>> {
        self.read(token_hash, |tx, step| Box::pin(sessions::find(tx, step))).await
    }

    /// Answers whether the session is still there.
    pub async fn session_touch(&self, session: SessionId, now: Timestamp) -> Result<bool> {
        self.write((session, now), |tx, step| Box::pin(sessions::touch(tx, step))).await
    }

    pub async fn session_list(
        &self,
        user: UserId,
        policy: SessionPolicy,
        now: Timestamp,
    ) -> Result<Vec<SessionRow>> {
        self.read((user, policy, now), |tx, step| Box::pin(sessions::list(tx, step))).await
    }

    /// Ends one session of this user; answers its token's hash.
    pub async fn session_end(&self, user: UserId, session: SessionId) -> Result<Option<[u8; 32]>> {
        self.write((user, session), |tx, step| Box::pin(sessions::end(tx, step))).await
    }

    pub async fn sessions_end_all(&self, user: UserId) -> Result<()> {
        self.write(user, |tx, step| Box::pin(sessions::end_all(tx, step))).await
    }

    pub async fn address_list(&self, user: UserId) -> Result<Vec<AddressRow>> {
        self.read(user, |tx, step| Box::pin(addresses::list(tx, step))).await
    }

    pub async fn address_add(&self, step: AddressSave) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(addresses::add(tx, step))).await
    }

    pub async fn address_replace(&self, step: AddressSave) -> Result<()> {
        self.write(step, |tx, step| Box::pin(addresses::replace(tx, step))).await
    }

    pub async fn address_remove(&self, user: UserId, address: AddressId) -> Result<()> {
        self.write((user, address), |tx, step| Box::pin(addresses::remove(tx, step))).await
    }
}
