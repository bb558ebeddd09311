//! What something is given for.

use crate::ids::ActivityId;
use crate::lottery::strategy::PrizeId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FulfilmentSource {
    /// A prize that was won.
    Win { activity: ActivityId, prize: PrizeId },
    /// An order of the shop. Chances that are bought there are for an activity.
    ShopOrder { activity: Option<ActivityId> },
    /// An order of a sale.
    Order { sale: ActivityId },
}

impl FulfilmentSource {
    pub const NAMES: [&'static str; 3] = ["win", "shop", "order"];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Win { .. } => "win",
            Self::ShopOrder { .. } => "shop",
            Self::Order { .. } => "order",
        }
    }

    /// From what is kept of it; nothing if that does not make one.
    pub fn from_parts(name: &str, activity: Option<ActivityId>, prize: Option<PrizeId>) -> Option<Self> {
        match name {
            "win" => Some(Self::Win { activity: activity?, prize: prize? }),
            "shop" => Some(Self::ShopOrder { activity }),
            "order" => Some(Self::Order { sale: activity? }),
            _ => None,
        }
    }

    /// Where it was won, the sale it was ordered in, or whose chances were bought.
    pub const fn activity(self) -> Option<ActivityId> {
        match self {
            Self::Win { activity, .. } | Self::Order { sale: activity } => Some(activity),
            Self::ShopOrder { activity } => activity,
        }
    }

    /// Only what was won is a prize.
    pub const fn prize(self) -> Option<PrizeId> {
        match self {
            Self::Win { prize, .. } => Some(prize),
            Self::ShopOrder { .. } | Self::Order { .. } => None,
        }
    }

    pub const fn is_win(self) -> bool {
        matches!(self, Self::Win { .. })
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn each_comes_back_from_its_parts() {
        let (activity, prize) = (ActivityId(7), PrizeId::new(3).unwrap());
        for source in [
            FulfilmentSource::Win { activity, prize },
            FulfilmentSource::ShopOrder { activity: None },
            FulfilmentSource::ShopOrder { activity: Some(activity) },
            FulfilmentSource::Order { sale: activity },
        ] {
            let (name, activity, prize) = (source.name(), source.activity(), source.prize());
            assert!(FulfilmentSource::NAMES.contains(&name));
            assert_eq!(FulfilmentSource::from_parts(name, activity, prize), Some(source));
        }
    }

    #[test]
    fn parts_that_make_nothing() {
        let (activity, prize) = (Some(ActivityId(7)), PrizeId::new(3));
        for (name, activity, prize) in
            [("win", activity, None), ("win", None, prize), ("order", None, None), ("gift", activity, prize)]
        {
            assert_eq!(FulfilmentSource::from_parts(name, activity, prize), None, "{name}");
        }
    }
}
