//! A value inside a sentence, in the sentence's language.

use std::fmt;

use super::lang::Lang;
use crate::access::{Role, Scope};
use crate::activity::{Action, State};
use crate::flaw::Flaws;
use crate::fulfilment;
use crate::sale::Money;
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
worded_plainly!(String, u32, u64, i64, usize, Scope, Timestamp, Money);

/// Its name; as `{state:#}` what can be done from there.
impl fmt::Display for Worded<'_, State> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.write_str(self.1.name());
        }
        let (en, zh) = match self.1 {
            State::Editing => ("Submit it for review first", "请先提审（submit）"),
            State::InReview => (
                "A reviewer approves or refuses it; its author may withdraw it",
                "等待审核人通过（approve）或拒绝（refuse），编辑者可撤审（withdraw）",
            ),
            State::Refused => (
                "Edit it, at least to save it as it is, then submit it again",
                "请先编辑并保存（内容可不变），再重新提审（submit）",
            ),
            State::Approved | State::Reopened => (
                "It runs by itself at its start; until then it can be closed, or changed by a new version",
                "到开始时间会自动运行；在此之前可关闭（close），或以新版本修改",
            ),
            State::Running => (
                "It can be paused, closed, or changed by a new version",
                "可暂停（pause）、关闭（close），或以新版本修改",
            ),
            State::Paused => (
                "It can be resumed, closed, or changed by a new version",
                "可恢复（resume）、关闭（close），或以新版本修改",
            ),
            State::Closed => (
                "It can be reopened, after a new version if its window is over",
                "可重开（reopen）；若活动时间已过，请先提交新版本",
            ),
        };
        f.write_str(if self.0 == Lang::En { en } else { zh })
    }
}

impl fmt::Display for Worded<'_, fulfilment::Kind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.name())
    }
}

impl fmt::Display for Worded<'_, fulfilment::State> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.name())
    }
}

impl fmt::Display for Worded<'_, fulfilment::Step> {
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
