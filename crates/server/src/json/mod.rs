//! JSON from strangers: how large its parts may be, and what is wrong with it.
//!
//! What fits its type is parsed once, by serde. Only what does not is read a second time, into a tree, and the type is
//! asked again: the type itself then says what it refused, with the names that it knows. No message is ever taken apart,
//! because a message repeats what somebody sent.

mod node;
mod reading;
mod shape;
mod wrong;

use domain::Rejection;
use serde::de::DeserializeOwned;

pub(crate) use wrong::DUPLICATE_NAME;

/// Parses and says which field is to blame: unknown, missing, repeated or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Rejection> {
    // Serde would take a list for an object, its values in the order of the fields.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Rejection::BodyMalformed { detail: "a list where an object is expected".to_owned() });
    }
    shape::check(bytes)?;
    serde_json::from_slice(bytes).map_err(|error| explain::<T>(bytes, &error))
}

/// Why the type does not take it. `error` is what serde said, and its text is used only where it says where the JSON ends.
fn explain<T: DeserializeOwned>(bytes: &[u8], error: &serde_json::Error) -> Rejection {
    let malformed = |error: &serde_json::Error| Rejection::BodyMalformed { detail: wrong::cut(error) };
    let tree: node::Node = match serde_json::from_slice(bytes) {
        Ok(tree) => tree,
        Err(error) => return malformed(&error),
    };
    match T::deserialize(&tree) {
        Err(wrong) => wrong.into_rejection(),
        // The two readings disagree, which is a matter of serde's and not of a field.
        Ok(_) => malformed(error),
    }
}

#[cfg(test)]
mod tests;
