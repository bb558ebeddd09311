//! Storage for records: fixed chunks, so that it grows without copying and without doubling, and slots that are used
//! again.

use std::ops::{Index, IndexMut};

const CHUNK: usize = 1_024;

/// A place in a [`Slab`].
pub type Slot = u32;

#[derive(Clone, Debug)]
pub struct Slab<T> {
    chunks: Vec<Vec<Option<T>>>,
    free: Vec<Slot>,
    next: Slot,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), free: Vec::new(), next: 0 }
    }
}

impl<T> Slab<T> {
    pub fn insert(&mut self, value: T) -> Slot {
        if let Some(slot) = self.free.pop() {
            let (chunk, at) = place(slot);
            self.chunks[chunk][at] = Some(value);
            return slot;
        }
        let slot = self.next;
        self.next = self.next.checked_add(1).expect("fewer than four billion records are in memory");
        let (chunk, _) = place(slot);
        if chunk == self.chunks.len() {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks[chunk].push(Some(value));
        slot
    }

    pub fn remove(&mut self, slot: Slot) -> T {
        let (chunk, at) = place(slot);
        let value = self.chunks[chunk][at].take().expect("a slot is removed once");
        self.free.push(slot);
        value
    }

    pub fn get(&self, slot: Slot) -> Option<&T> {
        let (chunk, at) = place(slot);
        self.chunks.get(chunk)?.get(at)?.as_ref()
    }

    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        let (chunk, at) = place(slot);
        self.chunks.get_mut(chunk)?.get_mut(at)?.as_mut()
    }

    /// The slot after the last one ever used.
    pub fn end(&self) -> Slot {
        self.next
    }

    pub fn len(&self) -> usize {
        self.next as usize - self.free.len()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.chunks.iter_mut().flatten().flatten()
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten().flatten()
    }
}

impl<T> Index<Slot> for Slab<T> {
    type Output = T;
    fn index(&self, slot: Slot) -> &T {
        let (chunk, at) = place(slot);
        self.chunks[chunk][at].as_ref().expect("a slot in use")
    }
}

impl<T> IndexMut<Slot> for Slab<T> {
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        let (chunk, at) = place(slot);
        self.chunks[chunk][at].as_mut().expect("a slot in use")
    }
}

fn place(slot: Slot) -> (usize, usize) {
    (slot as usize / CHUNK, slot as usize % CHUNK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_used_again() {
        let mut slab = Slab::default();
        let slots: Vec<Slot> = (0..3_000).map(|n| slab.insert(n)).collect();
        assert_eq!(slab[slots[2_999]], 2_999);
        assert_eq!(slab.remove(slots[7]), 7);
        assert_eq!(slab.insert(99), slots[7]);
        assert_eq!((slab.len(), slab.iter().count()), (3_000, 3_000));
    }
}
