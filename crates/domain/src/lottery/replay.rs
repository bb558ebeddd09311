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

use super::chain::{Published, Receipt};
use super::decide::{Drawn, Inputs, Player, decide};
use super::deck::Deck;
use super::flaw::Problem;
use super::live::{Excluded, Known, Live, Reason, Trail};
use super::random::{DrawKey, Generator, Secret};
use super::record::Record;
use super::strategy::{Stock, Strategy};
use super::wire::WireError;
use crate::Lang;
use crate::tree::{Leaf, Tree};

/// Why a replay cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    #[error("the secret is not the one that was committed to")]
    Secret,
    #[error("the strategy is not the one that was published")]
    Strategy,
    #[error("the strategy cannot work: {}", listed(_0))]
    Flawed(Vec<Problem>),
}

fn listed(problems: &[Problem]) -> String {
    let lines: Vec<String> =
        problems.iter().map(|problem| crate::flaw::Flaw::from(problem.clone()).line(Lang::En)).collect();
    lines.join(" ")
}

/// The first thing that is not the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    #[error("the record cannot be read: {0}")]
    Unreadable(#[from] WireError),
    #[error("the record belongs to another activity, round or version")]
    Foreign,
    #[error("the record is not at its place in the chain")]
    Chain,
    #[error("draw {n}: the {what} is not what comes of its inputs")]
    Draw { n: u32, what: What },
    #[error("the rule path does not lead through the tree to a leaf that lets anybody in")]
    RulePath,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Why,
    Roll,
    Prize,
    Points,
    Slot,
    /// The prizes that are said not to have been there.
    Excluded,
}

impl std::fmt::Display for What {
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
    published: Published,
    deck: Deck,
    generator: Generator,
    live: Live,
    last: Receipt,
    /// Who may take part; without one, paths say nothing that could be checked.
    tree: Option<Arc<Tree>>,
}

impl Replayer {
    pub fn new(published: Published, strategy: Strategy, secret: &Secret) -> Result<Self, Mismatch> {
        if !published.commitment.is_of(secret) {
            return Err(Mismatch::Secret);
        }
        if strategy.hash() != published.strategy || strategy.version != published.version {
            return Err(Mismatch::Strategy);
        }
        let deck = Deck::new(strategy).map_err(Mismatch::Flawed)?;
        let (generator, live, last) = (Generator::new(secret), Live::new(&deck), published.begin());
        Ok(Self { published, deck, generator, live, last, tree: None })
    }

    /// With the tree that let players in: every record's path has to lead through it.
    #[must_use]
    pub fn with_tree(self, tree: Option<Arc<Tree>>) -> Self {
        Self { tree, ..self }
    }

    pub fn published(&self) -> &Published {
        &self.published
    }

    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// The next record of the chain: it is where the receipt says, and every draw of it comes out the same.
    pub fn follow(&mut self, bytes: &[u8], receipt: &Receipt) -> Result<Record, Difference> {
        let next = self.last.next(bytes);
        if next != *receipt {
            return Err(Difference::Chain);
        }
        let record = self.replay(bytes)?;
        self.last = next;
        Ok(record)
    }

    /// One record by itself.
    pub fn replay(&self, bytes: &[u8]) -> Result<Record, Difference> {
        let record = Record::decode(bytes)?;
        let (key, published) = (&record.key, &self.published);
        if (key.activity, key.round, key.version) != (published.activity, published.round, published.version)
        {
            return Err(Difference::Foreign);
        }
        if let Some(tree) = &self.tree
            && !tree.read_path(record.rule_path.as_bytes()).is_ok_and(|verdict| verdict.leaf == Leaf::Allow)
        {
            return Err(Difference::RulePath);
        }
        let mut player = Player {
            day: record.day,
            draws_today: record.draws_today,
            draws: record.draws_in_all,
            points_spent: record.points_spent,
            misses: record.misses,
            blocked: record.blocked,
            rule_path: record.rule_path,
            ..Player::default()
        };
        let (mut trail, mut known) = (Trail::default(), Known::default());
        for (index, draw) in (0..).zip(&record.draws) {
            let key = DrawKey { n: key.n.wrapping_add(index), ..*key };
            let before = known.clone();
            known.learn(&draw.news);
            let drawn = self.again(key, &player, known.list(), &mut trail);
            if let Some(what) = difference(&draw.drawn, &drawn) {
                return Err(Difference::Draw { n: key.n, what });
            }
            let possible = draw.news.iter().all(|one| self.is_possible(one));
            if !possible || before.news(trail.mattered(&self.live)) != draw.news {
                return Err(Difference::Draw { n: key.n, what: What::Excluded });
            }
            player.after(&self.deck, &drawn);
            // Caps are among what was recorded; counting them here as well would count from the middle.
            player.wins.clear();
        }
        Ok(record)
    }

    /// Whether the strategy has the rule that is given as a reason.
    fn is_possible(&self, excluded: &Excluded) -> bool {
        let strategy = self.deck.strategy();
        let Some(prize) = self.deck.prize(excluded.prize) else { return false };
        match excluded.reason {
            Reason::Exhausted => matches!(prize.stock, Stock::Pool { .. }),
            Reason::Withdrawn => true,
            Reason::WithdrawnForUser => !prize.withdrawn_for.is_empty(),
            Reason::Unreleased => !prize.release.is_empty(),
            Reason::HourlyCap => prize.hourly_cap.is_some(),
            Reason::BudgetTotal => strategy.budget.total_minor.is_some(),
            Reason::BudgetDay => strategy.budget.day_minor.is_some(),
            Reason::PointsBudget => strategy.fallback.is_some_and(|fallback| fallback.prize == prize.id),
            Reason::Capped => prize.win_cap.is_some(),
            Reason::Locked => false,
        }
    }

    fn again(&self, key: DrawKey, player: &Player, also: &[Excluded], trail: &mut Trail) -> Drawn {
        let spent = also.iter().any(|excluded| excluded.reason == Reason::PointsBudget);
        let inputs =
            Inputs { key, player, live: &self.live, also, fallback_points: if spent { u64::MAX } else { 0 } };
        decide(&self.deck, &self.generator, &inputs, trail)
    }
}

fn difference(recorded: &Drawn, again: &Drawn) -> Option<What> {
    [
        (recorded.why == again.why, What::Why),
        (recorded.roll == again.roll, What::Roll),
        (recorded.prize == again.prize, What::Prize),
        (recorded.points == again.points, What::Points),
        (recorded.slot == again.slot, What::Slot),
    ]
    .into_iter()
    .find_map(|(same, what)| (!same).then_some(what))
}
