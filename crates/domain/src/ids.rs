//! Typed ids.
//!
//! Every id is a 64-bit snowflake ([`crate::snowflake`]) in a wrapper of its own, so that a session can
//! never be passed where a user is meant. Outside the program an id is a decimal *string*: a 64-bit
//! integer does not survive JavaScript's 2^53.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;
            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

ids! {
    /// A person: player, operator, reviewer or admin.
    UserId,
    /// One signed-in browser or app.
    SessionId,
    /// An API key of the company's backend.
    KeyId,
    /// An entry of a user's address book.
    AddressId,
    /// A request that waits for a second person.
    ApprovalId,
    /// A line of the audit log.
    AuditId,
    /// One run of a recurring job.
    RunId,
    /// A prize-draw campaign.
    ActivityId,
    /// A rule tree.
    TreeId,
    /// The giving of one prize; the same as the id of the win, or of the order, that it is for.
    FulfilmentId,
    /// A pool of redeem codes.
    CodePoolId,
    /// A subscription to events.
    WebhookId,
    /// A rule that makes grants of behaviours.
    GrantRuleId,
    /// What a rule gave somebody.
    GrantId,
    /// Something that points buy.
    OfferId,
    /// What somebody bought; the same as the id of its fulfilment.
    ShopOrderId,
    /// What somebody ordered in a sale; the same as the id of the attempt it came of.
    OrderId,
    /// Money that came for an order.
    PaymentId,
    /// A picture that was uploaded.
    PictureId,
    /// Something that somebody wrote for everybody.
    PostId,
    /// What somebody said about something.
    CommentId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_and_parse_as_decimal_text() {
        let id = UserId(9_007_199_254_740_993);
        assert_eq!(id.to_string(), "9007199254740993");
        assert_eq!("9007199254740993".parse(), Ok(id));
        assert!("12x".parse::<UserId>().is_err());
        assert_eq!(format!("{id:?}"), "UserId(9007199254740993)");
    }
}
