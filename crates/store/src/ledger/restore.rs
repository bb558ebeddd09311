//! A ledger made of an image. What decides whether the rows fit together is `domain`.

use domain::ledger::{Ledger, Limits, Restore};
use engine::Fault;
use engine::ports::LedgerImage;

pub fn restore_ledger(image: &LedgerImage, limits: Limits) -> Result<Ledger, Fault> {
    let trouble = |error| Fault::caused("the ledger's rows do not fit together", error);
    let position = image.position;
    let mut restore = Restore::begin(limits, position.seq, position.term, position.at);
    for round in &image.rounds {
        restore.round(&round.view, round.current, round.owners.iter().copied()).map_err(trouble)?;
    }
    for hold in &image.holds {
        restore.hold(hold).map_err(trouble)?;
    }
    for fingerprint in &image.finished {
        restore.finished(*fingerprint);
    }
    restore.finish().map_err(trouble)
}
