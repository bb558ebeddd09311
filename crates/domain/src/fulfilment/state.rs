//! Where giving stands, and the steps that lead on.

/// Names are for good: they stand in the database and in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// For its time, or for an operator.
    Waiting,
    /// Its winner has to ask for it.
    Claimable,
    /// A message is under way to whoever gives it.
    Ready,
    ToShip,
    Shipped,
    /// Another system knows of it and will report back.
    HandedOver,
    Given,
    /// Nobody asked in time; the unit went back.
    Unclaimed,
    Voided,
    /// Its message is a dead letter, or the other system gave up.
    Failed,
}

impl State {
    pub const ALL: [Self; 10] = [
        Self::Waiting,
        Self::Claimable,
        Self::Ready,
        Self::ToShip,
        Self::Shipped,
        Self::HandedOver,
        Self::Given,
        Self::Unclaimed,
        Self::Voided,
        Self::Failed,
    ];
    /// For whoever has to say which there are.
    pub const NAMES: &'static str =
        "waiting, claimable, ready, to_ship, shipped, handed_over, given, unclaimed, voided, failed";

    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Claimable => "claimable",
            Self::Ready => "ready",
            Self::ToShip => "to_ship",
            Self::Shipped => "shipped",
            Self::HandedOver => "handed_over",
            Self::Given => "given",
            Self::Unclaimed => "unclaimed",
            Self::Voided => "voided",
            Self::Failed => "failed",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An operator lets it go.
    Release,
    /// The clock has reached its time.
    Due,
    /// Its winner asks for it.
    Claim,
    /// Windfall gives it.
    Give,
    /// Another system is told.
    HandOver,
    ReportGiven,
    ReportFailed,
    /// Also to correct carrier and tracking number.
    Ship,
    Deliver,
    /// The time to claim it is over.
    Lapse,
    /// Its message ended among the dead letters.
    Fail,
    Redrive,
    Void,
}

impl Step {
    pub const ALL: [Self; 13] = [
        Self::Release,
        Self::Due,
        Self::Claim,
        Self::Give,
        Self::HandOver,
        Self::ReportGiven,
        Self::ReportFailed,
        Self::Ship,
        Self::Deliver,
        Self::Lapse,
        Self::Fail,
        Self::Redrive,
        Self::Void,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Due => "due",
            Self::Claim => "claim",
            Self::Give => "give",
            Self::HandOver => "hand_over",
            Self::ReportGiven => "report_given",
            Self::ReportFailed => "report_failed",
            Self::Ship => "ship",
            Self::Deliver => "deliver",
            Self::Lapse => "lapse",
            Self::Fail => "fail",
            Self::Redrive => "redrive",
            Self::Void => "void",
        }
    }
}
