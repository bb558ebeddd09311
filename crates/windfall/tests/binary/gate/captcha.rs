//! Pictures: answered once, by whoever was asked, in time.

use domain::ids::ActivityId;
use domain::sale::challenge::CHALLENGE_LIFE_MS;
use engine::sales::gate;
use engine::sales::gate::{CaptchaForm, Picture, SolvedCaptcha};

use super::fixtures::*;
use crate::activities::world::Stage;

/// Tells what its pictures show.
async fn stage() -> (Stage, ActivityId) {
    let mut stage = Stage::new().await;
    stage.world.settings.demo = true;
    let sale = sale(&stage, PICTURE, 10).await;
    (stage, sale)
}

async fn asked(stage: &Stage, sale: ActivityId, user: i64) -> Picture {
    gate::picture(&stage.world, buyer(user), sale, CaptchaForm::Picture).await.unwrap()
}

async fn answer(
    stage: &Stage,
    sale: ActivityId,
    user: i64,
    picture: &Picture,
    answer: Option<&str>,
) -> &'static str {
    let answer = answer.unwrap_or(picture.answer.as_deref().unwrap());
    let answered = SolvedCaptcha { challenge: &picture.challenge, answer };
    heard(&gate::token_give(&stage.world, buyer(user), sale, Some(answered)).await)
}

#[tokio::test]
async fn a_picture_is_asked_for_and_answered_once() {
    let (stage, sale) = stage().await;
    assert_eq!(heard(&token(&stage, sale, 7).await), "captcha_needed");
    let picture = asked(&stage, sale, 7).await;
    assert_eq!(answer(&stage, sale, 8, &picture, None).await, "captcha_wrong", "it was asked of another");
    let loud = picture.answer.as_ref().unwrap().to_uppercase();
    assert_eq!(answer(&stage, sale, 7, &picture, Some(&loud)).await, "yes");
    assert_eq!(answer(&stage, sale, 7, &picture, None).await, "captcha_spent");
}

#[tokio::test]
async fn a_wrong_answer_is_an_answer() {
    let (stage, sale) = stage().await;
    let picture = asked(&stage, sale, 7).await;
    assert_eq!(answer(&stage, sale, 7, &picture, Some("?")).await, "captcha_wrong");
    assert_eq!(answer(&stage, sale, 7, &picture, None).await, "captcha_spent", "nobody tries them all");
}

#[tokio::test]
async fn a_picture_runs_out_and_belongs_to_its_sale() {
    let (stage, sale) = stage().await;
    let other = self::sale(&stage, PICTURE, 10).await;
    let picture = asked(&stage, sale, 7).await;
    assert_eq!(answer(&stage, other, 7, &picture, None).await, "captcha_wrong");
    stage.set(FROM_MS + CHALLENGE_LIFE_MS);
    assert_eq!(answer(&stage, sale, 7, &picture, None).await, "captcha_expired");
}

/// A little before the start, so that not everybody asks at once; never for a sale that asks for none.
#[tokio::test]
async fn when_there_are_pictures() {
    let (stage, sale) = stage().await;
    let open = self::sale(&stage, OPEN, 10).await;
    for (after_ms, expected, answered) in [
        (FROM_MS - CHALLENGE_LIFE_MS - 1, "not_started", None),
        (FROM_MS - CHALLENGE_LIFE_MS, "yes", Some("not_started")),
        (FROM_MS - 1, "yes", Some("not_started")),
        (FROM_MS, "yes", Some("yes")),
        (UNTIL_MS, "ended", None),
    ] {
        stage.set(after_ms);
        let picture = gate::picture(&stage.world, buyer(7), sale, CaptchaForm::Picture).await;
        assert_eq!(heard(&picture), expected, "{after_ms}");
        assert_eq!(
            heard(&gate::picture(&stage.world, buyer(7), open, CaptchaForm::Picture).await),
            "no_captcha"
        );
        if let Some(expected) = answered {
            assert_eq!(answer(&stage, sale, 7, &picture.unwrap(), None).await, expected, "{after_ms}");
        }
    }
}

/// An answer that comes too early is not used up.
#[tokio::test]
async fn a_picture_read_before_the_start_is_good_after_it() {
    let (stage, sale) = stage().await;
    stage.set(FROM_MS - 1);
    let picture = asked(&stage, sale, 7).await;
    assert_eq!(answer(&stage, sale, 7, &picture, None).await, "not_started");
    stage.set(FROM_MS);
    assert_eq!(answer(&stage, sale, 7, &picture, None).await, "yes");
}

#[tokio::test]
async fn what_it_shows_is_told_in_demo_mode_only() {
    let stage = Stage::new().await;
    let sale = sale(&stage, PICTURE, 10).await;
    assert_eq!(asked(&stage, sale, 7).await.answer, None);
}

#[tokio::test]
async fn a_question_in_words_is_answered_in_digits() {
    let (stage, sale) = stage().await;
    let words = CaptchaForm::Words(domain::Lang::En);
    let asked = gate::picture(&stage.world, buyer(7), sale, words).await.unwrap();
    assert!(asked.svg.is_empty() && asked.question.as_deref().unwrap().starts_with("What is "));
    assert_eq!(answer(&stage, sale, 7, &asked, Some("0")).await, "captcha_wrong");
    let asked = gate::picture(&stage.world, buyer(7), sale, words).await.unwrap();
    assert_eq!(answer(&stage, sale, 7, &asked, None).await, "yes");
}
