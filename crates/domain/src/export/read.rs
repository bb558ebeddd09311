//! The text of an export, piece by piece, into what it says.

use std::ops::Range;
use std::sync::Arc;

use super::hex;
use super::line::{Line, LineError, Sealed, Total};
use super::verify::{Finding, Found};
use crate::ids::ActivityId;
use crate::lottery::chain::{Published, Receipt};
use crate::lottery::random::Secret;
use crate::lottery::record::Record;
use crate::lottery::replay::{Difference, Mismatch, Replayer};
use crate::lottery::strategy::Strategy;
use crate::raffle::Winner;
use crate::tree::{Draft, Purpose, Tree, TreeHash};

/// Bytes of all pieces of a roll: what ten million entrants and a thousand prizes take.
const ROLL_BYTES_MAX: usize = 128 * 1024 * 1024;
/// Winners of one raffle.
const WINNERS_MAX: usize = 1_000_000;

/// What the text says, in order.
#[derive(Debug)]
pub enum Event {
    /// A chain begins: what was published, the strategy and the secret belong together.
    Chain {
        line: u64,
        replayer: Arc<Replayer>,
        /// The rule tree that let players in.
        tree: Option<TreeSeen>,
    },
    /// Records of it that follow each other.
    Records(Batch),
    /// It has so many records.
    ChainEnd {
        line: u64,
        count: u64,
    },
    Raffle(Box<RaffleGiven>),
    /// A round of which nothing can be checked yet.
    Sealed {
        line: u64,
        sealed: Sealed,
    },
    /// The last line.
    Total {
        line: u64,
        total: Total,
    },
    /// It cannot be read from here on.
    Broken(Found),
}

/// A rule tree, and the hash that was published with the activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSeen {
    pub id: i64,
    pub version: u32,
    pub hash: TreeHash,
}

/// A raffle, whole.
#[derive(Clone, Debug)]
pub struct RaffleGiven {
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
pub struct Checked {
    pub(super) first_line: u64,
    pub(super) records: Vec<Record>,
    pub(super) found: Option<Found>,
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
    pub fn check(&self) -> Checked {
        let mut records = Vec::with_capacity(self.lines.len() / 128);
        let found = self.check_into(&mut records).err();
        Checked { first_line: self.first_line, records, found }
    }

    fn check_into(&self, records: &mut Vec<Record>) -> Result<(), Found> {
        let text = &self.text[self.lines.clone()];
        let (mut last, mut bytes) = (self.before, Vec::new());
        for (line, text) in (self.first_line..).zip(text.lines()) {
            let found = |finding| Found { line, finding };
            let (receipt, digits) = match Line::read(text) {
                Ok(Line::Record(receipt, digits)) => (receipt, digits),
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
                return Err(differs(Difference::Chain));
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
    Raffle(Box<RaffleGiven>),
    /// After the last line.
    Whole,
    Broken,
}

/// A chain before its first record.
#[derive(Debug)]
struct Begun {
    published: Published,
    strategy: Option<Strategy>,
    tree: Option<(TreeSeen, Arc<Tree>)>,
}

impl Default for Reader {
    fn default() -> Self {
        Self { line: 1, part: Part::Before }
    }
}

impl Reader {
    /// The next piece of the text: whole lines. After an [`Event::Broken`] nothing more is said.
    pub fn piece(&mut self, text: &Arc<String>) -> Vec<Event> {
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
                events.push(Event::Records(batch));
                self.line += run.lines;
                // If it cannot be read, the batch will say so before anybody hears of what follows.
                if let Ok(Line::Record(receipt, _)) = Line::read(run.last) {
                    *last = receipt;
                }
                lines.end
            } else {
                let (line, next) = cut(text, at);
                let begun = !matches!(self.part, Part::Before);
                match Line::read(line).map_err(Finding::Line).and_then(|line| self.step(line)) {
                    Ok(event) => events.extend(event),
                    Err(finding) => {
                        self.part = Part::Broken;
                        let finding = if begun { finding } else { Finding::NoExport };
                        events.push(Event::Broken(Found { line: self.line, finding }));
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
    pub fn unreadable(&self) -> Found {
        let finding = match self.part {
            Part::Before => Finding::NoExport,
            Part::Between
            | Part::Published(_)
            | Part::Chain(..)
            | Part::Raffle(_)
            | Part::Whole
            | Part::Broken => Finding::Line(LineError::Unknown),
        };
        Found { line: self.line, finding }
    }

    /// After the last piece.
    pub fn end(self) -> Option<Found> {
        let found = |finding| Some(Found { line: self.line, finding });
        match self.part {
            Part::Before => found(Finding::Empty),
            Part::Between | Part::Published(_) | Part::Chain(..) | Part::Raffle(_) => {
                found(Finding::Unfinished)
            }
            Part::Whole | Part::Broken => None,
        }
    }

    fn step(&mut self, line: Line<'_>) -> Result<Option<Event>, Finding> {
        let part = std::mem::replace(&mut self.part, Part::Broken);
        let (part, event) = match (part, line) {
            (part, Line::Nothing) => (part, None),
            (Part::Before, Line::Head) => (Part::Between, None),
            (Part::Between, Line::Published(published)) => {
                (Part::Published(Box::new(Begun { published, strategy: None, tree: None })), None)
            }
            (Part::Published(begun), line) => self.published(begun, line)?,
            (Part::Chain(..), Line::End(count)) => {
                (Part::Between, Some(Event::ChainEnd { line: self.line, count }))
            }
            (Part::Between, Line::Raffle { activity, round, commitment, roll_hash }) => {
                let given = RaffleGiven {
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
            (Part::Between, Line::Sealed(sealed)) => {
                (Part::Between, Some(Event::Sealed { line: self.line, sealed }))
            }
            (Part::Between, Line::Total(total)) => {
                (Part::Whole, Some(Event::Total { line: self.line, total }))
            }
            (Part::Raffle(given), line) => self.raffle(given, line)?,
            (
                Part::Before | Part::Between | Part::Chain(..) | Part::Whole | Part::Broken,
                Line::Head
                | Line::Published(_)
                | Line::Strategy(_)
                | Line::Tree { .. }
                | Line::Secret(_)
                | Line::Record(..)
                | Line::End(_)
                | Line::Raffle { .. }
                | Line::Roll(_)
                | Line::Beacon(_)
                | Line::Winner(_)
                | Line::Sealed(_)
                | Line::Total(_),
            ) => return Err(Finding::Order),
        };
        self.part = part;
        Ok(event)
    }

    /// What a chain begins with: the strategy, the tree if there is one, and the secret.
    fn published(&self, mut begun: Box<Begun>, line: Line<'_>) -> Result<(Part, Option<Event>), Finding> {
        match (line, begun.strategy.is_some()) {
            (Line::Strategy(bytes), false) => {
                let strategy = Strategy::decode(&bytes).map_err(Finding::Strategy)?;
                // The replayer asks this too, but only when it has the secret: here it is the strategy's own line.
                let published = &begun.published;
                if strategy.hash() != published.strategy || strategy.version != published.version {
                    return Err(Finding::Published(Mismatch::Strategy));
                }
                begun.strategy = Some(strategy);
            }
            (Line::Tree { id, version, bytes }, true) if begun.tree.is_none() => {
                let draft = Draft::decode(&bytes).map_err(Finding::Tree)?;
                let hash = draft.hash();
                let tree = draft.check().ok().filter(|_| draft.purpose == Purpose::Admission);
                let tree = Arc::new(tree.ok_or(Finding::TreeFlawed)?);
                begun.tree = Some((TreeSeen { id, version, hash }, tree));
            }
            (Line::Secret(secret), true) => {
                let Begun { published, strategy, tree } = *begun;
                let strategy = strategy.ok_or(Finding::Order)?;
                let replayer =
                    Replayer::new(published, strategy, &Secret::new(secret)).map_err(Finding::Published)?;
                let (seen, tree) = tree.unzip();
                let replayer = Arc::new(replayer.with_tree(tree));
                let event = Event::Chain { line: self.line, replayer: Arc::clone(&replayer), tree: seen };
                return Ok((Part::Chain(replayer, published.begin()), Some(event)));
            }
            (_, _) => return Err(Finding::Order),
        }
        Ok((Part::Published(begun), None))
    }

    fn raffle(&self, mut given: Box<RaffleGiven>, line: Line<'_>) -> Result<(Part, Option<Event>), Finding> {
        match line {
            Line::Roll(piece) if given.roll.len() + piece.len() <= ROLL_BYTES_MAX => given.roll.extend(piece),
            Line::Secret(secret) if given.secret.is_none() => given.secret = Some(secret),
            Line::Beacon(value) if given.beacon.is_none() => given.beacon = Some(value),
            Line::Winner(winner) if given.winners.len() < WINNERS_MAX => given.winners.push(winner),
            Line::End(count) => {
                if count != given.winners.len() as u64 {
                    return Err(Finding::Count { said: count, found: given.winners.len() as u64 });
                }
                return Ok((Part::Between, Some(Event::Raffle(given))));
            }
            Line::Nothing => {}
            Line::Head
            | Line::Published(_)
            | Line::Strategy(_)
            | Line::Tree { .. }
            | Line::Secret(_)
            | Line::Record(..)
            | Line::Raffle { .. }
            | Line::Roll(_)
            | Line::Beacon(_)
            | Line::Winner(_)
            | Line::Sealed(_)
            | Line::Total(_) => return Err(Finding::Order),
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
