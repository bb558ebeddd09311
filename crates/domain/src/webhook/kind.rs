//! What can happen that another system may want to hear of.

use std::collections::BTreeSet;

use super::fields::{
    ACTIVITY, ATTENTION, ATTENTION_NOW, CODE_POOL, COMMENT, COUPON, Field, HOLD, NOTE, ORDER, PARCEL, POINTS,
    POST, POST_TEXT, RAFFLE, REMINDER, STOCK, SWITCHED_OFF, TEST, THING, WIN, WIN_DRAW,
};
use crate::Rejection;
use crate::rejection::FieldProblem;

/// How a subscription asks for every kind.
pub const ALL_KINDS: &str = "*";

/// One list of all kinds: the enum, its names, when each happens and what its `data` says. Subscriptions, the API document,
/// the pages and the documents take it from here.
macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $when:literal, [$($fields:expr),+];)+) => {
        /// A kind's name is for good: receivers branch on it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventKind { $($(#[$doc])* $kind),+ }

        impl EventKind {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$kind),+];
            /// For whoever has to say which there are.
            pub const NAMES: &'static str = concat!("*" $(, ", ", $name)+);

            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),+ }
            }

            /// When it happens, in one sentence.
            pub const fn when(self) -> &'static str {
                match self { $(Self::$kind => $when),+ }
            }

            /// What its `data` has, in groups that several kinds share.
            pub const fn fields(self) -> &'static [&'static [Field]] {
                match self { $(Self::$kind => &[$($fields),+]),+ }
            }
        }
    };
}

event_kinds! {
    WinMade = "win.made", "Somebody won.", [WIN, WIN_DRAW];
    WinClaimed = "win.claimed", "The winner has claimed the prize.", [WIN, NOTE];
    WinToShip = "win.to_ship", "A parcel waits to be sent; its address can be read with a `fulfil` key.", [WIN, NOTE];
    WinShipped = "win.shipped", "The parcel is on its way.", [WIN, NOTE, PARCEL];
    WinGiven = "win.given", "The prize has reached its winner.", [WIN, NOTE];
    WinFailed = "win.failed", "Giving it was given up; the note says why.", [WIN, NOTE];
    WinVoided = "win.voided", "Two people took it back.", [WIN, NOTE];
    WinUnclaimed = "win.unclaimed", "Nobody claimed it in time.", [WIN, NOTE];
    /// A coupon has to be issued: whoever wants this issues it and reports back.
    CouponDue = "coupon.due", "A coupon was won or bought, and your system has to issue it.", [COUPON];
    OrderMade = "order.made", "Somebody ordered, in a sale or in the shop.", [ORDER];
    OrderPaid = "order.paid", "The order is paid, and what was bought is on its way.", [ORDER];
    OrderCancelled = "order.cancelled", "Its buyer cancelled it before it was paid.", [ORDER];
    OrderExpired = "order.expired", "It was not paid in time; its units can be had again.", [ORDER];
    OrderShipped = "order.shipped", "A parcel of the order is on its way.", [ORDER, THING, PARCEL];
    OrderDelivered = "order.delivered", "Everything of the order has reached its buyer.", [ORDER];
    OrderRefunded = "order.refunded", "The money, or the points, went back to the buyer.", [ORDER, NOTE];
    HoldExpired = "hold.expired", "A hold ran out before it was confirmed; its units are free.", [HOLD];
    RaffleDrawn = "raffle.drawn", "The winners of a raffle are drawn.", [RAFFLE];
    ActivityOpened = "activity.opened", "Players can begin.", [ACTIVITY];
    ActivityClosed = "activity.closed", "Players cannot begin any more.", [ACTIVITY];
    StockLow = "stock.low", "A prize, or what a sale sells, is nearly gone.", [STOCK];
    CodePoolLow = "code_pool.low", "A pool of redeem codes is nearly empty.", [CODE_POOL];
    PointsChanged = "points.changed", "Somebody's points went up or down.", [POINTS];
    PostPublished = "post.published", "Somebody published a post.", [POST, POST_TEXT];
    CommentMade = "comment.made", "Somebody commented on a post, an activity or a person.", [COMMENT];
    PostRemoved = "post.removed", "A moderator removed a post; the note says why.", [POST, NOTE];
    /// Something that somebody wants to be reminded of starts soon: whoever wants this tells them.
    ReminderDue = "reminder.due", "Somebody asked to be reminded, and it starts soon.", [REMINDER];
    /// Another subscription was switched off.
    WebhookOff = "webhook.off", "Another webhook was switched off because it only failed.", [SWITCHED_OFF];
    /// Somebody asked for a delivery, to see whether it arrives.
    WebhookTest = "webhook.test", "Somebody asked for a test.", [TEST];
    /// Told by the job `attention`, at most a minute later.
    AttentionRaised = "attention.raised", "Something needs an operator.", [ATTENTION, ATTENTION_NOW];
    AttentionCleared = "attention.cleared", "It does not any more.", [ATTENTION];
}

impl EventKind {
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
pub struct EventFilter {
    all: bool,
    kinds: BTreeSet<EventKind>,
}

impl EventFilter {
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
            let mut fields: Vec<&str> =
                kind.fields().iter().flat_map(|group| group.iter()).map(|one| one.name).collect();
            let count = fields.len();
            fields.sort_unstable();
            fields.dedup();
            assert_eq!(fields.len(), count, "{}: a field is there once", kind.name());
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
            let wants = EventFilter::parse(names).unwrap();
            assert!(wanted.iter().all(|kind| wants.wants(*kind)), "{names:?}");
            assert!(!unwanted.iter().any(|kind| wants.wants(*kind)), "{names:?}");
            assert_eq!(EventFilter::parse(&wants.names()).unwrap(), wants);
        }
        for names in [&[][..], &["win"], &["win.*"], &["win.made", "WIN.MADE"]] {
            assert_eq!(EventFilter::parse(names).unwrap_err().field(), Some("kinds"), "{names:?}");
        }
    }
}
