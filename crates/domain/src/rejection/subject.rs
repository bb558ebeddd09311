//! What a rejection is about, and how it is called.

use std::fmt;

use super::lang::Lang;
use super::worded::Worded;
use crate::time::Timestamp;

/// What was looked for and is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingThing {
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
    Post,
    Comment,
    /// The code of somebody who invites.
    Invite,
    /// A private message.
    Message,
    /// A case of the moderators.
    Report,
    /// What a moderator decided about somebody's text.
    Decision,
    Appeal,
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

impl fmt::Display for Worded<'_, MissingThing> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (en, zh) = match self.1 {
            MissingThing::User => ("user", "用户"),
            MissingThing::Session => ("session", "会话"),
            MissingThing::Key => ("API key", "API 密钥"),
            MissingThing::Address => ("address", "地址"),
            MissingThing::Approval => ("approval request", "审批申请"),
            MissingThing::Job => ("job", "任务"),
            MissingThing::Activity => ("activity", "活动"),
            MissingThing::Version => ("version", "版本"),
            MissingThing::Round => ("round", "轮次"),
            MissingThing::Prize => ("prize", "奖品"),
            MissingThing::Page => ("page", "页面"),
            MissingThing::Tree => ("rule tree, or no such version of it", "规则树或其版本"),
            MissingThing::Blocked => ("user on this block list", "黑名单用户"),
            MissingThing::Ticket => ("ticket", "抽奖记录"),
            MissingThing::Win => ("win", "中奖记录"),
            MissingThing::DeadLetter => ("dead letter", "死信"),
            MissingThing::PointsRow => ("row of this statement", "积分记录"),
            MissingThing::CodePool => ("pool of codes", "兑换码池"),
            MissingThing::GivenCode => ("code given for this", "已发放的兑换码"),
            MissingThing::Webhook => ("webhook", "Webhook"),
            MissingThing::Delivery => ("delivery of this webhook", "投递记录"),
            MissingThing::GrantRule => ("grant rule", "发放规则"),
            MissingThing::Grant => ("grant", "发放记录"),
            MissingThing::Behaviour => ("behaviour of this kind", "行为记录"),
            MissingThing::Offer => ("offer", "兑换商品"),
            MissingThing::ShopOrder => ("order", "兑换订单"),
            MissingThing::Order => ("order", "订单"),
            MissingThing::Attempt => ("attempt", "抢购"),
            MissingThing::PaymentProvider => ("payment provider", "支付渠道"),
            MissingThing::Sale => ("sale", "秒杀活动"),
            MissingThing::Picture => ("picture", "图片"),
            MissingThing::Reminder => ("reminder", "提醒"),
            MissingThing::Post => ("post", "帖子"),
            MissingThing::Comment => ("comment", "评论"),
            MissingThing::Invite => ("invitation code", "邀请码"),
            MissingThing::Message => ("message", "私信"),
            MissingThing::Report => ("report", "举报"),
            MissingThing::Decision => ("decision", "处理决定"),
            MissingThing::Appeal => ("appeal", "申诉"),
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
