//! Pictures in their sizes. Never changed and never deleted: an address of a picture shows the same for good.

use domain::Rejection;
use domain::fingerprint::Fingerprint;
use domain::ids::PictureId;
use serde_json::{Value as Json, json};

use crate::audit::actor_text;
use crate::failure::{Fault, Result};
use crate::model::{PictureKeep, PictureRow, PictureSize};
use crate::row::Row;
use crate::steps::activities::columns::number;
use crate::tx::Tx;
use crate::{audit, params};

pub(super) async fn find_by_digest(tx: &Tx<'_>, digest: &Fingerprint) -> Result<Option<PictureRow>> {
    let sql = "SELECT id, width, height FROM pictures WHERE digest = $1";
    tx.one(sql, params![digest.0], read).await
}

/// Two who upload the same at the same time get the same.
pub(super) async fn keep(tx: &Tx<'_>, step: &PictureKeep) -> Result<(PictureRow, bool)> {
    tx.exclusive("pictures").await?;
    if let Some(row) = find_by_digest(tx, &step.digest).await? {
        return Ok((row, false));
    }
    let count = tx.one("SELECT COUNT(*) FROM pictures", params![], Row::int).await?.unwrap_or(0);
    if count >= i64::from(step.max) {
        return Err(Rejection::PicturesFull { max: step.max }.into());
    }
    let PictureKeep { id, digest, width, height, sizes, max: _, signed } = step;
    tx.execute(
        "INSERT INTO pictures (id, digest, width, height, made_by, made_ms) VALUES ($1, $2, $3, $4, $5, $6)",
        params![*id, digest.0, *width, *height, actor_text(signed.actor), signed.at],
    )
    .await?;
    for size in sizes {
        tx.execute(
            "INSERT INTO picture_sizes (picture_id, width, kind, bytes) VALUES ($1, $2, $3, $4)",
            params![*id, size.width, size.kind, &size.bytes],
        )
        .await?;
    }
    let after = json!({ "width": width, "height": height });
    audit::write(tx, signed, "picture.upload", &format!("picture:{id}"), &Json::Null, &after).await?;
    Ok((PictureRow { id: *id, width: *width, height: *height }, true))
}

pub(super) async fn widths(tx: &Tx<'_>, id: &PictureId) -> Result<Vec<u32>> {
    let sql = "SELECT width FROM picture_sizes WHERE picture_id = $1 ORDER BY width";
    tx.all(sql, params![*id], number).await
}

pub(super) async fn size(tx: &Tx<'_>, (id, width): &(PictureId, u32)) -> Result<Option<PictureSize>> {
    let sql = "SELECT width, kind, bytes FROM picture_sizes WHERE picture_id = $1 AND width = $2";
    tx.one(sql, params![*id, *width], |row| {
        let (width, kind) = (number(row)?, row.named(kind)?);
        Ok(PictureSize { width, kind, bytes: row.bytes()? })
    })
    .await
}

fn kind(name: &str) -> Option<&'static str> {
    ["image/png", "image/jpeg"].into_iter().find(|known| *known == name)
}

fn read(row: &mut Row) -> Result<PictureRow, Fault> {
    Ok(PictureRow { id: PictureId(row.int()?), width: number(row)?, height: number(row)? })
}
