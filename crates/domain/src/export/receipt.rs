//! One ticket in an export, by the receipt that its player kept.
//!
//! Looks for a place and a link and decides nothing: that the records are where they are and come out the same is the
//! verifier's to say, and holds for everything before the first line that it finds fault with.

use super::hex;
use super::line::ExportLine;
use crate::lottery::chain::{ChainLink, PublishedChain, Receipt};
use crate::lottery::record::Record;
use crate::lottery::strategy::Strategy;

/// Chains that are named where the receipt fits none.
const OTHERS_MAX: usize = 16;

/// The ticket that a receipt is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptTicket {
    pub line: u64,
    pub published: PublishedChain,
    pub record: Record,
    /// What each draw gave: the prize's name, or nothing.
    pub prizes: Vec<Option<String>>,
}

/// A chain that the receipt does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    pub published: PublishedChain,
    pub why: Unlike,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlike {
    /// Another link is at its place.
    Link(ChainLink),
    /// The chain ends before its place.
    Ends(u64),
}

#[derive(Debug)]
pub struct ReceiptSearch {
    wanted: Receipt,
    /// How the line begins that has its place.
    prefix: String,
    line: u64,
    chain: Option<(PublishedChain, Option<Strategy>)>,
    others: Vec<Other>,
}

impl ReceiptSearch {
    pub fn new(wanted: Receipt) -> Self {
        let prefix = format!("record {} ", wanted.place);
        Self { wanted, prefix, line: 0, chain: None, others: Vec::new() }
    }

    /// The next piece of the text, whole lines; answers the ticket when it is there.
    pub fn piece(&mut self, text: &str) -> Option<ReceiptTicket> {
        for line in text.lines() {
            self.line += 1;
            if line.starts_with("record ") && !line.starts_with(&self.prefix) {
                continue;
            }
            match ExportLine::read(line) {
                Ok(ExportLine::Published(published)) => self.chain = Some((published, None)),
                Ok(ExportLine::Strategy(bytes)) => {
                    if let Some((_, strategy)) = &mut self.chain {
                        *strategy = Strategy::decode(&bytes).ok();
                    }
                }
                Ok(ExportLine::Record(receipt, digits)) => {
                    if receipt == self.wanted {
                        return self.ticket(digits);
                    }
                    self.unlike(Unlike::Link(receipt.link));
                }
                Ok(ExportLine::End(places)) => {
                    if places < self.wanted.place {
                        self.unlike(Unlike::Ends(places));
                    }
                    // What follows may be a raffle, whose end says nothing of a chain.
                    self.chain = None;
                }
                Ok(_) | Err(_) => {}
            }
        }
        None
    }

    /// After the last piece: the chains that the receipt does not fit.
    pub fn others(self) -> Vec<Other> {
        self.others
    }

    fn unlike(&mut self, why: Unlike) {
        if let Some((published, Some(_))) = self.chain
            && self.others.len() < OTHERS_MAX
        {
            self.others.push(Other { published, why });
        }
    }

    fn ticket(&self, digits: &str) -> Option<ReceiptTicket> {
        let (published, strategy) = self.chain.as_ref()?;
        let mut bytes = Vec::new();
        if !hex::read(digits.as_bytes(), &mut bytes) {
            return None;
        }
        let record = Record::decode(&bytes).ok()?;
        let name = |id| strategy.as_ref().and_then(|strategy| strategy.prize(id)).map(|prize| &prize.name);
        let prizes = record.draws.iter().map(|draw| draw.drawn.prize.and_then(name).cloned()).collect();
        Some(ReceiptTicket { line: self.line, published: *published, record, prizes })
    }
}
