//! Deciding again, from what was published, recorded and revealed: anybody's check.
//!
//! A [`Replayer`] is made from what was published before the first draw, the strategy and the revealed secret, and
//! refuses to begin if they do not belong together. Then it takes the records in order, decides each draw again with the
//! inputs that were written down, and says that all is the same, or names the first thing that is not. With the chain
//! beside it ([`Replayer::follow`]), not a byte of a record can be changed, and none dropped or slipped in.
//!
//! What it does not show: whether the inputs were true. What the records before can tell of that is asked in
//! [`super::history`].

use std::sync::Arc;

use super::chain::{PublishedChain, Receipt};
use super::decide::{DrawOutcome, Inputs, PlayerHistory, decide};
use super::deck::Deck;
use super::flaw::StrategyProblem;
use super::live::{Exclusion, ExclusionReason, KnownExclusions, LiveWheels, Trail};
use super::random::{DrawKey, DrawSecret, Generator};
use super::record::Record;
use super::strategy::{PrizeStock, Strategy};
use super::wire::LotteryWireError;
use crate::Lang;
use crate::tree::{Leaf, Tree};

/// Why a replay cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayMismatch {
    #[error("the secret is not the one that was committed to")]
    Secret,
    #[error("the strategy is not the one that was published")]
    Strategy,
    #[error("the strategy cannot work: {}", join_problems(_0))]
    Flawed(Vec<StrategyProblem>),
}

fn join_problems(problems: &[StrategyProblem]) -> String {
    let lines: Vec<String> =
        problems.iter().map(|problem| crate::flaw::Flaw::from(problem.clone()).line(Lang::En)).collect();
    lines.join(" ")
}

/// The first thing that is not the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayDifference {
    #[error("the record cannot be read: {0}")]
    Unreadable(#[from] LotteryWireError),
    #[error("the record belongs to another activity, round or version")]
    Foreign,
    #[error("the record is not at its place in the chain")]
    Chain,
    #[error("draw {n}: the {what} is not what comes of its inputs")]
    Draw { n: u32, what: RecordPart },
    #[error("the rule path does not lead through the tree to a leaf that lets anybody in")]
    RulePath,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordPart {
    Why,
    Roll,
    Prize,
    Points,
    Slot,
    /// The prizes that are said not to have been there.
    Excluded,
}

impl std::fmt::Display for RecordPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Why => "path",
            Self::Roll => "roll",
            Self::Prize => "prize",
            Self::Points => "number of points",
            Self::Slot => "slot",
            Self::Excluded => "list of excluded prizes",
        })
    }
}

#[derive(Clone, Debug)]
pub struct Replayer {
    published: PublishedChain,
    deck: Deck,
    generator: Generator,
    live: LiveWheels,
    last: Receipt,
    /// Who may take part; without one, paths say nothing that could be checked.
    tree: Option<Arc<Tree>>,
}

impl Replayer {
    pub fn new(
        published: PublishedChain,
        strategy: Strategy,
        secret: &DrawSecret,
    ) -> Result<Self, ReplayMismatch> {
        if !published.commitment.is_of(secret) {
            return Err(ReplayMismatch::Secret);
        }
        if strategy.hash() != published.strategy || strategy.version != published.version {
            return Err(ReplayMismatch::Strategy);
        }
        let deck = Deck::new(strategy).map_err(ReplayMismatch::Flawed)?;
        let (generator, live, last) = (Generator::new(secret), LiveWheels::new(&deck), published.begin());
        Ok(Self { published, deck, generator, live, last, tree: None })
    }

    /// With the tree that let players in: every record's path has to lead through it.
    #[must_use]
    pub fn with_tree(self, tree: Option<Arc<Tree>>) -> Self {
        Self { tree, ..self }
    }

    pub fn published(&self) -> &PublishedChain {
        &self.published
    }

    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// The next record of the chain: it is where the receipt says, and every draw of it comes out the same.
    pub fn follow(&mut self, bytes: &[u8], receipt: &Receipt) -> Result<Record, ReplayDifference> {
        let next = self.last.next(bytes);
        if next != *receipt {
            return Err(ReplayDifference::Chain);
        }
        let record = self.replay(bytes)?;
        self.last = next;
        Ok(record)
    }

    /// One record by itself.
    pub fn replay(&self, bytes: &[u8]) -> Result<Record, ReplayDifference> {
        let record = Record::decode(bytes)?;
        let (key, published) = (&record.key, &self.published);
        if (key.activity, key.round, key.version) != (published.activity, published.round, published.version)
        {
            return Err(ReplayDifference::Foreign);
        }
        if let Some(tree) = &self.tree
            && !tree.read_path(record.rule_path.as_bytes()).is_ok_and(|verdict| verdict.leaf == Leaf::Allow)
        {
            return Err(ReplayDifference::RulePath);
        }
        let mut player = PlayerHistory {
            day: record.day,
            draws_today: record.draws_today,
            draws: record.draws_in_all,
            points_spent: record.points_spent,
            misses: record.misses,
            blocked: record.blocked,
            rule_path: record.rule_path,
            ..PlayerHistory::default()
        };
        let (mut trail, mut known) = (Trail::default(), KnownExclusions::default());
        for (index, draw) in (0..).zip(&record.draws) {
            let key = DrawKey { n: key.n.wrapping_add(index), ..*key };
            let before = known.clone();
            known.learn(&draw.news);
            let drawn = self.again(key, &player, known.list(), &mut trail);
            if let Some(what) = difference(&draw.drawn, &drawn) {
                return Err(ReplayDifference::Draw { n: key.n, what });
            }
            let possible = draw.news.iter().all(|one| self.is_possible(one));
            if !possible || before.news(trail.mattered(&self.live)) != draw.news {
                return Err(ReplayDifference::Draw { n: key.n, what: RecordPart::Excluded });
            }
            player.after(&self.deck, &drawn);
            // Caps are among what was recorded; counting them here as well would count from the middle.
            player.wins.clear();
        }
        Ok(record)
    }

    /// Whether the strategy has the rule that is given as a reason.
    fn is_possible(&self, excluded: &Exclusion) -> bool {
        let strategy = self.deck.strategy();
        let Some(prize) = self.deck.prize(excluded.prize) else { return false };
        match excluded.reason {
            ExclusionReason::Exhausted => matches!(prize.stock, PrizeStock::Pool { .. }),
            ExclusionReason::Withdrawn => true,
            ExclusionReason::WithdrawnForUser => !prize.withdrawn_for.is_empty(),
            ExclusionReason::Unreleased => !prize.release.is_empty(),
            ExclusionReason::HourlyCap => prize.hourly_cap.is_some(),
            ExclusionReason::BudgetTotal => strategy.budget.total_minor.is_some(),
            ExclusionReason::BudgetDay => strategy.budget.day_minor.is_some(),
            ExclusionReason::PointsBudget => {
                strategy.fallback.is_some_and(|fallback| fallback.prize == prize.id)
            }
            ExclusionReason::Capped => prize.win_cap.is_some(),
            ExclusionReason::Locked => false,
        }
    }

    fn again(
        &self,
        key: DrawKey,
        player: &PlayerHistory,
        also: &[Exclusion],
        trail: &mut Trail,
    ) -> DrawOutcome {
        let spent = also.iter().any(|excluded| excluded.reason == ExclusionReason::PointsBudget);
        let inputs =
            Inputs { key, player, live: &self.live, also, fallback_points: if spent { u64::MAX } else { 0 } };
        decide(&self.deck, &self.generator, &inputs, trail)
    }
}

fn difference(recorded: &DrawOutcome, again: &DrawOutcome) -> Option<RecordPart> {
    [
        (recorded.why == again.why, RecordPart::Why),
        (recorded.roll == again.roll, RecordPart::Roll),
        (recorded.prize == again.prize, RecordPart::Prize),
        (recorded.points == again.points, RecordPart::Points),
        (recorded.slot == again.slot, RecordPart::Slot),
    ]
    .into_iter()
    .find_map(|(same, what)| (!same).then_some(what))
}
