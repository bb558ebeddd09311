//! What can happen that another system may want to hear of.

use std::collections::BTreeSet;

use crate::Rejection;
use crate::rejection::FieldProblem;

/// How a subscription asks for every kind.
pub const ALL_KINDS: &str = "*";

/// A kind's name is for good: receivers branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    WinMade,
    WinGiven,
    WinFailed,
    WinVoided,
    WinUnclaimed,
    /// A coupon has to be issued: whoever wants this issues it and reports back.
    CouponDue,
    ActivityOpened,
    ActivityClosed,
    StockLow,
    /// Something that somebody wants to be reminded of starts soon: whoever wants this tells them.
    ReminderDue,
    /// Another subscription was switched off.
    WebhookOff,
    /// Somebody asked for a delivery, to see whether it arrives.
    WebhookTest,
}

impl EventKind {
    pub const ALL: [Self; 12] = [
        Self::WinMade,
        Self::WinGiven,
        Self::WinFailed,
        Self::WinVoided,
        Self::WinUnclaimed,
        Self::CouponDue,
        Self::ActivityOpened,
        Self::ActivityClosed,
        Self::StockLow,
        Self::ReminderDue,
        Self::WebhookOff,
        Self::WebhookTest,
    ];
    pub const NAMES: &'static str = "*, win.made, win.given, win.failed, win.voided, win.unclaimed, coupon.due, \
                                     activity.opened, activity.closed, stock.low, reminder.due, webhook.off, webhook.test";

    pub const fn name(self) -> &'static str {
        match self {
            Self::WinMade => "win.made",
            Self::WinGiven => "win.given",
            Self::WinFailed => "win.failed",
            Self::WinVoided => "win.voided",
            Self::WinUnclaimed => "win.unclaimed",
            Self::CouponDue => "coupon.due",
            Self::ActivityOpened => "activity.opened",
            Self::ActivityClosed => "activity.closed",
            Self::StockLow => "stock.low",
            Self::ReminderDue => "reminder.due",
            Self::WebhookOff => "webhook.off",
            Self::WebhookTest => "webhook.test",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether `*` asks for it too. A coupon goes to whoever issues coupons, and not to everybody who listens: taking
    /// one is a promise to issue it.
    const fn is_for_listeners(self) -> bool {
        !matches!(self, Self::CouponDue)
    }
}

/// The kinds that a subscription wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    all: bool,
    kinds: BTreeSet<EventKind>,
}

impl Wants {
    pub fn parse<S: AsRef<str>>(names: &[S]) -> Result<Self, Rejection> {
        let mut wants = Self::default();
        for name in names {
            match (name.as_ref(), EventKind::parse(name.as_ref())) {
                (ALL_KINDS, _) => wants.all = true,
                (_, Some(kind)) => drop(wants.kinds.insert(kind)),
                (_, None) => {
                    let problem = FieldProblem::NotOneOf { allowed: EventKind::NAMES };
                    return Err(Rejection::invalid("kinds", problem));
                }
            }
        }
        if wants.all || !wants.kinds.is_empty() {
            Ok(wants)
        } else {
            Err(Rejection::invalid("kinds", FieldProblem::Missing))
        }
    }

    pub fn wants(&self, kind: EventKind) -> bool {
        self.kinds.contains(&kind) || (self.all && kind.is_for_listeners())
    }

    /// As they are kept and shown.
    pub fn names(&self) -> Vec<&'static str> {
        let all = self.all.then_some(ALL_KINDS);
        all.into_iter().chain(self.kinds.iter().map(|kind| kind.name())).collect()
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn names_are_pinned() {
        let names: Vec<&str> = EventKind::ALL.map(EventKind::name).into();
        assert_eq!(EventKind::NAMES, format!("*, {}", names.join(", ")));
        for kind in EventKind::ALL {
            assert_eq!(EventKind::parse(kind.name()), Some(kind));
        }
        assert_eq!(EventKind::parse(ALL_KINDS), None);
    }

    #[test]
    fn who_wants_what() {
        use EventKind::*;
        for (names, wanted, unwanted) in [
            (&["*"][..], &[WinMade, StockLow, WebhookTest][..], &[CouponDue][..]),
            (&["*", "coupon.due"], &[WinMade, CouponDue], &[]),
            (&["coupon.due"], &[CouponDue], &[WinMade]),
            (&["win.made", "win.made"], &[WinMade], &[WinGiven]),
        ] {
            let wants = Wants::parse(names).unwrap();
            assert!(wanted.iter().all(|kind| wants.wants(*kind)), "{names:?}");
            assert!(!unwanted.iter().any(|kind| wants.wants(*kind)), "{names:?}");
            assert_eq!(Wants::parse(&wants.names()).unwrap(), wants);
        }
        for names in [&[][..], &["win"], &["win.*"], &["win.made", "WIN.MADE"]] {
            assert_eq!(Wants::parse(names).unwrap_err().field(), Some("kinds"), "{names:?}");
        }
    }
}
