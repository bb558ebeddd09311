//! Pictures: uploaded once, kept in a few sizes, shown to everybody.

use domain::Rejection;
use domain::fingerprint::Fingerprint;
use domain::ids::PictureId;
use domain::picture::{PICTURES_MAX, pick_width};
use domain::rejection::MissingThing;
use store::model::{AuditStamp, PictureKeep, PictureRow, PictureSize};

use crate::failure::Result;
use crate::sales::resizing::Resized;
use crate::world::World;

/// Answers the picture, and whether it is new. The same bytes again are the picture that there is.
pub async fn picture_upload(world: &World, signed: AuditStamp, bytes: Vec<u8>) -> Result<(PictureRow, bool)> {
    let digest = Fingerprint::of(&[&bytes]);
    if let Some(known) = world.db.picture_find_by_digest(digest).await? {
        return Ok((known, false));
    }
    let Resized { width, height, sizes } = world.sales.resizing.resize(bytes).await?;
    let id = PictureId(world.next_id());
    let step = PictureKeep { id, digest, width, height, sizes, max: PICTURES_MAX, signed };
    world.db.picture_keep(step).await
}

/// In the first width that is wide enough, or the widest there is.
pub async fn picture_look(world: &World, id: PictureId, width: Option<u32>) -> Result<PictureSize> {
    let unknown = || Rejection::NotFound { what: MissingThing::Picture };
    let there = world.db.picture_widths(id).await?;
    let width = pick_width(&there, width).ok_or_else(unknown)?;
    Ok(world.db.picture_size(id, width).await?.ok_or_else(unknown)?)
}
