//! The gate in front of a sale: who may try to buy, and when.
//!
//! A try needs a *token*, signed for its user, its sale and its round, good for one attempt and for two minutes. It is given
//! only after the start, to whoever may take part, has answered a picture where that is asked for, and has had their turn
//! where there is a waiting room. So before the start there is nothing to send, however well somebody knows the API.
//!
//! Nothing here writes to a disk on behalf of somebody who has no token; the one thing that is ever written are the numbers
//! of a waiting room, a thousand at a time. And nothing here decides about units: that is the ledger's, in one step with
//! the window and the limit per user. A mistake of the gate lets in somebody early or late; it never sells anything twice.

mod admit;
mod captcha;
mod flags;
mod gauges;
mod issue;
mod pace;
mod room;
mod rooms;
mod sale;
mod spent_tokens;

pub use admit::{Admitted, admit, admit_all};
pub use captcha::{CaptchaForm, Picture, picture};
pub use gauges::gauges;
pub use issue::{IssuedToken, SolvedCaptcha, token_give};
pub use room::{RoomState, RoomSubscription, RoomView, room_follow, room_join, room_look};
pub use sale::{find_sold_out, sold_out_rejection};

use std::net::IpAddr;

use domain::ids::{ActivityId, UserId};
use domain::sale::GateKey;
use domain::sale::room::InRoom;
use domain::time::Timestamp;

use crate::ports::Vault;
use flags::Flags;
use rooms::RoomRack;
use spent_tokens::SpentTokens;

/// Who stands in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buyer {
    pub user: UserId,
    /// Where they are, for the limits by address; nothing where a company's backend asks for its users.
    pub address: Option<IpAddr>,
}

/// What the gate knows in this process.
#[derive(Debug)]
pub struct SaleGate {
    key: GateKey,
    tokens: SpentTokens,
    pictures: SpentTokens,
    flags: Flags,
    rooms: RoomRack,
}

impl SaleGate {
    /// Signs with a key of its own, made of the installation's: it is the same after every restart.
    pub fn new(vault: &dyn Vault) -> Self {
        Self {
            key: GateKey::new(&vault.index("sale gate", "key 1")),
            tokens: SpentTokens::default(),
            pictures: SpentTokens::default(),
            flags: Flags::default(),
            rooms: RoomRack::default(),
        }
    }

    /// How many are in the waiting room of a sale's round; nothing where nobody ever came.
    pub fn in_room(&self, sale: ActivityId, round: u32) -> Option<InRoom> {
        self.rooms.in_room((sale, round))
    }

    /// Units of a sale came back or were added: whoever asks next is not told that it is sold out.
    pub fn return_units(&self, sale: ActivityId) {
        self.flags.returned(sale);
    }

    /// The version to be taken before the ledger is asked for units, for [`SaleGate::record_units`].
    pub fn units_version(&self, sale: ActivityId) -> u64 {
        self.flags.version(sale)
    }

    /// What the ledger said of the units of a sale, asked at that version.
    pub fn record_units(&self, sale: ActivityId, version: u64, free: u64, now: Timestamp) {
        self.flags.seen(sale, version, free, now);
    }
}
