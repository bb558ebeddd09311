//! What steps take and give: their arguments, and rows as they are read.
//!
//! Each step has everything it needs in its argument, so that it can be repeated after a crash or on another node. Steps
//! that create something take [`Once`], administrative ones [`AuditStamp`].

mod accounts;
mod activities;
mod approvals;
mod attention;
mod audit;
mod audit_intents;
mod block_list;
mod check_ins;
mod codes;
mod comments;
mod community;
mod fulfilments;
mod grants;
mod invites;
mod jobs;
mod keys;
mod ledger;
mod messages;
mod moderation;
mod notifications;
mod orders;
mod outbox;
mod people;
mod pictures;
mod plays;
mod points;
mod quarantine;
mod raffles;
mod reports;
mod rooms;
mod sales;
mod search;
mod second_factors;
mod shop;
mod statistics;
mod timelines;
mod trees;
mod webhooks;

pub use accounts::*;
pub use activities::*;
pub use approvals::*;
pub use attention::*;
pub use audit::*;
pub use audit_intents::*;
pub use block_list::*;
pub use check_ins::*;
pub use codes::*;
pub use comments::*;
pub use community::*;
pub use fulfilments::*;
pub use grants::*;
pub use invites::*;
pub use jobs::*;
pub use keys::*;
pub use ledger::*;
pub use messages::*;
pub use moderation::*;
pub use notifications::*;
pub use orders::*;
pub use outbox::*;
pub use people::*;
pub use pictures::*;
pub use plays::*;
pub use points::*;
pub use quarantine::*;
pub use raffles::*;
pub use reports::*;
pub use sales::*;
pub use search::*;
pub use second_factors::*;
pub use shop::*;
pub use statistics::*;
pub use timelines::*;
pub use trees::*;
pub use webhooks::*;

use domain::access::KeyCaps;
use domain::fingerprint::Fingerprint;
use domain::ids::{KeyId, UserId};
use domain::time::Timestamp;

/// Makes a creating step repeatable: the first outcome under (principal, key) is kept in the same
/// transaction as its effect and given again; another request under the same key is a conflict.
#[derive(Clone, Debug)]
pub struct Once {
    pub principal: String,
    pub key: String,
    pub fingerprint: Fingerprint,
    /// What the first answer carried and no table keeps (a token, a key's secret), encrypted.
    pub sealed: Option<Vec<u8>>,
}

/// What a step created, or had created when it was first asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateOutcome {
    pub id: i64,
    /// The [`Once::sealed`] of the first request, when this is a repetition.
    pub replayed: Option<Option<Vec<u8>>>,
}

impl CreateOutcome {
    pub fn now(id: i64) -> Self {
        Self { id, replayed: None }
    }
}

/// Who did something that the audit log records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    Person(UserId),
    Key(KeyId),
    /// The command line on the machine itself.
    Console,
    /// Windfall itself.
    System,
}

/// Goes with every administrative step; the store adds before and after in the same transaction.
#[derive(Clone, Debug)]
pub struct AuditStamp {
    pub actor: Actor,
    /// The person who answers for it: whoever acts, or made the key that acts. Nobody does for the command line, for keys
    /// made there, and for Windfall itself.
    pub responsible: Option<UserId>,
    pub reason: String,
    pub request_id: String,
    pub at: Timestamp,
    /// The id of the audit line, made by the caller so that a repetition writes the same line.
    pub audit_id: i64,
    /// How much keys may do on the day of `at`; people may do any amount.
    pub key_caps: KeyCaps,
}

impl AuditStamp {
    /// The same, done with a key that somebody made.
    pub fn with_maker(self, maker: Option<UserId>) -> Self {
        Self { responsible: self.responsible.or(maker), ..self }
    }

    /// Whether a key acts: it cannot ask a second person, since its maker could be both.
    pub fn by_key(&self) -> bool {
        matches!(self.actor, Actor::Key(_))
    }

    /// Whether daily caps of one person do not apply: the machine's own administrator and Windfall itself.
    pub fn is_uncapped(&self) -> bool {
        matches!(self.actor, Actor::Console | Actor::System)
    }
}
