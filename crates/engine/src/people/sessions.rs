//! Who is asking: a session token resolved to a user in good standing.
//!
//! Small caches keep the database out of the hot path: token → session, user → standing, and for the company's backends
//! key → what it may do and external id → user. "Sign out everywhere", a password change and a ban raise the user's
//! *epoch*, so forgetting one user's standing ends all of their sessions, and the keys they made, at once. A load that was
//! under way while something was forgotten is not kept: the generation counter tells.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::Rejection;
use domain::access::{Roles, Scopes};
use domain::account::{Ban, SessionPolicy};
use domain::ids::{KeyId, SessionId, UserId};
use domain::time::{MINUTE_MS, Timestamp};
use store::Db;
use store::model::{AccountStatus, KeyRow, SessionRow};

use crate::failure::Result;
use crate::recent::Recent;
use crate::world::World;

const CACHED_MAX: usize = 500_000;
const KEYS_MAX: usize = 10_000;
/// Whatever changes a session or a standing here forgets it; this bounds what somebody else's change could go unseen.
const CACHED_FOR: Duration = Duration::from_secs(600);
/// The same for keys, which are revoked in a hurry.
const KEY_CACHED_FOR: Duration = Duration::from_secs(1);

/// The answer to "who is asking".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedIn {
    pub user: UserId,
    pub session: SessionId,
    pub roles: Roles,
    /// Every sign-in of this user asks for one.
    pub second_factor: bool,
}

#[derive(Debug)]
pub struct Sessions {
    by_token: Recent<[u8; 32], Arc<SessionRow>>,
    standings: Recent<UserId, AccountStatus>,
    /// Keys by the hashes of their secrets. One that is not fresh says only that asking again is no guess.
    keys: Recent<[u8; 32], CachedKey>,
    /// Whom a key acted for a while ago, by the company's own id.
    acted_for: Recent<String, UserId>,
    generation: Mutex<u64>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            by_token: Recent::new(CACHED_MAX, CACHED_FOR),
            standings: Recent::new(CACHED_MAX, CACHED_FOR),
            keys: Recent::new(KEYS_MAX, CACHED_FOR),
            acted_for: Recent::new(CACHED_MAX, CACHED_FOR),
            generation: Mutex::new(0),
        }
    }
}

/// A key that was good when it was read.
#[derive(Clone, Copy, Debug)]
struct CachedKey {
    holder: KeyHolder,
    /// When one of the key's secrets stops working; it may be this one.
    secret_until: Option<Timestamp>,
    read: Instant,
}

/// A key that may act, and for whom it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    pub key: KeyId,
    pub scopes: Scopes,
    /// Who made it, and answers for what it does.
    pub maker: Option<UserId>,
}

/// Who a session's token stands for, now.
pub async fn session_resolve(world: &World, token_hash: [u8; 32]) -> Result<SignedIn> {
    world.people.sessions.resolve(&world.db, world.settings.session, token_hash, world.now()).await
}

impl Sessions {
    /// Resolves a token. `Unauthenticated` when there is no live session: a ban ends those there were.
    pub async fn resolve(
        &self,
        accounts: &Db,
        policy: SessionPolicy,
        token_hash: [u8; 32],
        now: Timestamp,
    ) -> Result<SignedIn> {
        let Some(session) = self.session(accounts, token_hash).await? else {
            return Err(Rejection::Unauthenticated.into());
        };
        if !policy.alive(session.times, now) {
            return Err(Rejection::Unauthenticated.into());
        }
        let standing = self.standing(accounts, session.user).await?.ok_or(Rejection::Unauthenticated)?;
        // A ban raised the epoch: its owner is signed out, cached here or not, and hears why at the next sign-in.
        if standing.deleted || standing.epoch != session.epoch {
            return Err(Rejection::Unauthenticated.into());
        }
        Ban::check(standing.ban.as_ref(), now)?;
        if policy.touch_due(session.times, now) {
            let generation = *self.generation();
            if !accounts.session_touch(session.id, now).await? {
                // It ended a moment ago, from another device.
                self.forget_token(token_hash);
                return Err(Rejection::Unauthenticated.into());
            }
            let mut touched = SessionRow::clone(&session);
            touched.times.seen = now;
            self.keep(generation, || self.by_token.insert(token_hash, Arc::new(touched)));
        }
        Ok(SignedIn {
            user: session.user,
            session: session.id,
            roles: standing.roles,
            second_factor: standing.second_factor,
        })
    }

    /// Whether resolving this token needs nothing but memory.
    pub fn has_seen(&self, token_hash: &[u8; 32]) -> bool {
        self.by_token.get(token_hash).is_some()
    }

    /// Whether a key with this hash was good a while ago.
    pub fn has_seen_key(&self, secret_hash: &[u8; 32]) -> bool {
        self.keys.get(secret_hash).is_some()
    }

    /// A key with this hash that was good a moment ago.
    pub fn key_in_memory(&self, secret_hash: &[u8; 32], now: Timestamp) -> Option<KeyHolder> {
        let key = self.keys.get(secret_hash)?;
        let fresh = key.read.elapsed() < KEY_CACHED_FOR && key.secret_until.is_none_or(|until| now < until);
        fresh.then_some(key.holder)
    }

    /// A live key, read now or a moment ago.
    pub async fn key(
        &self,
        accounts: &Db,
        secret_hash: [u8; 32],
        now: Timestamp,
    ) -> Result<Option<KeyHolder>> {
        if let Some(holder) = self.key_in_memory(&secret_hash, now) {
            return Ok(Some(holder));
        }
        let (generation, read) = (*self.generation(), Instant::now());
        let Some(row) = accounts.key_find(secret_hash, now).await? else { return Ok(None) };
        // "Last used" is for people to look at; once a minute is often enough.
        if row.last_used.is_none_or(|last| now.since_ms(last) >= MINUTE_MS) {
            accounts.key_touch(row.id, now).await?;
        }
        let KeyRow { id, scopes, maker, previous_until, .. } = row;
        let holder = KeyHolder { key: id, scopes, maker };
        let cached = CachedKey { holder, secret_until: previous_until.filter(|until| now < *until), read };
        self.keep(generation, || self.keys.insert(secret_hash, cached));
        Ok(Some(holder))
    }

    /// A key acted for this user.
    pub fn saw_acting_for(&self, external: &str, user: UserId) {
        if self.acted_for.get(external) != Some(user) {
            self.acted_for.insert(external.to_owned(), user);
        }
    }

    /// Whom a key acts for; nothing where it would have to be looked for. Whoever is deleted is forgotten by their standing:
    /// their external id may lead elsewhere now.
    pub fn acting_for_in_memory(&self, external: &str) -> Option<UserId> {
        let user = self.acted_for.get(external)?;
        self.standings.get(&user).filter(|standing| !standing.deleted).map(|_| user)
    }

    /// Who a token that is in memory belongs to; nothing where it would have to be looked for. Whether they are in good
    /// standing is not asked.
    pub fn owner_in_memory(&self, token_hash: &[u8; 32]) -> Option<UserId> {
        self.by_token.get(token_hash).map(|session| session.user)
    }

    /// The user's standing, for those who come without a session (an API key acting for them).
    pub async fn standing(&self, accounts: &Db, user: UserId) -> Result<Option<AccountStatus>> {
        if let Some(standing) = self.standings.get(&user) {
            return Ok(Some(standing));
        }
        let generation = *self.generation();
        let loaded = accounts.standing(user).await?;
        if let Some(standing) = &loaded {
            self.keep(generation, || self.standings.insert(user, standing.clone()));
        }
        Ok(loaded)
    }

    async fn session(&self, accounts: &Db, token_hash: [u8; 32]) -> Result<Option<Arc<SessionRow>>> {
        if let Some(session) = self.by_token.get(&token_hash) {
            return Ok(Some(session));
        }
        let generation = *self.generation();
        let loaded = accounts.session_find(token_hash).await?.map(Arc::new);
        if let Some(session) = &loaded {
            self.keep(generation, || self.by_token.insert(token_hash, Arc::clone(session)));
        }
        Ok(loaded)
    }

    /// To be called after anything about the user changed: roles, ban, epoch, deletion.
    pub fn forget_user(&self, user: UserId) {
        let mut generation = self.generation();
        *generation += 1;
        self.standings.forget(&user);
        self.keys.retain(|key| key.holder.maker != Some(user));
    }

    /// To be called after a key was revoked or got another secret.
    pub fn forget_key(&self, id: KeyId) {
        let mut generation = self.generation();
        *generation += 1;
        self.keys.retain(|key| key.holder.key != id);
    }

    pub fn forget_token(&self, token_hash: [u8; 32]) {
        let mut generation = self.generation();
        *generation += 1;
        self.by_token.forget(&token_hash);
    }

    /// Inserts only when nothing was forgotten since `generation` was read.
    fn keep(&self, generation: u64, insert: impl FnOnce()) {
        let current = self.generation();
        if *current == generation {
            insert();
        }
    }

    fn generation(&self) -> MutexGuard<'_, u64> {
        self.generation.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
