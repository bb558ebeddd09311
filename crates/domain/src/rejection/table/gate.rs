//! The gate of a sale: tokens, captchas, the waiting room.

use super::Row;
use crate::Rejection;

rows! { gate:
    TokenNeeded = "token_needed",
        "Request a purchase token first.", "请先获取购买令牌。";
    /// Another user's, another sale's, or changed on the way.
    TokenWrong = "token_wrong",
        "This purchase token is not valid for you or for this sale. Request a new one.", "该购买令牌不适用于您或本次抢购，请重新获取。";
    TokenExpired = "token_expired",
        "This purchase token has expired. Request a new one.", "购买令牌已过期，请重新获取。";
    TokenSpent = "token_spent",
        "This purchase token was already used. Request a new one.", "购买令牌已使用，请重新获取。";
    NoCaptcha = "no_captcha",
        "This sale has no captcha. Request a token.", "本次抢购无需图片验证码，请直接获取购买令牌。";
    CaptchaNeeded = "captcha_needed",
        "Solve the captcha first.", "请先输入图片验证码。";
    /// Also one that was asked of somebody else.
    CaptchaWrong = "captcha_wrong",
        "The captcha answer is wrong. Request a new picture.", "图片验证码不正确，请换一张。";
    CaptchaExpired = "captcha_expired",
        "The captcha has expired. Request a new picture.", "图片验证码已过期，请换一张。";
    CaptchaSpent = "captcha_spent",
        "This captcha was already used. Request a new picture.", "该图片验证码已使用，请换一张。";
    PlaceNeeded = "place_needed",
        "This sale has a waiting room. Join it first.", "请先进入排队。";
    PlaceWrong = "place_wrong",
        "This place in the waiting room is not yours.", "该排队号不属于您。";
    NotYourTurn { ahead: u64, retry_after_s: i64 } = "not_your_turn",
        "It is not your turn yet: {ahead} people are before you. Try again in {retry_after_s} s.",
        "还未轮到您，前面还有 {ahead} 人，请 {retry_after_s} 秒后再试。";
    RoomFull { max: u64, retry_after_s: i64 } = "room_full",
        "{max} people are waiting, the maximum. Try again in {retry_after_s} s.",
        "排队人数已达上限 {max}，请 {retry_after_s} 秒后再试。";
    NoRoom = "no_room",
        "This sale has no waiting room. Request a token.", "本次抢购无需排队，请直接获取购买令牌。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (TokenNeeded, "Request a purchase token first."),
        (TokenWrong, "This purchase token is not valid for you or for this sale. Request a new one."),
        (TokenExpired, "This purchase token has expired. Request a new one."),
        (TokenSpent, "This purchase token was already used. Request a new one."),
        (NoCaptcha, "This sale has no captcha. Request a token."),
        (CaptchaNeeded, "Solve the captcha first."),
        (CaptchaWrong, "The captcha answer is wrong. Request a new picture."),
        (CaptchaExpired, "The captcha has expired. Request a new picture."),
        (CaptchaSpent, "This captcha was already used. Request a new picture."),
        (PlaceNeeded, "This sale has a waiting room. Join it first."),
        (PlaceWrong, "This place in the waiting room is not yours."),
        (
            NotYourTurn { ahead: 12, retry_after_s: 3 },
            "It is not your turn yet: 12 people are before you. Try again in 3 s.",
        ),
        (RoomFull { max: 9, retry_after_s: 5 }, "9 people are waiting, the maximum. Try again in 5 s."),
        (NoRoom, "This sale has no waiting room. Request a token."),
    ]
}
