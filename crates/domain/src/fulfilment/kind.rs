//! What is given. How much of it stands beside.

use crate::activity::PrizeKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Text,
    Code,
    Coupon,
    Parcel,
    Points,
    Chances,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Code, Self::Coupon, Self::Parcel, Self::Points, Self::Chances];

    /// For whoever has to say which there are.
    pub const NAMES: &'static str = "text, code, coupon, parcel, points, chances";

    /// The stable name, in the database and in the API; that of a prize's kind too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Code => "code",
            Self::Coupon => "coupon",
            Self::Parcel => "parcel",
            Self::Points => "points",
            Self::Chances => "chances",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The queue of whoever gives it. Nobody gives a text, and people send parcels.
    pub const fn lane(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Parcel => None,
            Self::Code => Some("codes"),
            Self::Coupon => Some("coupons"),
            Self::Points => Some("points"),
            Self::Chances => Some("chances"),
        }
    }
}

impl From<PrizeKind> for Kind {
    fn from(kind: PrizeKind) -> Self {
        match kind {
            PrizeKind::Text => Self::Text,
            PrizeKind::Code => Self::Code,
            PrizeKind::Coupon => Self::Coupon,
            PrizeKind::Parcel => Self::Parcel,
            PrizeKind::Points { .. } => Self::Points,
            PrizeKind::Chances { .. } => Self::Chances,
        }
    }
}
