//! Pictures as they are shown.

use domain::fingerprint::Fingerprint;
use domain::ids::PictureId;

use super::AuditStamp;

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
    pub signed: AuditStamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRow {
    pub id: PictureId,
    pub width: u32,
    pub height: u32,
}
