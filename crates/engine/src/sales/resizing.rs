//! Pictures made anew in a few sizes, a bounded number at a time, away from the threads that answer people.
//!
//! What comes is decoded by its own bytes, whatever it is called, and encoded again: nothing but pixels is kept. Its size
//! is judged before it is decoded, and what a PNG carries beside its pixels, which may be small when packed and huge when
//! not, is cut out before anybody unpacks it.

use std::borrow::Cow;
use std::io::Cursor;

use domain::Rejection;
use domain::picture::{PIXELS_MAX, SIDE_MAX, is_accepted_size, sizes};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use store::model::PictureSize;
use tokio::sync::Semaphore;

use crate::failure::{Fault, Result};

/// Pictures worked on at once; one takes up to a hundred megabytes.
const AT_ONCE_MAX: usize = 1;
/// Uploads that wait for their turn.
const WAITING_MAX: usize = 8;
/// Memory that a decoder may take, in bytes: the largest picture with sixteen bits for each of four colours, and half as
/// much again.
const DECODER_BYTES_MAX: u64 = PIXELS_MAX * 12;
const PNG_BEGIN: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The parts of a PNG that are its pixels.
const PNG_PIXELS: [&[u8; 4]; 5] = [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"];
/// Which side of it is up.
const PNG_TURNED: &[u8; 4] = b"eXIf";
/// More than a camera says of a picture.
const PNG_TURNED_BYTES_MAX: usize = 64 * 1024;
const JPEG_QUALITY: u8 = 85;
const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";

#[derive(Debug)]
pub struct Resizing {
    working: Semaphore,
    here: Semaphore,
}

impl Default for Resizing {
    fn default() -> Self {
        Self { working: Semaphore::new(AT_ONCE_MAX), here: Semaphore::new(AT_ONCE_MAX + WAITING_MAX) }
    }
}

/// A picture in every size, the smallest first.
#[derive(Debug)]
pub struct Resized {
    /// Of the largest size.
    pub width: u32,
    pub height: u32,
    pub sizes: Vec<PictureSize>,
}

impl Resizing {
    pub async fn resize(&self, bytes: Vec<u8>) -> Result<Resized> {
        let busy = || Rejection::Overloaded { retry_after_s: 1 };
        let _here = self.here.try_acquire().map_err(|_| busy())?;
        let _working = self.working.acquire().await.map_err(|error| Fault::caused("resizing", error))?;
        let done = tokio::task::spawn_blocking(move || resize(&bytes)).await;
        // A decoder that gives up on strange bytes has judged them.
        Ok(done.unwrap_or(Err(Rejection::PictureUnreadable))?)
    }
}

fn resize(bytes: &[u8]) -> Result<Resized, Rejection> {
    let bytes = pixels_only(bytes);
    let reader = || {
        let mut reader = ImageReader::new(Cursor::new(&*bytes));
        let mut limits = Limits::default();
        limits.max_alloc = Some(DECODER_BYTES_MAX);
        reader.limits(limits);
        reader.with_guessed_format()
    };
    let unreadable = || Rejection::PictureUnreadable;
    let (width, height) =
        reader().ok().and_then(|reader| reader.into_dimensions().ok()).ok_or_else(unreadable)?;
    if !is_accepted_size(width, height) {
        return Err(Rejection::PictureTooLarge { side: SIDE_MAX, pixels: PIXELS_MAX });
    }
    let mut decoder = reader().ok().and_then(|reader| reader.into_decoder().ok()).ok_or_else(unreadable)?;
    let turned = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| unreadable())?;
    // A camera says which side is up beside the pixels, and that is not kept.
    if let Some(turned) = turned {
        picture.apply_orientation(turned);
    }
    let (sizes, (width, height)) = {
        let all = sizes(picture.width(), picture.height());
        let largest = all.last().copied().ok_or_else(unreadable)?;
        let one = |(width, height): (u32, u32)| size(&picture, width, height);
        (all.into_iter().map(one).collect::<Result<Vec<_>, _>>()?, largest)
    };
    Ok(Resized { width, height, sizes })
}

/// A PNG without anything that is not its pixels: no colour profile, no texts, no further frames. Anything else as it is.
fn pixels_only(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(mut rest) = bytes.strip_prefix(PNG_BEGIN) else { return Cow::Borrowed(bytes) };
    let mut kept = Vec::with_capacity(bytes.len());
    kept.extend_from_slice(PNG_BEGIN);
    while let Some((length, kind)) = chunk_head(rest) {
        // Length, kind and checksum are four bytes each.
        let whole = length.saturating_add(12).min(rest.len());
        let (chunk, after) = rest.split_at(whole);
        let turned = kind == PNG_TURNED && length <= PNG_TURNED_BYTES_MAX;
        if turned || PNG_PIXELS.contains(&kind) {
            kept.extend_from_slice(chunk);
        }
        rest = after;
    }
    Cow::Owned(kept)
}

fn chunk_head(bytes: &[u8]) -> Option<(usize, &[u8; 4])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let kind = rest.first_chunk::<4>()?;
    Some((usize::try_from(u32::from_be_bytes(*length)).ok()?, kind))
}

/// What can be seen through stays so; everything else is smaller as a photograph.
fn size(picture: &DynamicImage, width: u32, height: u32) -> Result<PictureSize, Rejection> {
    let small = if (picture.width(), picture.height()) == (width, height) {
        picture.clone()
    } else {
        picture.resize_exact(width, height, FilterType::Triangle)
    };
    let mut bytes = Cursor::new(Vec::new());
    let (kind, written) = if picture.color().has_alpha() {
        (PNG, DynamicImage::from(small.into_rgba8()).write_to(&mut bytes, ImageFormat::Png))
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
        (JPEG, DynamicImage::from(small.into_rgb8()).write_with_encoder(encoder))
    };
    written.map_err(|_| Rejection::PictureUnreadable)?;
    Ok(PictureSize { width, kind, bytes: bytes.into_inner() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: u32, height: u32, alpha: bool, format: ImageFormat) -> Vec<u8> {
        let picture = if alpha {
            DynamicImage::new_rgba8(width, height)
        } else {
            DynamicImage::new_rgb8(width, height)
        };
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn pictures_come_back_in_their_sizes() {
        for (width, height, alpha, format, expected, kind) in [
            (100, 50, false, ImageFormat::Png, &[(100, 50)][..], JPEG),
            (400, 200, true, ImageFormat::Png, &[(320, 160), (400, 200)], PNG),
            (1_500, 750, false, ImageFormat::Jpeg, &[(320, 160), (640, 320), (1_280, 640)], JPEG),
            (700, 700, true, ImageFormat::WebP, &[(320, 320), (640, 640), (700, 700)], PNG),
        ] {
            let resized = resize(&written(width, height, alpha, format)).unwrap();
            assert_eq!((resized.width, resized.height), *expected.last().unwrap());
            assert_eq!(resized.sizes.len(), expected.len());
            for (size, expected) in resized.sizes.iter().zip(expected) {
                let again = image::load_from_memory(&size.bytes).unwrap();
                assert_eq!((again.width(), again.height(), size.width), (expected.0, expected.1, expected.0));
                assert_eq!(size.kind, kind, "{width} x {height}");
            }
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let whole = written(400, 200, false, ImageFormat::Png);
        let mut broken = whole.clone();
        broken[60..].fill(7);
        for (bytes, code) in [
            (&b""[..], "picture_unreadable"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "picture_unreadable"),
            (b"GIF89a\x01\0\x01\0\0\0\0;", "picture_unreadable"),
            (&whole[..40], "picture_unreadable"),
            (&broken, "picture_unreadable"),
            (&written(SIDE_MAX + 1, 1, false, ImageFormat::Png), "picture_too_large"),
        ] {
            assert_eq!(resize(bytes).unwrap_err().code(), code, "{} bytes", bytes.len());
        }
    }

    /// A few hundred bytes that would be gigabytes are refused by what they say of themselves.
    #[test]
    fn a_bomb_is_not_unpacked() {
        let mut bytes = written(1, 1, false, ImageFormat::Png);
        bytes[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        bytes[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
        let crc = crc(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(resize(&bytes).unwrap_err().code(), "picture_too_large");
    }

    /// What stands beside the pixels is never looked at, whatever it says of itself.
    #[test]
    fn nothing_but_pixels_reaches_the_decoder() {
        let plain = written(40, 20, false, ImageFormat::Png);
        let chunk = |kind: &[u8; 4], body: &[u8]| {
            let mut bytes = u32::try_from(body.len()).unwrap().to_be_bytes().to_vec();
            let marked = [kind, body].concat();
            bytes.extend_from_slice(&marked);
            bytes.extend_from_slice(&crc(&marked).to_be_bytes());
            bytes
        };
        for (kind, body, kept) in [
            (b"iCCP", &b"bomb\0\0x\x9c"[..], false),
            (b"zTXt", b"bomb\0\0x\x9c", false),
            (b"iTXt", b"bomb", false),
            (b"acTL", b"\0\0\0\x01\0\0\0\0", false),
            (b"eXIf", b"MM\0*\0\0\0\x08\0\0", true),
            (b"eXIf", &[0; PNG_TURNED_BYTES_MAX + 1], false),
        ] {
            let mut bytes = plain.clone();
            // After the head, which is 25 bytes behind the eight of the beginning.
            bytes.splice(33..33, chunk(kind, body));
            let expected = if kept { &bytes } else { &plain };
            assert_eq!(&*pixels_only(&bytes), &expected[..], "{}", String::from_utf8_lossy(kind));
            assert!(resize(&bytes).is_ok(), "{}", String::from_utf8_lossy(kind));
        }
        let jpeg = written(40, 20, false, ImageFormat::Jpeg);
        assert!(matches!(pixels_only(&jpeg), Cow::Borrowed(same) if same == jpeg));
    }

    /// As PNG has it.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc))
        })
    }
}
