//! Faces of people who do not exist, drawn from a few shapes.

use std::io::Cursor;

use anyhow::Context;
use image::{ImageFormat, Rgb, RgbImage};

const SIZE: u32 = 160;
/// Each pixel is the mean of so many by so many points.
const POINTS: u32 = 2;

/// Colours are 0xRRGGBB.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub wall: u32,
    pub shirt: u32,
    pub skin: u32,
    pub hair: u32,
    pub cut: Hair,
    pub glasses: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hair {
    Short,
    Bob,
    Long,
    Curly,
}

const EYES: u32 = 0x2a_22_20;
const BLUSH: u32 = 0xee_8f_7f;
const MOUTH: u32 = 0xa8_3f_3a;
const FRAMES: u32 = 0x3b_3b_46;

/// As a PNG.
pub fn draw(face: Face) -> anyhow::Result<Vec<u8>> {
    let picture = RgbImage::from_fn(SIZE, SIZE, |column, row| {
        let mut sums = [0_u32; 3];
        for (down, right) in (0..POINTS).flat_map(|down| (0..POINTS).map(move |right| (down, right))) {
            let place = |pixel: u32, part: u32| {
                (f64::from(pixel * POINTS + part) + 0.5) / f64::from(SIZE * POINTS) * 2.0 - 1.0
            };
            let colour = face.colour_at(place(column, right), place(row, down));
            for (sum, part) in sums.iter_mut().zip(parts(colour)) {
                *sum += u32::from(part);
            }
        }
        Rgb(sums.map(|sum| u8::try_from(sum / (POINTS * POINTS)).unwrap_or(u8::MAX)))
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).context("a face as a picture")?;
    Ok(bytes.into_inner())
}

fn parts(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

/// Whether a point is within an ellipse.
fn within((x, y): (f64, f64), (centre_x, centre_y): (f64, f64), (wide, high): (f64, f64)) -> bool {
    ((x - centre_x) / wide).powi(2) + ((y - centre_y) / high).powi(2) <= 1.0
}

impl Face {
    /// From the front to the back; x and y go from -1 to 1, y downwards.
    fn colour_at(self, x: f64, y: f64) -> u32 {
        let (point, mirrored) = ((x, y), (x.abs(), y));
        let is_head = within(point, (0.0, 0.0), (0.42, 0.5));
        let from_eye = (mirrored.0 - 0.17).hypot(y - 0.02);
        let from_smile = x.hypot(y - 0.12);
        if self.glasses && (from_eye - 0.125).abs() < 0.018 {
            FRAMES
        } else if is_head && self.is_fringe(x, y) {
            self.hair
        } else if within(mirrored, (0.17, 0.02), (0.045, 0.06)) {
            EYES
        } else if within(mirrored, (0.27, 0.17), (0.075, 0.045)) {
            BLUSH
        } else if (from_smile - 0.17).abs() < 0.022 && y > 0.21 {
            MOUTH
        } else if is_head || within(point, (0.0, 0.5), (0.16, 0.2)) {
            self.skin
        } else if within(point, (0.0, 1.15), (0.78, 0.55)) {
            self.shirt
        } else if self.is_hair_behind(mirrored) {
            self.hair
        } else {
            self.wall
        }
    }

    fn is_fringe(self, x: f64, y: f64) -> bool {
        match self.cut {
            Hair::Short => y < -0.26 + 0.12 * x,
            Hair::Bob => y < -0.16 - 0.05 * (x * 9.0).sin().abs(),
            Hair::Long => y < -0.34 + x.abs() * 0.5,
            Hair::Curly => y < -0.24 + 0.06 * (x * 14.0).sin(),
        }
    }

    fn is_hair_behind(self, (x, y): (f64, f64)) -> bool {
        let cap = within((x, y), (0.0, -0.12), (0.5, 0.52));
        match self.cut {
            Hair::Short => cap && y < 0.02,
            Hair::Bob => cap || (x < 0.5 && (-0.12..0.34).contains(&y)),
            Hair::Long => cap || (x < 0.52 + (y - 0.1) * 0.1 && (-0.12..0.85).contains(&y)),
            Hair::Curly => {
                let curls = [(0.0, -0.5), (0.26, -0.44), (0.46, -0.24), (0.52, 0.02), (0.48, 0.26)];
                cap || curls.iter().any(|centre| within((x, y), *centre, (0.19, 0.19)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_has_eyes_skin_hair_and_a_wall() {
        let face = Face { wall: 1, shirt: 2, skin: 3, hair: 4, cut: Hair::Short, glasses: false };
        for ((x, y), expected) in [
            ((-0.95, -0.95), face.wall),
            ((0.0, 0.95), face.shirt),
            ((0.0, 0.06), face.skin),
            ((0.0, -0.45), face.hair),
            ((0.17, 0.02), EYES),
            ((-0.17, 0.02), EYES),
            ((0.0, 0.29), MOUTH),
        ] {
            assert_eq!(face.colour_at(x, y), expected, "{x} {y}");
        }
        let bytes = draw(face).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
        assert_eq!(image::load_from_memory(&bytes).unwrap().width(), SIZE);
    }
}
