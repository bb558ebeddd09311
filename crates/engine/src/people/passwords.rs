//! argon2id on a bounded number of threads: hashing is made to be slow and hungry, so a crowd at the
//! sign-in page must queue here and not take the machine down.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use domain::Rejection;
use tokio::sync::Semaphore;

use crate::failure::{Fault, Result};

/// How many may wait for a hashing thread before the answer is "overloaded".
const WAITING_MAX: usize = 256;

#[derive(Clone, Copy, Debug)]
pub struct PasswordCost {
    pub memory_kib: u32,
    pub passes: u32,
    pub lanes: u32,
    pub parallel_max: usize,
}

#[derive(Clone, Debug)]
pub struct Passwords {
    argon2: Argon2<'static>,
    threads: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// Verified against when there is no account, so that the answer takes as long.
    dummy: Arc<str>,
}

impl Passwords {
    pub fn new(cost: PasswordCost) -> Result<Self, Fault> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None)
            .map_err(|error| Fault::new(format!("argon2 parameters: {error}")))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy = hash(&argon2, "nobody has this password", &[7; 16])?;
        Ok(Self {
            argon2,
            threads: Arc::new(Semaphore::new(cost.parallel_max)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
            dummy: dummy.into(),
        })
    }

    pub async fn hash(&self, password: &str, salt: [u8; 16]) -> Result<String> {
        let password = password.to_owned();
        self.on_thread(move |argon2, _| hash(argon2, &password, &salt)).await
    }

    /// Compares with the stored hash, or with the dummy when there is none: `None` is never right.
    pub async fn verify(&self, password: &str, stored: Option<String>) -> Result<bool> {
        let password = password.to_owned();
        self.on_thread(move |argon2, dummy| {
            let known = stored.is_some();
            let text = stored.as_deref().unwrap_or(dummy);
            let parsed = PasswordHash::new(text)
                .map_err(|error| Fault::new(format!("stored password hash: {error}")))?;
            Ok(argon2.verify_password(password.as_bytes(), &parsed).is_ok() && known)
        })
        .await
    }

    /// Whether a stored hash was made at today's cost.
    pub fn is_current(&self, stored: &str) -> bool {
        let params = self.argon2.params();
        let cost = format!("m={},t={},p={}", params.m_cost(), params.t_cost(), params.p_cost());
        stored.split('$').any(|part| part == cost)
    }

    async fn on_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'static>, &str) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        let _place = self.waiting.try_acquire().map_err(|_| Rejection::Overloaded { retry_after_s: 2 })?;
        let thread = Arc::clone(&self.threads)
            .acquire_owned()
            .await
            .map_err(|error| Fault::caused("password threads", error))?;
        let (argon2, dummy) = (self.argon2.clone(), Arc::clone(&self.dummy));
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&argon2, &dummy);
            drop(thread);
            result
        });
        Ok(done.await.map_err(|error| Fault::caused("hashing a password", error))??)
    }
}

fn hash(argon2: &Argon2<'_>, password: &str, salt: &[u8]) -> Result<String, Fault> {
    argon2
        .hash_password_with_salt(password.as_bytes(), salt)
        .map(|hash| hash.to_string())
        .map_err(|error| Fault::new(format!("hashing a password: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn right_wrong_and_nobody() {
        let passwords =
            Passwords::new(PasswordCost { memory_kib: 64, passes: 1, lanes: 1, parallel_max: 1 }).unwrap();
        let stored = passwords.hash("correct horse", [1; 16]).await.unwrap();
        assert!(stored.starts_with("$argon2id$"), "{stored}");
        assert!(passwords.verify("correct horse", Some(stored.clone())).await.unwrap());
        assert!(passwords.is_current(&stored));
        let dearer = PasswordCost { memory_kib: 128, passes: 1, lanes: 1, parallel_max: 1 };
        assert!(!Passwords::new(dearer).unwrap().is_current(&stored));
        assert!(!passwords.verify("wrong horse", Some(stored)).await.unwrap());
        assert!(!passwords.verify("nobody has this password", None).await.unwrap(), "the dummy is nobody's");
    }
}
