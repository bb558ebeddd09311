//! How a receiver wants to read: events as they are for programs, or a sentence for the people of a chat.
//!
//! A chat is read by many: it gets what concerns operators and no word about players.

use super::kind::{EventFilter, EventKind};
use crate::rejection::FieldProblem;
use crate::{Lang, Rejection};

crate::names! {
    /// What is posted to a receiver.
    #[derive(Default)]
    pub enum HookFormat {
        /// The event as JSON.
        #[default]
        Event = "event",
        /// A text for Slack, Mattermost and others that take the same.
        Slack = "slack",
        /// 飞书 (Lark).
        Feishu = "feishu",
        /// 钉钉.
        Dingtalk = "dingtalk",
        /// 企业微信.
        Wecom = "wecom",
    }
}

/// What a chat may be told of.
const CHAT_KINDS: &str = "attention.raised, attention.cleared, activity.opened, activity.closed, raffle.drawn, stock.low, code_pool.low, webhook.off";

impl HookFormat {
    pub fn is_chat(self) -> bool {
        self != Self::Event
    }

    /// The language that a chat of this kind is spoken to in.
    pub fn lang(self) -> Lang {
        match self {
            Self::Event | Self::Slack => Lang::En,
            Self::Feishu | Self::Dingtalk | Self::Wecom => Lang::Zh,
        }
    }

    /// Refuses to tell a chat of people.
    pub fn check(self, wants: &EventFilter) -> Result<(), Rejection> {
        let fits = |kind: EventKind| CHAT_KINDS.split(", ").any(|name| name == kind.name());
        let strange = EventKind::ALL.into_iter().any(|kind| wants.wants(kind) && !fits(kind));
        if self.is_chat() && strange {
            return Err(Rejection::invalid("kinds", FieldProblem::NotOneOf { allowed: CHAT_KINDS }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_hears_nothing_of_players() {
        for (format, kinds, allowed) in [
            (HookFormat::Event, &["*"][..], true),
            (HookFormat::Event, &["win.made"], true),
            (HookFormat::Slack, &["attention.raised", "attention.cleared"], true),
            (HookFormat::Wecom, &["stock.low", "code_pool.low", "webhook.off"], true),
            (HookFormat::Feishu, &["attention.raised", "win.made"], false),
            (HookFormat::Dingtalk, &["coupon.due"], false),
            (HookFormat::Slack, &["*"], false),
        ] {
            let wants = EventFilter::parse(kinds).unwrap();
            assert_eq!(format.check(&wants).is_ok(), allowed, "{format:?} {kinds:?}");
        }
        assert!(CHAT_KINDS.split(", ").all(|name| EventKind::parse(name).is_some()));
    }
}
