//! Where the code is that was given for something. It is opened by whoever has the key.

use domain::ids::FulfilmentId;
use serde_json::{Value as Json, json};

use crate::failure::{Fault, Result};
use crate::model::{AuditStamp, CodePlace};
use crate::tx::Tx;
use crate::{audit, params};

pub(super) async fn look(tx: &Tx<'_>, id: &FulfilmentId) -> Result<Option<CodePlace>> {
    tx.one(
        "SELECT c.sealed, g.number - c.first_number FROM given_codes g
         JOIN code_chunks c ON c.pool_id = g.pool_id AND c.first_number = (
            SELECT MAX(n.first_number) FROM code_chunks n
            WHERE n.pool_id = g.pool_id AND n.first_number <= g.number)
         WHERE g.fulfilment_id = $1",
        params![*id],
        |row| {
            let (sealed, place) = (row.bytes()?, row.int()?);
            let place = u32::try_from(place).map_err(|error| Fault::caused("a code's place", error))?;
            Ok(CodePlace { sealed, place })
        },
    )
    .await
}

/// The line in the audit log is written before the code is seen.
pub(super) async fn look_audited(
    tx: &Tx<'_>,
    (id, signed): &(FulfilmentId, AuditStamp),
) -> Result<Option<CodePlace>> {
    let Some(found) = look(tx, id).await? else { return Ok(None) };
    let number = tx
        .one("SELECT pool_id, number FROM given_codes WHERE fulfilment_id = $1", params![*id], |row| {
            Ok(json!({ "pool": row.int()?.to_string(), "number": row.int()? }))
        })
        .await?;
    let (subject, after) = (format!("fulfilment:{id}"), number.unwrap_or(Json::Null));
    audit::write(tx, signed, "code.look", &subject, &Json::Null, &after).await?;
    Ok(Some(found))
}
