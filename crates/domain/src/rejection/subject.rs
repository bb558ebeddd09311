//! What a rejection is about, and how it is called.

use std::fmt;

use super::lang::Lang;
use super::worded::Worded;
use crate::time::Timestamp;

/// What was looked for and is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    User,
    Session,
    Key,
    Address,
    Approval,
    Job,
    Activity,
    Version,
    Round,
    Prize,
    Page,
    Tree,
    /// Somebody on an activity's block list.
    Blocked,
    /// A draw or an entry of one's own.
    Ticket,
    Win,
    DeadLetter,
    /// A row of a statement of points.
    PointsRow,
    /// A pool of redeem codes.
    CodePool,
    /// A redeem code that was given.
    GivenCode,
    Webhook,
    Delivery,
    GrantRule,
    Grant,
    /// Something that somebody did.
    Behaviour,
    /// What the shop sells.
    Offer,
    ShopOrder,
    /// What somebody ordered in a sale.
    Order,
    /// An attempt to buy.
    Attempt,
    PaymentProvider,
    Sale,
    Picture,
    Reminder,
}

/// The field a code was typed into: a request may take two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeField(pub &'static str);

/// When a ban ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BanEnd {
    Never,
    At(Timestamp),
}

/// Which field it was is for the form, not for the sentence.
impl fmt::Display for Worded<'_, CodeField> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1.0)
    }
}

impl fmt::Display for Worded<'_, Subject> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (en, zh) = match self.1 {
            Subject::User => ("user", "用户"),
            Subject::Session => ("session", "会话"),
            Subject::Key => ("API key", "API 密钥"),
            Subject::Address => ("address", "地址"),
            Subject::Approval => ("approval request", "审批申请"),
            Subject::Job => ("job", "任务"),
            Subject::Activity => ("activity", "活动"),
            Subject::Version => ("version", "版本"),
            Subject::Round => ("round", "轮次"),
            Subject::Prize => ("prize", "奖品"),
            Subject::Page => ("page", "页面"),
            Subject::Tree => ("rule tree, or no such version of it", "规则树或其版本"),
            Subject::Blocked => ("user on this block list", "黑名单用户"),
            Subject::Ticket => ("ticket", "抽奖记录"),
            Subject::Win => ("win", "中奖记录"),
            Subject::DeadLetter => ("dead letter", "死信"),
            Subject::PointsRow => ("row of this statement", "积分记录"),
            Subject::CodePool => ("pool of codes", "兑换码池"),
            Subject::GivenCode => ("code given for this", "已发放的兑换码"),
            Subject::Webhook => ("webhook", "Webhook"),
            Subject::Delivery => ("delivery of this webhook", "投递记录"),
            Subject::GrantRule => ("grant rule", "发放规则"),
            Subject::Grant => ("grant", "发放记录"),
            Subject::Behaviour => ("behaviour of this kind", "行为记录"),
            Subject::Offer => ("offer", "兑换商品"),
            Subject::ShopOrder => ("order", "兑换订单"),
            Subject::Order => ("order", "订单"),
            Subject::Attempt => ("attempt", "抢购"),
            Subject::PaymentProvider => ("payment provider", "支付渠道"),
            Subject::Sale => ("sale", "秒杀活动"),
            Subject::Picture => ("picture", "图片"),
            Subject::Reminder => ("reminder", "提醒"),
        };
        f.write_str(if self.0 == Lang::En { en } else { zh })
    }
}

impl fmt::Display for Worded<'_, BanEnd> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Lang::En, BanEnd::Never) => f.write_str("for good"),
            (Lang::Zh, BanEnd::Never) => f.write_str("（永久）"),
            (Lang::En, BanEnd::At(at)) => write!(f, "until {at}"),
            (Lang::Zh, BanEnd::At(at)) => write!(f, "至 {at}"),
        }
    }
}
