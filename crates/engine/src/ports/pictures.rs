//! Pictures as they are shown.

use async_trait::async_trait;
use domain::fingerprint::Fingerprint;
use domain::ids::PictureId;

use super::Signed;
use crate::failure::Outcome;

/// One size of a picture, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureSize {
    pub width: u32,
    /// `image/png` or `image/jpeg`.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct PictureKeep {
    pub id: PictureId,
    /// Of what was uploaded: the same picture again is the one there is.
    pub digest: Fingerprint,
    /// Of the largest size.
    pub width: u32,
    pub height: u32,
    pub sizes: Vec<PictureSize>,
    /// Pictures there may be.
    pub max: u32,
    pub signed: Signed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRow {
    pub id: PictureId,
    pub width: u32,
    pub height: u32,
}

#[async_trait]
pub trait Pictures: Send + Sync {
    /// One that was uploaded before, by what it was.
    async fn picture_known(&self, digest: Fingerprint) -> Outcome<Option<PictureRow>>;
    /// Answers the picture, and whether it is new.
    async fn picture_keep(&self, step: PictureKeep) -> Outcome<(PictureRow, bool)>;
    /// The widths that there are of it; none of a picture that is not there.
    async fn picture_widths(&self, id: PictureId) -> Outcome<Vec<u32>>;
    async fn picture_size(&self, id: PictureId, width: u32) -> Outcome<Option<PictureSize>>;
}
