//! The text of an export, piece by piece, into what it says.

use std::ops::Range;
use std::sync::Arc;

use super::hex;
use super::line::{ExportLine, LineError, SealedRound, Total};
use super::verify::{Finding, LineFinding};
use crate::ids::ActivityId;
use crate::lottery::chain::{PublishedChain, Receipt};
use crate::lottery::random::DrawSecret;
use crate::lottery::record::Record;
use crate::lottery::replay::{ReplayDifference, ReplayMismatch, Replayer};
use crate::lottery::strategy::Strategy;
use crate::raffle::Winner;
use crate::tree::{Tree, TreeDraft, TreeHash, TreePurpose};

/// Bytes of all pieces of a roll: what ten million entrants and a thousand prizes take.
const ROLL_BYTES_MAX: usize = 128 * 1024 * 1024;
/// Winners of one raffle.
const WINNERS_MAX: usize = 1_000_000;

/// What the text says, in order.
#[derive(Debug)]
pub enum ExportEvent {
    /// A chain begins: what was published, the strategy and the secret belong together.
    Chain {
        line: u64,
        replayer: Arc<Replayer>,
        /// The rule tree that let players in.
        tree: Option<PublishedTree>,
    },
    /// Records of it that follow each other.
    Records(Batch),
    /// It has so many records.
    ChainEnd {
        line: u64,
        count: u64,
    },
    Raffle(Box<ExportedRaffle>),
    /// A round of which nothing can be checked yet.
    Sealed {
        line: u64,
        sealed: SealedRound,
    },
    /// The last line.
    Total {
        line: u64,
        total: Total,
    },
    /// It cannot be read from here on.
    Broken(LineFinding),
}

/// A rule tree, and the hash that was published with the activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedTree {
    pub id: i64,
    pub version: u32,
    pub hash: TreeHash,
}

/// A raffle, whole.
#[derive(Clone, Debug)]
pub struct ExportedRaffle {
    /// Where it begins.
    pub line: u64,
    pub activity: ActivityId,
    pub round: u32,
    pub commitment: [u8; 32],
    pub roll_hash: [u8; 32],
    pub roll: Vec<u8>,
    pub secret: Option<[u8; 32]>,
    pub beacon: Option<Vec<u8>>,
    pub winners: Vec<Winner>,
}

/// What came of a [`Batch`]: its records up to the first that is not as it should be.
#[derive(Debug)]
pub struct CheckedBatch {
    pub(super) first_line: u64,
    pub(super) records: Vec<Record>,
    pub(super) found: Option<LineFinding>,
}

/// Record lines that follow each other, and the place of the one before.
#[derive(Clone, Debug)]
pub struct Batch {
    replayer: Arc<Replayer>,
    before: Receipt,
    text: Arc<String>,
    lines: Range<usize>,
    first_line: u64,
}

impl Batch {
    /// Every record is at its place in the chain, and every draw of it comes out the same; or those before the first that
    /// is not so.
    pub fn check(&self) -> CheckedBatch {
        let mut records = Vec::with_capacity(self.lines.len() / 128);
        let found = self.check_into(&mut records).err();
        CheckedBatch { first_line: self.first_line, records, found }
    }

    fn check_into(&self, records: &mut Vec<Record>) -> Result<(), LineFinding> {
        let text = &self.text[self.lines.clone()];
        let (mut last, mut bytes) = (self.before, Vec::new());
        for (line, text) in (self.first_line..).zip(text.lines()) {
            let found = |finding| LineFinding { line, finding };
            let (receipt, digits) = match ExportLine::read(text) {
                Ok(ExportLine::Record(receipt, digits)) => (receipt, digits),
                Ok(_) => return Err(found(Finding::Line(LineError::Unknown))),
                Err(error) => return Err(found(Finding::Line(error))),
            };
            if !hex::read(digits.as_bytes(), &mut bytes) {
                return Err(found(Finding::Line(LineError::Words("record"))));
            }
            let place = last.place + 1;
            let differs = |difference| found(Finding::Record { place, difference });
            last = last.next(&bytes);
            if last != receipt {
                return Err(differs(ReplayDifference::Chain));
            }
            records.push(self.replayer.replay(&bytes).map_err(differs)?);
        }
        Ok(())
    }
}

#[derive(Debug)]
pub struct Reader {
    /// Of the next line, from 1.
    line: u64,
    part: Part,
}

#[derive(Debug)]
enum Part {
    /// Before the first line.
    Before,
    /// Between chains and raffles.
    Between,
    Published(Box<Begun>),
    Chain(Arc<Replayer>, Receipt),
    Raffle(Box<ExportedRaffle>),
    /// After the last line.
    Whole,
    Broken,
}

/// A chain before its first record.
#[derive(Debug)]
struct Begun {
    published: PublishedChain,
    strategy: Option<Strategy>,
    tree: Option<(PublishedTree, Arc<Tree>)>,
}

impl Default for Reader {
    fn default() -> Self {
        Self { line: 1, part: Part::Before }
    }
}

impl Reader {
    /// The next piece of the text: whole lines. After an [`ExportEvent::Broken`] nothing more is said.
    pub fn piece(&mut self, text: &Arc<String>) -> Vec<ExportEvent> {
        let mut events = Vec::new();
        let mut at = 0;
        while at < text.len() && !matches!(self.part, Part::Broken) {
            let end = if let Part::Chain(replayer, last) = &mut self.part
                && let Some(run) = records(&text[at..])
            {
                let lines = at..at + run.bytes;
                let batch = Batch {
                    replayer: Arc::clone(replayer),
                    before: *last,
                    text: Arc::clone(text),
                    lines: lines.clone(),
                    first_line: self.line,
                };
                events.push(ExportEvent::Records(batch));
                self.line += run.lines;
                // If it cannot be read, the batch will say so before anybody hears of what follows.
                if let Ok(ExportLine::Record(receipt, _)) = ExportLine::read(run.last) {
                    *last = receipt;
                }
                lines.end
            } else {
                let (line, next) = cut(text, at);
                let begun = !matches!(self.part, Part::Before);
                match ExportLine::read(line).map_err(Finding::Line).and_then(|line| self.step(line)) {
                    Ok(event) => events.extend(event),
                    Err(finding) => {
                        self.part = Part::Broken;
                        let finding = if begun { finding } else { Finding::NoExport };
                        events.push(ExportEvent::Broken(LineFinding { line: self.line, finding }));
                    }
                }
                self.line += 1;
                next
            };
            at = end;
        }
        events
    }

    /// What comes next is no text, or a line without an end.
    pub fn unreadable(&self) -> LineFinding {
        let finding = match self.part {
            Part::Before => Finding::NoExport,
            Part::Between
            | Part::Published(_)
            | Part::Chain(..)
            | Part::Raffle(_)
            | Part::Whole
            | Part::Broken => Finding::Line(LineError::Unknown),
        };
        LineFinding { line: self.line, finding }
    }

    /// After the last piece.
    pub fn end(self) -> Option<LineFinding> {
        let found = |finding| Some(LineFinding { line: self.line, finding });
        match self.part {
            Part::Before => found(Finding::Empty),
            Part::Between | Part::Published(_) | Part::Chain(..) | Part::Raffle(_) => {
                found(Finding::Unfinished)
            }
            Part::Whole | Part::Broken => None,
        }
    }

    fn step(&mut self, line: ExportLine<'_>) -> Result<Option<ExportEvent>, Finding> {
        let part = std::mem::replace(&mut self.part, Part::Broken);
        let (part, event) = match (part, line) {
            (part, ExportLine::Nothing) => (part, None),
            (Part::Before, ExportLine::Head) => (Part::Between, None),
            (Part::Between, ExportLine::Published(published)) => {
                (Part::Published(Box::new(Begun { published, strategy: None, tree: None })), None)
            }
            (Part::Published(begun), line) => self.published(begun, line)?,
            (Part::Chain(..), ExportLine::End(count)) => {
                (Part::Between, Some(ExportEvent::ChainEnd { line: self.line, count }))
            }
            (Part::Between, ExportLine::Raffle { activity, round, commitment, roll_hash }) => {
                let given = ExportedRaffle {
                    line: self.line,
                    activity,
                    round,
                    commitment,
                    roll_hash,
                    roll: Vec::new(),
                    secret: None,
                    beacon: None,
                    winners: Vec::new(),
                };
                (Part::Raffle(Box::new(given)), None)
            }
            (Part::Between, ExportLine::Sealed(sealed)) => {
                (Part::Between, Some(ExportEvent::Sealed { line: self.line, sealed }))
            }
            (Part::Between, ExportLine::Total(total)) => {
                (Part::Whole, Some(ExportEvent::Total { line: self.line, total }))
            }
            (Part::Raffle(given), line) => self.raffle(given, line)?,
            (
                Part::Before | Part::Between | Part::Chain(..) | Part::Whole | Part::Broken,
                ExportLine::Head
                | ExportLine::Published(_)
                | ExportLine::Strategy(_)
                | ExportLine::Tree { .. }
                | ExportLine::Secret(_)
                | ExportLine::Record(..)
                | ExportLine::End(_)
                | ExportLine::Raffle { .. }
                | ExportLine::Roll(_)
                | ExportLine::Beacon(_)
                | ExportLine::Winner(_)
                | ExportLine::Sealed(_)
                | ExportLine::Total(_),
            ) => return Err(Finding::Order),
        };
        self.part = part;
        Ok(event)
    }

    /// What a chain begins with: the strategy, the tree if there is one, and the secret.
    fn published(
        &self,
        mut begun: Box<Begun>,
        line: ExportLine<'_>,
    ) -> Result<(Part, Option<ExportEvent>), Finding> {
        match (line, begun.strategy.is_some()) {
            (ExportLine::Strategy(bytes), false) => {
                let strategy = Strategy::decode(&bytes).map_err(Finding::Strategy)?;
                // The replayer asks this too, but only when it has the secret: here it is the strategy's own line.
                let published = &begun.published;
                if strategy.hash() != published.strategy || strategy.version != published.version {
                    return Err(Finding::Published(ReplayMismatch::Strategy));
                }
                begun.strategy = Some(strategy);
            }
            (ExportLine::Tree { id, version, bytes }, true) if begun.tree.is_none() => {
                let draft = TreeDraft::decode(&bytes).map_err(Finding::Tree)?;
                let hash = draft.hash();
                let tree = draft.check().ok().filter(|_| draft.purpose == TreePurpose::Admission);
                let tree = Arc::new(tree.ok_or(Finding::TreeFlawed)?);
                begun.tree = Some((PublishedTree { id, version, hash }, tree));
            }
            (ExportLine::Secret(secret), true) => {
                let Begun { published, strategy, tree } = *begun;
                let strategy = strategy.ok_or(Finding::Order)?;
                let replayer = Replayer::new(published, strategy, &DrawSecret::new(secret))
                    .map_err(Finding::Published)?;
                let (seen, tree) = tree.unzip();
                let replayer = Arc::new(replayer.with_tree(tree));
                let event =
                    ExportEvent::Chain { line: self.line, replayer: Arc::clone(&replayer), tree: seen };
                return Ok((Part::Chain(replayer, published.begin()), Some(event)));
            }
            (_, _) => return Err(Finding::Order),
        }
        Ok((Part::Published(begun), None))
    }

    fn raffle(
        &self,
        mut given: Box<ExportedRaffle>,
        line: ExportLine<'_>,
    ) -> Result<(Part, Option<ExportEvent>), Finding> {
        match line {
            ExportLine::Roll(piece) if given.roll.len() + piece.len() <= ROLL_BYTES_MAX => {
                given.roll.extend(piece);
            }
            ExportLine::Secret(secret) if given.secret.is_none() => given.secret = Some(secret),
            ExportLine::Beacon(value) if given.beacon.is_none() => given.beacon = Some(value),
            ExportLine::Winner(winner) if given.winners.len() < WINNERS_MAX => given.winners.push(winner),
            ExportLine::End(count) => {
                if count != given.winners.len() as u64 {
                    return Err(Finding::Count { said: count, found: given.winners.len() as u64 });
                }
                return Ok((Part::Between, Some(ExportEvent::Raffle(given))));
            }
            ExportLine::Nothing => {}
            ExportLine::Head
            | ExportLine::Published(_)
            | ExportLine::Strategy(_)
            | ExportLine::Tree { .. }
            | ExportLine::Secret(_)
            | ExportLine::Record(..)
            | ExportLine::Raffle { .. }
            | ExportLine::Roll(_)
            | ExportLine::Beacon(_)
            | ExportLine::Winner(_)
            | ExportLine::Sealed(_)
            | ExportLine::Total(_) => return Err(Finding::Order),
        }
        Ok((Part::Raffle(given), None))
    }
}

/// Record lines at the beginning of a text.
struct Run<'a> {
    bytes: usize,
    lines: u64,
    last: &'a str,
}

fn records(text: &str) -> Option<Run<'_>> {
    let mut run = Run { bytes: 0, lines: 0, last: "" };
    while text[run.bytes..].starts_with("record ") {
        let (line, next) = cut(text, run.bytes);
        run = Run { bytes: next, lines: run.lines + 1, last: line };
    }
    (run.lines > 0).then_some(run)
}

/// The line that begins there, without its end, and where the next one begins. Whoever saved the file with carriage
/// returns has changed nothing.
fn cut(text: &str, at: usize) -> (&str, usize) {
    let (line, next) = match text[at..].find('\n') {
        Some(length) => (&text[at..at + length], at + length + 1),
        None => (&text[at..], text.len()),
    };
    (line.strip_suffix('\r').unwrap_or(line), next)
}
