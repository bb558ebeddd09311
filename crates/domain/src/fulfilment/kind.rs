//! What a prize is, and everything that depends on it alone.
//!
//! Matches over kinds have no wildcard arm: a new kind is a line in the list, and the compiler asks for the rest. A property
//! that a kind has or lacks is asked for here; elsewhere a kind is compared with only where the code is about that kind alone
//! (the pools of codes, the issuers of coupons).

use super::state::FulfilmentState;
use crate::activity::CHANCES_MAX;
use crate::lottery::strategy::AMOUNT_MAX;
use crate::rejection::Lang;

crate::names! {
    #[derive(Default)]
    pub enum PrizeKind {
        #[default]
        Text = "text",
        /// From an imported pool of codes.
        Code = "code",
        Coupon = "coupon",
        Parcel = "parcel",
        Points = "points",
        Chances = "chances",
    }
}

impl PrizeKind {
    /// The queue of the handler that gives it. Nobody gives a text, and people send parcels.
    pub const fn lane(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Parcel => None,
            Self::Code => Some("codes"),
            Self::Coupon => Some("coupons"),
            Self::Points => Some("points"),
            Self::Chances => Some("chances"),
        }
    }

    /// How many a card may promise; nothing where a card is good for one.
    pub const fn amount_max(self) -> Option<u64> {
        match self {
            Self::Text | Self::Code | Self::Coupon | Self::Parcel => None,
            Self::Points => Some(AMOUNT_MAX),
            Self::Chances => Some(CHANCES_MAX as u64),
        }
    }

    /// Where it stands once it is granted and claimed.
    pub const fn state_when_claimed(self) -> FulfilmentState {
        match self {
            Self::Text => FulfilmentState::Given,
            Self::Parcel => FulfilmentState::ToShip,
            Self::Code | Self::Coupon | Self::Points | Self::Chances => FulfilmentState::Ready,
        }
    }

    /// Whether its winner has to say where to. Such a prize is always claimed, since nobody else can say it.
    pub const fn needs_address(self) -> bool {
        match self {
            Self::Parcel => true,
            Self::Text | Self::Code | Self::Coupon | Self::Points | Self::Chances => false,
        }
    }

    /// Whether nobody can have it any more once the account is gone: there is nowhere to send it to.
    pub const fn ends_with_account(self) -> bool {
        self.needs_address()
    }

    /// Whether a report that it failed has to say how: lost, come back, refused.
    pub const fn failure_needs_note(self) -> bool {
        match self {
            Self::Parcel => true,
            Self::Text | Self::Code | Self::Coupon | Self::Points | Self::Chances => false,
        }
    }

    /// Whether the note of whoever gave it is for its winner.
    pub const fn has_note_for_winner(self) -> bool {
        match self {
            Self::Coupon => true,
            Self::Text | Self::Code | Self::Parcel | Self::Points | Self::Chances => false,
        }
    }

    /// What is taken back when it is voided after it was given; nothing where it was given for good.
    pub const fn returnable(self) -> Option<Returnable> {
        match self {
            Self::Points => Some(Returnable::Points),
            Self::Chances => Some(Returnable::Chances),
            Self::Text | Self::Code | Self::Coupon | Self::Parcel => None,
        }
    }

    /// Whether it may be the fallback, of which there is always enough.
    pub const fn can_be_fallback(self) -> bool {
        match self {
            Self::Text | Self::Points => true,
            Self::Code | Self::Coupon | Self::Parcel | Self::Chances => false,
        }
    }

    pub const fn text(self, lang: Lang) -> &'static str {
        match (lang, self) {
            (Lang::En, kind) => kind.name(),
            (Lang::Zh, Self::Text) => "文字奖品",
            (Lang::Zh, Self::Code) => "兑换码",
            (Lang::Zh, Self::Coupon) => "优惠券",
            (Lang::Zh, Self::Parcel) => "实物奖品",
            (Lang::Zh, Self::Points) => "积分",
            (Lang::Zh, Self::Chances) => "抽奖机会",
        }
    }
}

/// What Windfall keeps itself and can take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returnable {
    Points,
    Chances,
}

/// What somebody gets: a kind, and how many where it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gift {
    kind: PrizeKind,
    amount: Option<u64>,
}

impl Gift {
    pub const TEXT: Gift = Gift { kind: PrizeKind::Text, amount: None };

    /// Nothing where the kind is counted and there is no amount, or too much; or the other way round. Zero points stand
    /// where the draw itself says how many: the fallback's.
    pub fn new(kind: PrizeKind, amount: Option<u64>) -> Option<Self> {
        let fits = match (kind.amount_max(), amount) {
            (None, None) => true,
            (Some(max), Some(amount)) => amount <= max,
            (None, Some(_)) | (Some(_), None) => false,
        };
        fits.then_some(Self { kind, amount })
    }

    pub const fn kind(self) -> PrizeKind {
        self.kind
    }

    pub const fn amount(self) -> Option<u64> {
        self.amount
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is ready waits for a handler: without a lane nobody would ever give it.
    #[test]
    fn what_is_ready_has_somebody_who_gives_it() {
        for kind in PrizeKind::ALL {
            let ready = kind.state_when_claimed() == FulfilmentState::Ready;
            assert_eq!(ready, kind.lane().is_some(), "{kind:?}");
        }
    }

    #[test]
    fn an_amount_belongs_to_what_is_counted() {
        use PrizeKind::{Chances, Code, Points, Text};
        for (kind, amount, fits) in [
            (Text, None, true),
            (Text, Some(1), false),
            (Code, Some(0), false),
            (Points, None, false),
            (Points, Some(0), true),
            (Points, Some(AMOUNT_MAX), true),
            (Points, Some(AMOUNT_MAX + 1), false),
            (Chances, Some(2), true),
            (Chances, Some(u64::MAX), false),
        ] {
            assert_eq!(Gift::new(kind, amount).is_some(), fits, "{kind:?} {amount:?}");
        }
    }
}
