//! How many of something each of many holders has: connections of an address, streams of a key. A share is given back when
//! it is dropped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// By holder; only those that have any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares(Arc<Mutex<HashMap<String, u32>>>);

/// One of a holder's shares.
#[derive(Debug)]
pub(crate) struct Share {
    holder: String,
    shares: Shares,
}

impl Shares {
    /// One more, unless the holder has `max` already.
    pub fn take(&self, holder: String, max: u32) -> Option<Share> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(holder.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Share { holder, shares: self.clone() })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.shares.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_holder_has_so_many_and_gives_them_back() {
        let shares = Shares::default();
        let take = |holder: &str| shares.take(holder.to_owned(), 2);
        let (first, second) = (take("a").unwrap(), take("a").unwrap());
        assert!(take("a").is_none() && take("b").is_some());
        drop(first);
        let third = take("a").unwrap();
        assert!(take("a").is_none());
        drop((second, third));
        assert!(shares.0.lock().unwrap().is_empty(), "nobody is remembered without a share");
    }
}
