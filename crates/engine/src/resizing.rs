//! Pictures made anew in a few sizes, a bounded number at a time, away from the threads that answer people.
//!
//! What comes is decoded by its own bytes, whatever it is called, and encoded again: nothing but pixels is kept. Its size
//! is judged before it is decoded.

use std::io::Cursor;

use domain::Rejection;
use domain::picture::{PIXELS_MAX, SIDE_MAX, fits, sizes};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use tokio::sync::Semaphore;

use crate::failure::{Fault, Outcome};
use crate::ports::PictureSize;

/// Pictures worked on at once; one takes up to a hundred megabytes.
const AT_ONCE_MAX: usize = 1;
/// Uploads that wait for their turn.
const WAITING_MAX: usize = 8;
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
    pub async fn resize(&self, bytes: Vec<u8>) -> Outcome<Resized> {
        let busy = || Rejection::Overloaded { retry_after_s: 1 };
        let _here = self.here.try_acquire().map_err(|_| busy())?;
        let _working = self.working.acquire().await.map_err(|error| Fault::caused("resizing", error))?;
        let done = tokio::task::spawn_blocking(move || resized(&bytes)).await;
        // A decoder that gives up on strange bytes has judged them.
        Ok(done.unwrap_or(Err(Rejection::PictureUnreadable))?)
    }
}

fn resized(bytes: &[u8]) -> Result<Resized, Rejection> {
    let reader = || ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let unreadable = || Rejection::PictureUnreadable;
    let (width, height) =
        reader().ok().and_then(|reader| reader.into_dimensions().ok()).ok_or_else(unreadable)?;
    if !fits(width, height) {
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
            let resized = resized(&written(width, height, alpha, format)).unwrap();
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
            assert_eq!(resized(bytes).unwrap_err().code(), code, "{} bytes", bytes.len());
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
        assert_eq!(resized(&bytes).unwrap_err().code(), "picture_too_large");
    }

    /// As PNG has it.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc))
        })
    }
}
