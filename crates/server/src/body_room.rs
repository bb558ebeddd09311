//! The memory that bodies take while they arrive.
//!
//! The first bytes of a body cost nothing here: whatever anybody may send is that short. What comes beyond is taken from one
//! room for all, of which one caller gets a quarter, so that somebody who lets hundreds of long bodies stall neither fills
//! the memory nor keeps others from sending theirs.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::{Rejection, picture};

use crate::auth::Identity;
use crate::body::BATCH_BYTES_MAX;
use crate::sheet_body::SHEET_BYTES_MAX;

const RETRY_AFTER_S: i64 = 1;
/// One caller gets one of so many parts of the room.
const PARTS: usize = 4;

/// Who sends the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sender {
    Person(i64),
    Key(i64),
    /// Everybody who has no name, and the machine's own command line.
    Other,
}

impl Sender {
    fn of(identity: Option<&Identity>) -> Self {
        match identity {
            Some(Identity::Person(person)) => Self::Person(person.who.user.0),
            Some(Identity::Key { holder, .. }) => Self::Key(holder.key.0),
            Some(Identity::Nobody | Identity::Console | Identity::Refused(_)) | None => Self::Other,
        }
    }
}

#[derive(Debug)]
pub struct BodyRoom {
    bytes_max: usize,
    sender_bytes_max: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: usize,
    by_sender: HashMap<Sender, usize>,
}

impl BodyRoom {
    /// Room for `bytes_max`, where bodies without a limit of their own may have `body_limit_bytes`.
    pub fn new(bytes_max: usize, body_limit_bytes: usize) -> Self {
        let longest = [body_limit_bytes, BATCH_BYTES_MAX, SHEET_BYTES_MAX, picture::BYTES_MAX];
        Self::with_longest(bytes_max, longest.into_iter().max().unwrap_or_default())
    }

    /// One caller can always send the longest body.
    fn with_longest(bytes_max: usize, longest_body: usize) -> Self {
        let sender_bytes_max = (bytes_max / PARTS).max(longest_body);
        Self { bytes_max: bytes_max.max(longest_body), sender_bytes_max, taken: Mutex::default() }
    }

    /// The part of the room that one body will need; nothing yet.
    pub(crate) fn enter(&self, identity: Option<&Identity>) -> BodyPlace<'_> {
        BodyPlace { room: self, sender: Sender::of(identity), bytes: 0 }
    }
}

/// What one body has taken; given back when dropped.
#[derive(Debug)]
pub(crate) struct BodyPlace<'a> {
    room: &'a BodyRoom,
    sender: Sender,
    bytes: usize,
}

impl BodyPlace<'_> {
    /// Takes room until the body has `bytes`.
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), Rejection> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let mut taken = self.room.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let of_sender = taken.by_sender.get(&self.sender).copied().unwrap_or(0);
        if taken.bytes + more > self.room.bytes_max || of_sender + more > self.room.sender_bytes_max {
            return Err(Rejection::Overloaded { retry_after_s: RETRY_AFTER_S });
        }
        taken.bytes += more;
        taken.by_sender.insert(self.sender, of_sender + more);
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for BodyPlace<'_> {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut taken = self.room.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.bytes -= self.bytes;
        let left = taken.by_sender.get(&self.sender).map_or(0, |bytes| bytes - self.bytes);
        if left == 0 {
            taken.by_sender.remove(&self.sender);
        } else {
            taken.by_sender.insert(self.sender, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_has_a_quarter_and_all_have_the_room() {
        let room = BodyRoom::with_longest(100, 20);
        let place = |key| BodyPlace { room: &room, sender: Sender::Key(key), bytes: 0 };
        let (mut first, mut second) = (place(1), place(1));
        assert!(first.grow_to(20).is_ok() && first.grow_to(10).is_ok(), "what is taken stays taken");
        assert!(second.grow_to(6).is_err() && second.grow_to(5).is_ok());
        let mut others: Vec<_> = (2..5).map(place).collect();
        assert!(others.iter_mut().all(|other| other.grow_to(25).is_ok()));
        assert!(place(9).grow_to(1).is_err(), "the room is full");
        drop(first);
        assert!(place(9).grow_to(20).is_ok() && second.grow_to(25).is_ok());
        drop((second, others));
        let taken = room.taken.lock().unwrap();
        assert!(taken.bytes == 0 && taken.by_sender.is_empty(), "everything is given back: {taken:?}");
    }

    #[test]
    fn the_longest_body_always_fits() {
        let room = BodyRoom::with_longest(10, 50);
        assert!(room.enter(None).grow_to(50).is_ok());
    }
}
