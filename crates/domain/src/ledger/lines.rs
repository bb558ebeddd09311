//! The lines of a hold, a few things of which there is nearly always one: one costs no allocation.

use std::ops::{Deref, DerefMut};

#[derive(Clone, Debug)]
pub enum Lines<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> Default for Lines<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> Deref for Lines<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Self::One(line) => std::slice::from_ref(line),
            Self::Many(lines) => lines,
        }
    }
}

impl<T> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(line) => std::slice::from_mut(line),
            Self::Many(lines) => lines,
        }
    }
}

/// However they are kept, the same lines are equal.
impl<T: PartialEq> PartialEq for Lines<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Lines<T> {}

impl<T: PartialEq> PartialEq<Vec<T>> for Lines<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        **self == **other
    }
}

impl<T> From<Vec<T>> for Lines<T> {
    fn from(lines: Vec<T>) -> Self {
        Self::Many(lines)
    }
}

impl<T> FromIterator<T> for Lines<T> {
    fn from_iter<I: IntoIterator<Item = T>>(lines: I) -> Self {
        let mut lines = lines.into_iter();
        match (lines.next(), lines.next()) {
            (None, _) => Self::default(),
            (Some(one), None) => Self::One(one),
            (Some(one), Some(two)) => Self::Many([one, two].into_iter().chain(lines).collect()),
        }
    }
}

impl<'a, T> IntoIterator for &'a Lines<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn the_same_lines_however_they_are_kept() {
        for lines in [vec![], vec![1], vec![1, 2], vec![1, 2, 3]] {
            let collected: Lines<i32> = lines.iter().copied().collect();
            assert_eq!(matches!(collected, Lines::One(_)), lines.len() == 1, "one is kept without a vector");
            assert_eq!(collected, lines);
            assert_eq!(collected, Lines::from(lines.clone()));
            assert!(collected.into_iter().eq(&lines));
        }
    }
}
