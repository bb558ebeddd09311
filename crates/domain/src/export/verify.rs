//! The verdict: what the reader found, taken in order, and the first thing that is not as it should be.

use super::line::{LineError, SealedRound, Total};
use super::read::{CheckedBatch, ExportedRaffle, PublishedTree};
use crate::ids::ActivityId;
use crate::lottery::LotteryWireError;
use crate::lottery::chain::PublishedChain;
use crate::lottery::history::{History, Untrue};
use crate::lottery::replay::{ReplayDifference, ReplayMismatch, Replayer};
use crate::raffle::{self, Beacon, Roll, RollRefusal};

/// Records whose players are looked at together.
const LOOK_AHEAD: usize = 16;
/// Rounds that are not revealed, in one export.
const SEALED_MAX: usize = 10_000;
/// Rule trees in one export.
const TREES_MAX: usize = 10_000;

/// What is not as it should be, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {finding}")]
pub struct LineFinding {
    pub line: u64,
    pub finding: Finding,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    #[error(transparent)]
    Line(LineError),
    #[error("this line does not belong here")]
    Order,
    #[error("this is no export: there is nothing in it")]
    Empty,
    #[error("this is no export: it does not begin with `windfall-export 1`")]
    NoExport,
    #[error("it breaks off before its end")]
    Unfinished,
    #[error("the strategy cannot be read: {0}")]
    Strategy(LotteryWireError),
    #[error("the rule tree cannot be read: {0}")]
    Tree(LotteryWireError),
    #[error("the rule tree does not say who may take part")]
    TreeFlawed,
    #[error(transparent)]
    Published(ReplayMismatch),
    #[error("record {place}: {difference}")]
    Record { place: u64, difference: ReplayDifference },
    #[error("record {place}: {untrue}")]
    Untrue { place: u64, untrue: Untrue },
    #[error("{said} are said to be there, and there are {found}")]
    Count { said: u64, found: u64 },
    #[error("{} chains, {} raffles and {} rounds that are not revealed are said to be there, and it is otherwise", .0.chains, .0.raffles, .0.sealed)]
    Total(Total),
    #[error("the secret is not there")]
    NoSecret,
    #[error("the roll cannot be read: {0}")]
    Roll(RollRefusal),
    #[error("the roll is of another activity or round")]
    RollForeign,
    #[error("the raffle: {0}")]
    Raffle(raffle::RaffleMismatch),
}

impl Finding {
    /// Whether it says nothing about draws: what was looked at is something else.
    pub const fn is_no_export(&self) -> bool {
        matches!(self, Self::Empty | Self::NoExport)
    }

    /// The stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Line(_) => "line_malformed",
            Self::Order => "line_out_of_place",
            Self::Empty => "empty",
            Self::NoExport => "no_export",
            Self::Unfinished => "unfinished",
            Self::Strategy(_) => "strategy_unreadable",
            Self::Tree(_) => "tree_unreadable",
            Self::TreeFlawed => "tree_flawed",
            Self::Published(ReplayMismatch::Secret) => "secret_mismatch",
            Self::Published(ReplayMismatch::Strategy) => "strategy_mismatch",
            Self::Published(ReplayMismatch::Flawed(_)) => "strategy_flawed",
            Self::Record { difference, .. } => match difference {
                ReplayDifference::Unreadable(_) => "record_unreadable",
                ReplayDifference::Foreign => "record_foreign",
                ReplayDifference::Chain => "chain_mismatch",
                ReplayDifference::Draw { .. } => "draw_mismatch",
                ReplayDifference::RulePath => "rule_path_mismatch",
            },
            Self::Untrue { .. } => "input_untrue",
            Self::Count { .. } | Self::Total(_) => "count_mismatch",
            Self::NoSecret => "secret_missing",
            Self::Roll(refusal) => refusal.name(),
            Self::RollForeign => "roll_foreign",
            Self::Raffle(mismatch) => mismatch.name(),
        }
    }
}

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiedCounts {
    pub chains: u64,
    pub records: u64,
    pub draws: u64,
    pub raffles: u64,
    pub winners: u64,
    /// Rounds of which nothing can be checked yet.
    pub sealed: Vec<SealedRound>,
    /// The rule trees that let players in, each once.
    pub trees: Vec<PublishedTree>,
    /// Chains whose rule paths could not be followed.
    pub treeless: Vec<Treeless>,
}

/// A chain whose records have rule paths, without a tree to follow them through. A routing tree leaves such paths, and so
/// does whoever takes the `tree` line out: only what the activity published tells which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Treeless {
    pub activity: ActivityId,
    pub round: u32,
    pub version: u32,
}

#[derive(Debug, Default)]
pub struct Verifier {
    verified: VerifiedCounts,
    chain: Option<Chain>,
}

#[derive(Debug)]
struct Chain {
    published: PublishedChain,
    history: History,
    records: u64,
    with_tree: bool,
    /// Whether a record has a rule path.
    pathed: bool,
}

impl Verifier {
    pub fn verified(&self) -> VerifiedCounts {
        self.verified.clone()
    }

    /// A chain begins. Where it is a later version in the same round, it goes on from what the one before gave. Rounds
    /// and versions ascend, so that none is there twice.
    pub fn chain(
        &mut self,
        line: u64,
        replayer: &Replayer,
        tree: Option<PublishedTree>,
    ) -> Result<(), LineFinding> {
        let published = *replayer.published();
        let of = |published: &PublishedChain| (published.activity, published.round);
        let before = self.chain.take().filter(|before| before.published.activity == published.activity);
        let at = |published: &PublishedChain| (published.round, published.version);
        if before.as_ref().is_some_and(|before| at(&before.published) >= at(&published)) {
            return Err(LineFinding { line, finding: Finding::Order });
        }
        let deck = replayer.deck().clone();
        let history = match before.filter(|before| of(&before.published) == of(&published)) {
            Some(before) => before.history.next_version(deck),
            None => History::new(deck),
        };
        let with_tree = tree.is_some();
        self.chain = Some(Chain { published, history, records: 0, with_tree, pathed: false });
        self.verified.chains += 1;
        if let Some(tree) = tree.filter(|tree| !self.verified.trees.contains(tree)) {
            if self.verified.trees.len() == TREES_MAX {
                return Err(LineFinding { line, finding: Finding::Order });
            }
            self.verified.trees.push(tree);
        }
        Ok(())
    }

    /// The next records of it: those that are where they should be and come out the same, and then the one that is not.
    pub fn records(&mut self, checked: CheckedBatch) -> Result<(), LineFinding> {
        let CheckedBatch { first_line, records, found } = checked;
        let Some(chain) = &mut self.chain else {
            return Err(LineFinding { line: first_line, finding: Finding::Order });
        };
        for (line, (at, record)) in (first_line..).zip(records.iter().enumerate()) {
            if at % LOOK_AHEAD == 0 {
                chain.history.look_ahead(&records[at..records.len().min(at + LOOK_AHEAD)]);
            }
            chain.records += 1;
            let place = chain.records;
            chain
                .history
                .follow(record)
                .map_err(|untrue| LineFinding { line, finding: Finding::Untrue { place, untrue } })?;
            self.verified.records += 1;
            self.verified.draws += record.draws.len() as u64;
            chain.pathed |= !record.rule_path.as_bytes().is_empty();
        }
        found.map_or(Ok(()), Err)
    }

    pub fn chain_end(&mut self, line: u64, count: u64) -> Result<(), LineFinding> {
        let found = self.chain.as_ref().map_or(0, |chain| chain.records);
        if count != found {
            return Err(LineFinding { line, finding: Finding::Count { said: count, found } });
        }
        if let Some(chain) = self.chain.as_ref().filter(|chain| chain.pathed && !chain.with_tree) {
            if self.verified.treeless.len() == TREES_MAX {
                return Err(LineFinding { line, finding: Finding::Order });
            }
            let PublishedChain { activity, round, version, .. } = chain.published;
            self.verified.treeless.push(Treeless { activity, round, version });
        }
        Ok(())
    }

    pub fn sealed(&mut self, line: u64, sealed: SealedRound) -> Result<(), LineFinding> {
        if self.verified.sealed.len() == SEALED_MAX {
            return Err(LineFinding { line, finding: Finding::Order });
        }
        self.verified.sealed.push(sealed);
        Ok(())
    }

    /// The last line: nothing is missing in between.
    pub fn total(&self, line: u64, total: Total) -> Result<(), LineFinding> {
        let VerifiedCounts { chains, raffles, sealed, .. } = &self.verified;
        let found = Total { chains: *chains, raffles: *raffles, sealed: sealed.len() as u64 };
        if total == found { Ok(()) } else { Err(LineFinding { line, finding: Finding::Total(total) }) }
    }

    pub fn raffle(&mut self, given: &ExportedRaffle) -> Result<(), LineFinding> {
        let winners = draw_again(given).map_err(|finding| LineFinding { line: given.line, finding })?;
        self.verified.raffles += 1;
        self.verified.winners += winners as u64;
        Ok(())
    }
}

fn draw_again(given: &ExportedRaffle) -> Result<usize, Finding> {
    let secret = given.secret.ok_or(Finding::NoSecret)?;
    let roll = Roll::decode(&given.roll).map_err(Finding::Roll)?;
    let of: (ActivityId, u32) = (roll.activity(), roll.round());
    if of != (given.activity, given.round) {
        return Err(Finding::RollForeign);
    }
    let published = raffle::PublishedRaffle {
        commitment: given.commitment,
        roll_hash: given.roll_hash,
        winners: given.winners.clone(),
    };
    let beacon = given.beacon.as_deref().map(Beacon::of);
    raffle::verify(&published, &secret, &roll, beacon.as_ref()).map_err(Finding::Raffle)
}
