//! A value inside a sentence, in the sentence's language.

use std::fmt;

use super::lang::Lang;
use crate::access::{Role, Scope};
use crate::activity::{Action, LifeState};
use crate::community::PostState;
use crate::flaw::Flaws;
use crate::fulfilment;
use crate::sale::Money;
use crate::shop::OfferState;
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
impl fmt::Display for Worded<'_, LifeState> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.write_str(self.1.name());
        }
        let (en, zh) = match self.1 {
            LifeState::Editing => ("Submit it for review first", "请先提审（submit）"),
            LifeState::InReview => (
                "A reviewer approves or refuses it; its author may withdraw it",
                "等待审核人通过（approve）或拒绝（refuse），编辑者可撤审（withdraw）",
            ),
            LifeState::Refused => (
                "Edit it, at least to save it as it is, then submit it again",
                "请先编辑并保存（内容可不变），再重新提审（submit）",
            ),
            LifeState::Approved | LifeState::Reopened => (
                "It runs by itself at its start; until then it can be closed, or changed by a new version",
                "到开始时间会自动运行；在此之前可关闭（close），或以新版本修改",
            ),
            LifeState::Running => (
                "It can be paused, closed, or changed by a new version",
                "可暂停（pause）、关闭（close），或以新版本修改",
            ),
            LifeState::Paused => (
                "It can be resumed, closed, or changed by a new version",
                "可恢复（resume）、关闭（close），或以新版本修改",
            ),
            LifeState::Closed => (
                "It can be reopened, after a new version if its window is over",
                "可重开（reopen）；若活动时间已过，请先提交新版本",
            ),
        };
        f.write_str(if self.0 == Lang::En { en } else { zh })
    }
}

impl fmt::Display for Worded<'_, fulfilment::PrizeKind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.text(self.0))
    }
}

/// In Chinese with the name beside it, which is what the API says.
impl fmt::Display for Worded<'_, fulfilment::FulfilmentState> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fulfilment::FulfilmentState as Stands;
        let zh = match (self.0, self.1) {
            (Lang::En, state) => return f.write_str(state.name()),
            (Lang::Zh, Stands::Waiting) => "等待发放",
            (Lang::Zh, Stands::Claimable) => "待领取",
            (Lang::Zh, Stands::Ready) => "发放中",
            (Lang::Zh, Stands::ToShip) => "待发货",
            (Lang::Zh, Stands::Shipped) => "已发货",
            (Lang::Zh, Stands::HandedOver) => "已转交",
            (Lang::Zh, Stands::Given) => "已发放",
            (Lang::Zh, Stands::Unclaimed) => "逾期未领",
            (Lang::Zh, Stands::Voided) => "已作废",
            (Lang::Zh, Stands::Failed) => "发放失败",
        };
        write!(f, "{zh}（{}）", self.1.name())
    }
}

impl fmt::Display for Worded<'_, fulfilment::FulfilmentStep> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fulfilment::FulfilmentStep;
        let zh = match (self.0, self.1) {
            (Lang::En, step) => return f.write_str(step.name()),
            (Lang::Zh, FulfilmentStep::Release) => "放行",
            (Lang::Zh, FulfilmentStep::Due) => "到期发放",
            (Lang::Zh, FulfilmentStep::Claim) => "领取",
            (Lang::Zh, FulfilmentStep::Give) => "发放",
            (Lang::Zh, FulfilmentStep::HandOver) => "转交",
            (Lang::Zh, FulfilmentStep::ReportGiven) => "回报已发放",
            (Lang::Zh, FulfilmentStep::ReportFailed) => "回报失败",
            (Lang::Zh, FulfilmentStep::Ship) => "发货",
            (Lang::Zh, FulfilmentStep::Deliver) => "签收",
            (Lang::Zh, FulfilmentStep::Lapse) => "逾期收回",
            (Lang::Zh, FulfilmentStep::Fail) => "判定失败",
            (Lang::Zh, FulfilmentStep::Redrive) => "重新发放",
            (Lang::Zh, FulfilmentStep::Void) => "作废",
        };
        write!(f, "{zh}（{}）", self.1.name())
    }
}

/// In Chinese with the name beside it, which is what the API says.
impl fmt::Display for Worded<'_, OfferState> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zh = match (self.0, self.1) {
            (Lang::En, state) => return f.write_str(state.name()),
            (Lang::Zh, OfferState::Draft) => "草稿",
            (Lang::Zh, OfferState::On) => "上架",
            (Lang::Zh, OfferState::Off) => "下架",
        };
        write!(f, "{zh}（{}）", self.1.name())
    }
}

/// In Chinese with the name beside it, which is what the API says.
impl fmt::Display for Worded<'_, PostState> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zh = match (self.0, self.1) {
            (Lang::En, state) => return f.write_str(state.name()),
            (Lang::Zh, PostState::Visible) => "已发布",
            (Lang::Zh, PostState::Held) => "待审核",
            (Lang::Zh, PostState::Removed) => "已移除",
            (Lang::Zh, PostState::Deleted) => "已删除",
        };
        write!(f, "{zh}（{}）", self.1.name())
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
            (Lang::Zh, Role::Moderator) => "版主",
            (Lang::Zh, Role::Admin) => "管理员",
        })
    }
}
