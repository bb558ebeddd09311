//! A field that may be left out, or be null on purpose: left out is nothing, null is `Some(None)`.

use serde::{Deserialize, Deserializer};

pub(crate) fn present<'de, D, T>(json: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<T>::deserialize(json).map(Some)
}
