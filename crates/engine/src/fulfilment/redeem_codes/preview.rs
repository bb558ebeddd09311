//! What an import would do, before anything is written.

use std::collections::HashSet;
use std::sync::Arc;

use domain::Rejection;
use domain::ids::CodePoolId;
use domain::redeem::{SheetKind, sift};

use crate::failure::Result;
use crate::fulfilment::redeem_codes::import::{LINES_TOLD_MAX, on_a_thread};
use crate::fulfilment::redeem_codes::known_codes::{catch_up, fingerprint};
use crate::fulfilment::redeem_codes::pools::code_pool_find;
use crate::world::World;

/// What the lines are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodesPreview {
    /// Codes that an import would add.
    pub fresh: u64,
    /// Codes that are in a pool already, this one or another.
    pub already: u64,
    /// Codes that stand further up.
    pub repeated: u64,
    /// Lines that cannot be codes: an import is refused because of them.
    pub malformed: u64,
    /// The first of them.
    pub malformed_lines: Vec<u32>,
}

pub async fn codes_preview(
    world: &World,
    pool: CodePoolId,
    kind: SheetKind,
    text: Vec<u8>,
) -> Result<CodesPreview> {
    code_pool_find(world, pool).await?;
    let held = catch_up(world, world.caches.known_codes.hold().await).await?;
    let vault = Arc::clone(&world.outside.vault);
    let judged = on_a_thread(move || {
        let text = String::from_utf8(text)
            .map_err(|error| Rejection::BodyMalformed { detail: error.utf8_error().to_string() })?;
        let (codes, wrong) = sift(&text, kind)?;
        let mut preview = CodesPreview {
            malformed: wrong.len() as u64,
            malformed_lines: wrong.iter().take(LINES_TOLD_MAX).map(|(line, _)| *line).collect(),
            ..CodesPreview::default()
        };
        let mut seen = HashSet::with_capacity(codes.len());
        for line in codes {
            let print = fingerprint(vault.as_ref(), line.code.as_str());
            if !seen.insert(print) {
                preview.repeated += 1;
            } else if held.has(print) {
                preview.already += 1;
            } else {
                preview.fresh += 1;
            }
        }
        Ok::<_, Rejection>(preview)
    })
    .await?;
    Ok(judged?)
}
