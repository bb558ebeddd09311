//! What an activity is set to: values that passed [`super::ActivityDraft::check`].

use super::presentation::Presentation;
use super::validate::ActivityDraft;
use crate::ledger::play::ChanceLimits;
use crate::time::Timestamp;

/// From its first moment to the first one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Window {
    pub fn contains(&self, at: Timestamp) -> bool {
        (self.from..self.until).contains(&at)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindSettings {
    /// Draw now. Whether ten at a time are offered.
    Instant { ten: bool },
    /// Enter until the window ends; winners are drawn at a set time, with a public beacon value if one is named.
    Raffle { draw_at: Timestamp, beacon: Option<String> },
    /// Buy while there is some.
    Sale,
}

crate::names! {
    /// The kinds there are, whatever they are set to.
    #[derive(Default)]
    pub enum ActivityKind {
        #[default]
        Instant = "instant",
        Raffle = "raffle",
        Sale = "sale",
    }
}

impl KindSettings {
    pub const fn is(&self) -> ActivityKind {
        match self {
            Self::Instant { .. } => ActivityKind::Instant,
            Self::Raffle { .. } => ActivityKind::Raffle,
            Self::Sale => ActivityKind::Sale,
        }
    }

    /// The stable name.
    pub const fn name(&self) -> &'static str {
        self.is().name()
    }
}

/// Draws everybody has without being granted any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// None at all when zero: then one draws with granted chances only.
    pub total: u32,
    pub month: Option<u32>,
    pub day: Option<u32>,
}

impl Chances {
    /// As the ledger counts them, where zero stands for no limit.
    pub fn limits(self) -> ChanceLimits {
        ChanceLimits { total: self.total, month: self.month.unwrap_or(0), day: self.day.unwrap_or(0) }
    }
}

/// The tree is named by its id and has versions of its own. What can be won is the version's [`super::Plan`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) window: Window,
    pub(super) zone: String,
    pub(super) kind: KindSettings,
    /// Units of entries for everybody together; uncounted when `None`.
    pub(super) entries: Option<u64>,
    pub(super) chances: Chances,
    pub(super) tree: Option<i64>,
    pub(super) presentation: Presentation,
}

impl Configuration {
    /// As somebody would write it, to be changed and checked again.
    pub fn draft(&self) -> ActivityDraft {
        ActivityDraft {
            name: self.name.clone(),
            description: self.description.clone(),
            from: self.window.from,
            until: self.window.until,
            zone: self.zone.clone(),
            kind: self.kind.clone(),
            entries: self.entries,
            chances: self.chances,
            tree: self.tree,
            presentation: self.presentation.clone(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn description(&self) -> &str {
        &self.description
    }

    pub fn window(&self) -> Window {
        self.window
    }

    /// The name of a time zone; the caller has looked it up.
    pub fn zone(&self) -> &str {
        &self.zone
    }

    pub fn kind(&self) -> &KindSettings {
        &self.kind
    }

    pub fn entries(&self) -> Option<u64> {
        self.entries
    }

    pub fn chances(&self) -> Chances {
        self.chances
    }

    pub fn tree(&self) -> Option<i64> {
        self.tree
    }

    pub fn presentation(&self) -> &Presentation {
        &self.presentation
    }
}
