//! One chain of draws, followed by a stranger: with what was published, recorded and, at the end, revealed.

use domain::ledger::play::{Drawing, Terms};
use domain::lottery::chain::Receipt;
use domain::lottery::history::History;
use domain::lottery::replay::Replayer;
use testkit::model::decks::{DECKS, secret};

use super::players::table;

pub struct Chain {
    replayer: Replayer,
    history: History,
    last: Receipt,
}

impl Chain {
    /// The deck whose publication is where the terms say the chain begins; and the chain of the version before, in the
    /// same round.
    pub fn of(round: u32, terms: &Terms, before: Option<Self>) -> Result<Option<Self>, &'static str> {
        let Some(begin) = terms.begin else { return Ok(None) };
        let found = (0..DECKS).map(|deck| (deck, table(deck, round, terms.version)));
        let (deck, table) =
            found.into_iter().find(|(_, table)| table.begin() == begin).ok_or("nothing was published")?;
        let published = *table.published();
        let replayer = Replayer::new(published, table.deck().strategy().clone(), &secret(deck))
            .map_err(|_| "what was published does not belong together")?;
        let deck = table.deck().clone();
        let history = match before {
            Some(before) => before.history.next_version(deck),
            None => History::new(deck),
        };
        Ok(Some(Self { replayer, history, last: published.begin() }))
    }

    pub fn follow(&mut self, drawing: &Drawing) -> Result<(), &'static str> {
        let record = self
            .replayer
            .follow(drawing.settlement.bytes(), &drawing.receipt)
            .map_err(|_| "a record does not come out the same")?;
        self.history.follow(&record).map_err(|_| "a record's inputs are not what the records before say")?;
        self.last = drawing.receipt;
        Ok(())
    }

    pub fn last(&self) -> Receipt {
        self.last
    }
}
