//! What goes into a statement and comes out of a row: the three types both databases share.
//!
//! There is no floating point and no date type on purpose: money, odds and time are integers, everything
//! else is text or bytes. Booleans are stored as 0 and 1.

use domain::access::{Roles, Scopes};
use domain::ids::{
    ActivityId, AddressId, ApprovalId, AuditId, CodePoolId, CommentId, FulfilmentId, GrantId, GrantRuleId,
    KeyId, OfferId, OrderId, PaymentId, PictureId, PostId, RunId, SessionId, ShopOrderId, TreeId, UserId,
    WebhookId,
};
use domain::time::Timestamp;

/// One value of a statement or a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    /// How a mismatch is reported.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Int(_) => "an integer",
            Value::Text(_) => "text",
            Value::Bytes(_) => "bytes",
        }
    }
}

/// Numbers of events and units are far below the end of a signed integer.
pub(crate) fn as_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The values of a statement in the order of `$1`, `$2`, …: anything that turns into a [`Value`].
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$($crate::value::Value::from($value)),*] as &[$crate::value::Value]
    };
}

macro_rules! values_from {
    ($($from:ty => |$given:ident| $value:expr),+ $(,)?) => {$(
        impl From<$from> for Value {
            fn from($given: $from) -> Self {
                $value
            }
        }
    )+};
}

values_from! {
    i64 => |int| Value::Int(int),
    u32 => |int| Value::Int(int.into()),
    bool => |flag| Value::Int(flag.into()),
    Timestamp => |time| Value::Int(time.0),
    Roles => |roles| Value::Int(roles.bits()),
    Scopes => |scopes| Value::Int(scopes.bits()),
    UserId => |id| Value::Int(id.0),
    SessionId => |id| Value::Int(id.0),
    KeyId => |id| Value::Int(id.0),
    AddressId => |id| Value::Int(id.0),
    ApprovalId => |id| Value::Int(id.0),
    AuditId => |id| Value::Int(id.0),
    RunId => |id| Value::Int(id.0),
    ActivityId => |id| Value::Int(id.0),
    TreeId => |id| Value::Int(id.0),
    FulfilmentId => |id| Value::Int(id.0),
    CodePoolId => |id| Value::Int(id.0),
    WebhookId => |id| Value::Int(id.0),
    GrantRuleId => |id| Value::Int(id.0),
    GrantId => |id| Value::Int(id.0),
    OfferId => |id| Value::Int(id.0),
    PictureId => |id| Value::Int(id.0),
    PostId => |id| Value::Int(id.0),
    CommentId => |id| Value::Int(id.0),
    ShopOrderId => |id| Value::Int(id.0),
    OrderId => |id| Value::Int(id.0),
    PaymentId => |id| Value::Int(id.0),
    &str => |text| Value::Text(text.to_owned()),
    &String => |text| Value::Text(text.clone()),
    String => |text| Value::Text(text),
    &[u8] => |bytes| Value::Bytes(bytes.to_vec()),
    &Vec<u8> => |bytes| Value::Bytes(bytes.clone()),
    Vec<u8> => |bytes| Value::Bytes(bytes),
    &[u8; 32] => |hash| Value::Bytes(hash.to_vec()),
    [u8; 32] => |hash| Value::Bytes(hash.to_vec()),
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_becomes_one_of_four() {
        for (value, expected) in
            params![5_i64, UserId(7), true, Timestamp(9), "a", b"\x01".as_slice(), None::<i64>, Some("b")]
                .iter()
                .zip([
                    Value::Int(5),
                    Value::Int(7),
                    Value::Int(1),
                    Value::Int(9),
                    Value::Text("a".into()),
                    Value::Bytes(vec![1]),
                    Value::Null,
                    Value::Text("b".into()),
                ])
        {
            assert_eq!(*value, expected);
        }
    }
}
