//! A picture that people read and programs find hard.
//!
//! Drawn by `biosvg`: outlines of characters, cut into pieces and shuffled among strokes. It keeps out scripts, not people
//! who build a reader for it; the limits by user and address are what bounds those.

use biosvg::BiosvgBuilder;
use domain::ids::ActivityId;
use domain::sale::SumQuestion;
use domain::sale::challenge::{ANSWER_LENGTH, CHALLENGE_LIFE_MS, Challenge};
use domain::time::Timestamp;
use domain::{Lang, Rejection};

use crate::failure::{Fault, Result};
use crate::sales::gate::Buyer;
use crate::sales::gate::pace::{Asks, count};
use crate::sales::gate::sale::Sale;
use crate::world::World;

/// Strokes across the picture.
const STROKES: u16 = 6;
/// Dark enough on a light page and light enough on a dark one.
const COLOURS: [&str; 5] = ["#0078d6", "#aa3333", "#f08012", "#33aa00", "#aa33aa"];

#[derive(Clone, Debug)]
pub struct Picture {
    /// To be sent back with the answer.
    pub challenge: String,
    /// The picture; empty where words were asked for.
    pub svg: String,
    /// The question in words, for those who cannot see a picture.
    pub question: Option<String>,
    pub expires: Timestamp,
    /// What it shows; told in demo mode only.
    pub answer: Option<String>,
}

/// How a captcha is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptchaForm {
    Picture,
    /// In words of this language.
    Words(Lang),
}

/// A picture, or a question in words, for one user and one sale. It may be asked for a little before the start, so that not everybody asks at once.
pub async fn picture(world: &World, buyer: Buyer, sale: ActivityId, form: CaptchaForm) -> Result<Picture> {
    count(world, buyer, Asks::Gate).await?;
    let sale = Sale::find(world, sale).await?;
    if !sale.plan().is_some_and(|plan| plan.gate.captcha) {
        return Err(Rejection::NoCaptcha.into());
    }
    sale.check_running(world.now(), CHALLENGE_LIFE_MS)?;
    sale.has_units(world).await?;
    let (answer, svg, question) = match form {
        CaptchaForm::Picture => {
            let (answer, svg) = draw()?;
            (answer, svg, None)
        }
        CaptchaForm::Words(lang) => {
            let sum = SumQuestion::draw(world.bytes());
            (sum.answer(), String::new(), Some(sum.text(lang)))
        }
    };
    let expires = world.now() + CHALLENGE_LIFE_MS;
    let challenge = Challenge::new(&world.sales.gate.key, expires, world.bytes(), &answer);
    Ok(Picture {
        challenge: challenge.text(&world.sales.gate.key, buyer.user, sale.id()),
        svg,
        question,
        expires,
        answer: world.settings.demo.then_some(answer),
    })
}

fn draw() -> Result<(String, String), Fault> {
    let colours = COLOURS.map(str::to_owned).to_vec();
    let drawn = BiosvgBuilder::new().length(ANSWER_LENGTH).difficulty(STROKES).colors(colours).build();
    drawn.map_err(|error| Fault::caused("drawing a picture".to_owned(), error))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_picture_says_nothing_in_words() {
        let drawn: Vec<_> = (0..50).map(|_| draw().unwrap()).collect();
        for (answer, svg) in &drawn {
            assert_eq!(answer.chars().count(), ANSWER_LENGTH);
            assert!(svg.starts_with("<svg") && !svg.contains("<text") && !svg.contains("<script"), "{svg}");
            assert!(svg.len() < 100_000, "{} bytes", svg.len());
        }
        let answers: HashSet<_> = drawn.iter().map(|(answer, _)| answer).collect();
        assert!(answers.len() > 40, "{} of 50 are different", answers.len());
    }
}
