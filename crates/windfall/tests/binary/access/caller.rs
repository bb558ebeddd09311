//! The columns of the table: callers made for one cell, good at first and then, where the column says so,
//! spoiled.

use crate::client::Call;
use crate::people::{Key, Person, fresh_external, token_hash};
use crate::process::{Home, Server};

use super::table::SCOPES;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    Anonymous,
    Player,
    /// Acts on another player's things.
    OtherPlayer,
    Staff(&'static str),
    WrongKey,
    RightKey,
    RevokedKey,
    Banned,
    Expired,
}

/// Somebody about to make the request of a cell.
#[derive(Debug)]
pub struct Actor {
    kind: Caller,
    pub person: Option<Person>,
    pub key: Option<Key>,
    /// Whom a key names in `Windfall-User`.
    pub external: String,
}

impl Actor {
    /// `scopes` are the key's, if the caller is one.
    pub async fn new(server: &Server, kind: Caller, scopes: &[&str]) -> Self {
        let person = match kind {
            Caller::Player | Caller::OtherPlayer | Caller::Banned | Caller::Expired => {
                Some(server.person(&[]).await)
            }
            Caller::Staff(role) => Some(server.person(&[role]).await),
            Caller::Anonymous | Caller::WrongKey | Caller::RightKey | Caller::RevokedKey => None,
        };
        let key = match kind {
            Caller::WrongKey | Caller::RightKey => Some(server.new_key(scopes).await),
            Caller::RevokedKey => Some(server.new_key(&SCOPES).await),
            _ => None,
        };
        Self { kind, person, key, external: fresh_external() }
    }

    /// Does to the caller what the column says, after everything else is prepared.
    pub async fn spoil(&mut self, home: &Home, server: &Server) {
        match (self.kind, &mut self.person, &self.key) {
            (Caller::Banned, Some(person), _) => server.ban(&person.id).await,
            (Caller::Expired, Some(person), _) => {
                // A session that was never used is not cached: what its row says is what counts.
                person.cookie = server.sign_in(&person.phone, &person.password).await;
                let aged = home.database().execute(
                    "UPDATE sessions SET started = 1, seen = 1 WHERE token_hash = ?1",
                    [token_hash(&person.cookie)],
                );
                assert_eq!(aged, Ok(1), "one session is aged");
            }
            (Caller::RevokedKey, _, Some(key)) => {
                server.console("DELETE", &format!("/admin/keys/{}", key.id)).expect(204).await;
            }
            _ => {}
        }
    }

    /// Puts the caller's name under a request.
    pub fn sign(&self, call: Call) -> Call {
        match (&self.person, &self.key) {
            (Some(person), _) => call.cookie(&person.cookie),
            (None, Some(key)) => call.key(&key.secret).header("windfall-user", &self.external),
            (None, None) => call,
        }
    }

    /// Whose things the request names: the caller's own, or those of somebody else.
    pub async fn owner(&self, server: &Server) -> Person {
        match (&self.person, self.kind) {
            (Some(person), kind) if kind != Caller::OtherPlayer => person.clone(),
            _ => server.person(&[]).await,
        }
    }

    /// Whether this caller may write activities.
    pub fn writes(&self) -> bool {
        matches!(self.kind, Caller::Staff("operator" | "admin"))
    }

    pub fn is_admin(&self) -> bool {
        self.kind == Caller::Staff("admin")
    }

    /// Names a refusal of this caller may have, by status.
    pub fn refusals(&self, status: u16) -> &'static [&'static str] {
        match (self.kind, status) {
            (Caller::WrongKey | Caller::RightKey, 403) => &["scope_missing", "people_only", "console_only"],
            (_, 403) => &["forbidden", "scope_missing", "console_only"],
            // Somebody else's code or password proves nothing.
            (Caller::OtherPlayer, 401) => {
                &["code_spent", "credentials_wrong", "password_wrong", "signature_wrong"]
            }
            // A provider signs its callbacks; who asks beside that counts for nothing.
            (_, 401) => &["unauthenticated", "signature_wrong"],
            (_, 404) => &["not_found"],
            // They may ask; what they ask about has not been set up.
            (_, 409) => &["second_factor_off", "make_up_day", "yourself"],
            _ => &[],
        }
    }
}
