//! A value inside a sentence, in the sentence's language.

use std::fmt;

use super::lang::Lang;
use crate::access::{Role, Scope};
use crate::activity::{Action, State};
use crate::flaw::Flaws;
use crate::time::Timestamp;

/// A value inside a sentence, in the sentence's language.
pub(super) struct Worded<'a, T>(pub Lang, pub &'a T);

macro_rules! worded_plainly {
    ($($type:ty),+) => {$(
        impl fmt::Display for Worded<'_, $type> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self.1, f)
            }
        }
    )+};
}
worded_plainly!(String, u32, u64, i64, usize, Scope, Timestamp);

impl fmt::Display for Worded<'_, State> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.name())
    }
}

impl fmt::Display for Worded<'_, Action> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.name())
    }
}

/// How many there are; each has a text of its own in the list.
impl fmt::Display for Worded<'_, Flaws> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1.found()) {
            (Lang::En, 1) => f.write_str("1 problem"),
            (Lang::En, found) => write!(f, "{found} problems"),
            (Lang::Zh, found) => write!(f, "{found} 处问题"),
        }
    }
}

impl fmt::Display for Worded<'_, Role> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.0, self.1) {
            (Lang::En, role) => role.name(),
            (Lang::Zh, Role::Player) => "玩家",
            (Lang::Zh, Role::Operator) => "运营",
            (Lang::Zh, Role::Reviewer) => "审核",
            (Lang::Zh, Role::Admin) => "管理员",
        })
    }
}
