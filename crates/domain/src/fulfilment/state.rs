//! Where giving stands, and the steps that lead on.

crate::names! {
    /// Names are for good: they stand in the database and in the API.
    pub enum FulfilmentState {
        /// For its time, or for an operator.
        Waiting = "waiting",
        /// Its winner has to ask for it.
        Claimable = "claimable",
        /// A message is under way to whoever gives it.
        Ready = "ready",
        ToShip = "to_ship",
        Shipped = "shipped",
        /// Another system knows of it and will report back.
        HandedOver = "handed_over",
        Given = "given",
        /// Nobody asked in time; the unit went back.
        Unclaimed = "unclaimed",
        Voided = "voided",
        /// Its message is a dead letter, or the other system gave up.
        Failed = "failed",
    }
}

impl FulfilmentState {
    /// Voided, or not claimed in time: nobody has it, and the unit may have been won again.
    pub const fn is_back(self) -> bool {
        matches!(self, Self::Voided | Self::Unclaimed)
    }

    /// Nothing leads on from here, but that points and chances that were given can be voided.
    pub const fn is_final(self) -> bool {
        match self {
            Self::Given | Self::Unclaimed | Self::Voided => true,
            Self::Waiting
            | Self::Claimable
            | Self::Ready
            | Self::ToShip
            | Self::Shipped
            | Self::HandedOver
            | Self::Failed => false,
        }
    }
}

crate::names! {
    pub enum FulfilmentStep {
        /// An operator lets it go.
        Release = "release",
        /// The clock has reached its time.
        Due = "due",
        /// Its winner asks for it.
        Claim = "claim",
        /// Windfall gives it.
        Give = "give",
        /// Another system is told.
        HandOver = "hand_over",
        ReportGiven = "report_given",
        ReportFailed = "report_failed",
        /// Also to correct carrier and tracking number.
        Ship = "ship",
        Deliver = "deliver",
        /// The time to claim it is over.
        Lapse = "lapse",
        /// Its message ended among the dead letters.
        Fail = "fail",
        Redrive = "redrive",
        Void = "void",
    }
}
