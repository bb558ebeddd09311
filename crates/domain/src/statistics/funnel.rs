//! The steps of a campaign: from those who saw it to those who got something.

use crate::activity::ActivityKind;

crate::names! {
    /// A step of a funnel, in order. Names are for good: they stand in the API.
    pub enum FunnelStep {
        /// Browsers that opened the campaign.
        Visitors = "visitors",
        /// Signed-in people who opened it.
        SignedIn = "signed_in",
        /// People who drew, or entered the raffle.
        Played = "played",
        /// People whose attempt to buy was taken in.
        Attempted = "attempted",
        Won = "won",
        Ordered = "ordered",
        /// Winners with a prize that they claimed, or that needs no claim.
        Claimed = "claimed",
        Paid = "paid",
    }
}

impl FunnelStep {
    /// The steps of a campaign of this kind.
    pub const fn of(kind: ActivityKind) -> &'static [Self] {
        match kind {
            ActivityKind::Instant | ActivityKind::Raffle => {
                &[Self::Visitors, Self::SignedIn, Self::Played, Self::Won, Self::Claimed]
            }
            ActivityKind::Sale => {
                &[Self::Visitors, Self::SignedIn, Self::Attempted, Self::Ordered, Self::Paid]
            }
        }
    }
}

crate::names! {
    /// The steps that no row tells of: they are counted as they happen. Names are for good: they stand in the database.
    pub enum CountedStep {
        Visitors = "visitors",
        SignedIn = "signed_in",
        Attempted = "attempted",
    }
}
