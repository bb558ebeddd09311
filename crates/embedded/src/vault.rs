//! Encryption at rest: ChaCha20-Poly1305 under the key file's newest key.
//!
//! A sealed value is `key id (1) ‖ nonce (12) ‖ ciphertext and tag`; what it is for goes in as associated
//! data, so a sealed phone cannot be passed off as an address. Nonces are random: at most 2^32 values per
//! key, far above what one installation seals between two rotations.

use std::sync::Arc;

use engine::Fault;
use engine::ports::{Random, SealContext, Vault};
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::Sha256;

use crate::KeyFile;

pub struct KeyVault {
    index: [u8; 32],
    newest: u8,
    keys: Vec<(u8, LessSafeKey)>,
    random: Arc<dyn Random>,
}

impl std::fmt::Debug for KeyVault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyVault").field("newest", &self.newest).finish_non_exhaustive()
    }
}

impl KeyVault {
    pub fn new(file: &KeyFile, random: Arc<dyn Random>) -> Self {
        let keys: Vec<(u8, LessSafeKey)> = file
            .seals
            .iter()
            .map(|(id, key)| {
                let key = UnboundKey::new(&CHACHA20_POLY1305, key).expect("32 bytes are a key");
                (*id, LessSafeKey::new(key))
            })
            .collect();
        Self { index: file.index, newest: file.seals.first().map_or(0, |(id, _)| *id), keys, random }
    }

    fn key(&self, id: u8) -> Option<&LessSafeKey> {
        self.keys.iter().find(|(have, _)| *have == id).map(|(_, key)| key)
    }
}

impl Vault for KeyVault {
    fn seal(&self, kind: SealContext, plain: &[u8]) -> Vec<u8> {
        let mut nonce = [0; NONCE_LEN];
        self.random.fill(&mut nonce);
        let mut body = plain.to_vec();
        let key = self.key(self.newest).expect("the key file is never empty");
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(kind.context()),
            &mut body,
        )
        .expect("a value this short can be sealed");
        let mut sealed = Vec::with_capacity(1 + NONCE_LEN + body.len());
        sealed.push(self.newest);
        sealed.extend_from_slice(&nonce);
        sealed.append(&mut body);
        sealed
    }

    fn open(&self, kind: SealContext, sealed: &[u8]) -> Result<Vec<u8>, Fault> {
        let trouble = |what: &str| Fault::new(format!("opening a sealed {}: {what}", kind.context()));
        let (id, rest) = sealed.split_first().ok_or_else(|| trouble("it is empty"))?;
        let (nonce, body) = rest.split_at_checked(NONCE_LEN).ok_or_else(|| trouble("it is cut short"))?;
        let key = self.key(*id).ok_or_else(|| trouble(&format!("key {id} is not in the key file")))?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| trouble("it is cut short"))?;
        let mut body = body.to_vec();
        let plain = key
            .open_in_place(nonce, Aad::from(kind.context()), &mut body)
            .map_err(|_| trouble("it was changed, or sealed under another key"))?;
        Ok(plain.to_vec())
    }

    fn index(&self, domain: &str, text: &str) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.index).expect("any length is a key");
        mac.update(domain.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }

    fn is_current(&self, sealed: &[u8]) -> bool {
        sealed.first() == Some(&self.newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRandom;

    fn vault(seals: &[u8]) -> KeyVault {
        let file = KeyFile { index: [9; 32], seals: seals.iter().map(|id| (*id, [*id; 32])).collect() };
        KeyVault::new(&file, Arc::new(SystemRandom::default()))
    }

    #[test]
    fn what_is_sealed_opens_again_and_only_as_what_it_is() {
        let vault = vault(&[1]);
        let sealed = vault.seal(SealContext::Phone, b"+8613800138000");
        assert!(!sealed.windows(5).any(|part| part == b"13800"));
        assert_eq!(vault.open(SealContext::Phone, &sealed).unwrap(), b"+8613800138000");
        assert!(vault.open(SealContext::Address, &sealed).is_err());
        for broken in [&[][..], &sealed[..5], &sealed[..sealed.len() - 1]] {
            assert!(vault.open(SealContext::Phone, broken).is_err());
        }
        assert_ne!(sealed, vault.seal(SealContext::Phone, b"+8613800138000"), "a nonce is never used twice");
    }

    #[test]
    fn after_a_rotation_old_values_open_and_are_known_as_old() {
        let old = vault(&[1]).seal(SealContext::Phone, b"x");
        let rotated = vault(&[2, 1]);
        assert_eq!(rotated.open(SealContext::Phone, &old).unwrap(), b"x");
        assert!(!rotated.is_current(&old));
        assert!(rotated.is_current(&rotated.seal(SealContext::Phone, b"x")));
        assert!(vault(&[2]).open(SealContext::Phone, &old).unwrap_err().to_string().contains("key 1"));
    }

    #[test]
    fn an_index_depends_on_what_it_is_for() {
        let vault = vault(&[1]);
        assert_eq!(vault.index("phone", "1"), vault.index("phone", "1"));
        assert_ne!(vault.index("phone", "1"), vault.index("code", "1"));
    }
}
