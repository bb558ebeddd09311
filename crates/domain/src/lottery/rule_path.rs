//! The path through the rule tree that let a player in, as a record keeps it.
//!
//! The bytes are those of [`crate::tree::TreePath::encode`]; without a tree there are none. They are kept in place, so that
//! a player's inputs need no memory of their own. What they mean is the tree's to say.

use std::fmt;

use crate::tree::{PATH_BYTES_MAX, TreePath};

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RulePath {
    length: u8,
    /// Zero beyond the length.
    bytes: [u8; PATH_BYTES_MAX],
}

impl RulePath {
    /// Without a tree.
    pub const NONE: Self = Self { length: 0, bytes: [0; PATH_BYTES_MAX] };

    /// At most [`PATH_BYTES_MAX`] bytes.
    pub fn new(path: &[u8]) -> Option<Self> {
        let mut bytes = [0; PATH_BYTES_MAX];
        bytes.get_mut(..path.len())?.copy_from_slice(path);
        Some(Self { length: u8::try_from(path.len()).ok()?, bytes })
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl Default for RulePath {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<&TreePath> for RulePath {
    fn from(path: &TreePath) -> Self {
        Self::new(&path.encode()).expect("a path has at most PATH_BYTES_MAX bytes")
    }
}

impl fmt::Debug for RulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RulePath({:?})", self.as_bytes())
    }
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::tree::PathStep;

    #[test]
    fn a_path_is_kept_as_it_is() {
        assert_eq!(RulePath::new(&[]), Some(RulePath::NONE));
        let longest = [7; PATH_BYTES_MAX];
        assert_eq!(RulePath::new(&longest).unwrap().as_bytes(), longest);
        assert_eq!(RulePath::new(&[7; PATH_BYTES_MAX + 1]), None);
        let path =
            TreePath { steps: vec![PathStep { node: 4, edge: 2 }, PathStep { node: 9, edge: 0 }], end: 5 };
        assert_eq!(RulePath::from(&path).as_bytes(), [2, 2, 0]);
        assert_ne!(RulePath::new(&[0]), RulePath::new(&[]), "a tree that is one leaf, and no tree");
    }
}
