//! Pictures that operators upload: what is taken, and in which sizes it is shown.
//!
//! Whatever comes is decoded and encoded anew, so that nothing but pixels is handed on: no position, no comment, nothing
//! that only looks like a picture.

/// Bytes of an upload.
pub const BYTES_MAX: usize = 8 * 1024 * 1024;
/// Pixels of one side.
pub const SIDE_MAX: u32 = 8_192;
/// Pixels in all: what one picture takes in memory is four times this.
pub const PIXELS_MAX: u64 = 24_000_000;
/// Pictures there may be.
pub const PICTURES_MAX: u32 = 20_000;
/// Widths in which a picture is kept; it is never made larger than it came.
pub const WIDTHS: [u32; 3] = [320, 640, 1_280];

/// What a picture may be sent as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Png,
    Jpeg,
    Webp,
}

impl Format {
    pub fn parse(media_type: &str) -> Option<Self> {
        match media_type {
            "image/png" => Some(Self::Png),
            "image/jpeg" => Some(Self::Jpeg),
            "image/webp" => Some(Self::Webp),
            _ => None,
        }
    }
}

/// Whether a picture of this size is taken.
pub const fn is_accepted_size(width: u32, height: u32) -> bool {
    let sides = width >= 1 && height >= 1 && width <= SIDE_MAX && height <= SIDE_MAX;
    sides && width as u64 * height as u64 <= PIXELS_MAX
}

/// The sizes that a picture is kept in, the smallest first: width and height.
pub fn sizes(width: u32, height: u32) -> Vec<(u32, u32)> {
    let mut widths: Vec<u32> = WIDTHS.iter().map(|known| (*known).min(width)).collect();
    widths.dedup();
    let scaled = |to: u32| {
        let height = u64::from(height) * u64::from(to) / u64::from(width.max(1));
        (to, u32::try_from(height).unwrap_or(u32::MAX).max(1))
    };
    widths.into_iter().map(scaled).collect()
}

/// Which of the widths that there are is shown to whoever wants one: the first that is wide enough, or the widest.
pub fn pick_width(there: &[u32], wanted: Option<u32>) -> Option<u32> {
    let widest = there.iter().copied().max();
    let Some(wanted) = wanted else { return widest };
    there.iter().copied().filter(|width| *width >= wanted).min().or(widest)
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn what_is_taken() {
        for (width, height, expected) in [
            (1, 1, true),
            (SIDE_MAX, 1, true),
            (6_000, 4_000, true),
            (0, 1, false),
            (1, 0, false),
            (SIDE_MAX + 1, 1, false),
            (1, SIDE_MAX + 1, false),
            (6_000, 4_001, false),
            (u32::MAX, u32::MAX, false),
        ] {
            assert_eq!(is_accepted_size(width, height), expected, "{width} x {height}");
        }
        for (said, expected) in [
            ("image/png", Some(Format::Png)),
            ("image/jpeg", Some(Format::Jpeg)),
            ("image/webp", Some(Format::Webp)),
            ("image/svg+xml", None),
            ("image/gif", None),
            ("text/html", None),
            ("", None),
        ] {
            assert_eq!(Format::parse(said), expected, "{said}");
        }
    }

    #[test]
    fn sizes_are_never_larger_than_the_picture() {
        for (width, height, expected) in [
            (100, 50, &[(100, 50)][..]),
            (320, 320, &[(320, 320)]),
            (400, 200, &[(320, 160), (400, 200)]),
            (2_000, 1_000, &[(320, 160), (640, 320), (1_280, 640)]),
            (8_192, 1, &[(320, 1), (640, 1), (1_280, 1)]),
        ] {
            assert_eq!(sizes(width, height), expected, "{width} x {height}");
        }
    }

    #[test]
    fn the_first_that_is_wide_enough_is_shown() {
        for (there, wanted, expected) in [
            (&[320, 640][..], None, Some(640)),
            (&[320, 640], Some(1), Some(320)),
            (&[320, 640], Some(320), Some(320)),
            (&[320, 640], Some(321), Some(640)),
            (&[320, 640], Some(9_999), Some(640)),
            (&[], Some(1), None),
        ] {
            assert_eq!(pick_width(there, wanted), expected, "{wanted:?}");
        }
    }
}
