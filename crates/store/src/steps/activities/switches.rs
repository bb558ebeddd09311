//! Lines in the audit log about what the ledger did at somebody's word, and how the switch for everything is.

use engine::ports::{SwitchNote, Switched};
use engine::{Fault, Outcome};
use serde_json::{Value as Json, json};

use super::state::subject;
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

pub(crate) async fn switch_note(tx: &Tx<'_>, note: &SwitchNote) -> Outcome<()> {
    let (action, about, after) = match note.what {
        Switched::Restocked { activity, prize, delta } => {
            ("activity.restock", subject(activity), json!({ "prize": prize.number(), "delta": delta }))
        }
        Switched::SaleRestocked { activity, delta } => {
            ("activity.restock", subject(activity), json!({ "delta": delta }))
        }
        Switched::Prize { activity, prize, withdrawn } => (
            if withdrawn { "activity.prize_withdraw" } else { "activity.prize_restore" },
            subject(activity),
            json!({ "prize": prize.number(), "withdrawn": withdrawn }),
        ),
        Switched::Granted { activity, user, chances } => {
            ("activity.grant", subject(activity), json!({ "user": user, "chances": chances }))
        }
        Switched::Halt { on } => {
            (if on { "ledger.halt" } else { "ledger.go_on" }, "ledger".to_owned(), json!({ "halted": on }))
        }
    };
    audit::write(tx, &note.signed, action, &about, &Json::Null, &after).await
}

pub(crate) async fn halted(tx: &Tx<'_>) -> Outcome<bool> {
    let halted = tx.one("SELECT halted FROM play_switch", params![], Row::flag).await?;
    Ok(halted.ok_or_else(|| Fault::new("the switch that stops every activity is not there"))?)
}
