//! The gate of a sale: tokens, captchas, the waiting room.

use super::Row;
use crate::Rejection;

rows! { gate:
    TokenNeeded = "token_needed",
        "Ask for a purchase token first.", "请先获取购买令牌。";
    /// Another user's, another sale's, or changed on the way.
    TokenWrong = "token_wrong",
        "This purchase token is not yours for this sale. Ask for one.", "该购买令牌不适用于您或本次抢购，请重新获取。";
    TokenExpired = "token_expired",
        "This purchase token has run out. Ask for another.", "购买令牌已过期，请重新获取。";
    TokenSpent = "token_spent",
        "This purchase token was used before. Ask for another.", "购买令牌已使用，请重新获取。";
    NoCaptcha = "no_captcha",
        "This sale asks for no picture: ask for a token.", "本次抢购无需图片验证码，请直接获取购买令牌。";
    CaptchaNeeded = "captcha_needed",
        "Type what the picture shows first.", "请先输入图片验证码。";
    /// Also one that was asked of somebody else.
    CaptchaWrong = "captcha_wrong",
        "That is not what the picture shows. Ask for another picture.", "图片验证码不正确，请换一张。";
    CaptchaExpired = "captcha_expired",
        "The picture has run out. Ask for another.", "图片验证码已过期，请换一张。";
    CaptchaSpent = "captcha_spent",
        "This picture was answered before. Ask for another.", "该图片验证码已使用，请换一张。";
    PlaceNeeded = "place_needed",
        "There is a waiting room: take a place first.", "请先进入排队。";
    PlaceWrong = "place_wrong",
        "This place in the waiting room is not yours.", "该排队号不属于您。";
    NotYourTurn { ahead: u64, retry_after_s: i64 } = "not_your_turn",
        "It is not your turn yet: {ahead} are before you. Ask again in {retry_after_s} s.",
        "还未轮到您，前面还有 {ahead} 人，请 {retry_after_s} 秒后再试。";
    RoomFull { max: u64, retry_after_s: i64 } = "room_full",
        "{max} are waiting already, the most there may be. Try again in {retry_after_s} s.",
        "排队人数已达上限 {max}，请 {retry_after_s} 秒后再试。";
    NoRoom = "no_room",
        "This sale has no waiting room: ask for a token.", "本次抢购无需排队，请直接获取购买令牌。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (TokenNeeded, "Ask for a purchase token first."),
        (TokenWrong, "This purchase token is not yours for this sale. Ask for one."),
        (TokenExpired, "This purchase token has run out. Ask for another."),
        (TokenSpent, "This purchase token was used before. Ask for another."),
        (NoCaptcha, "This sale asks for no picture: ask for a token."),
        (CaptchaNeeded, "Type what the picture shows first."),
        (CaptchaWrong, "That is not what the picture shows. Ask for another picture."),
        (CaptchaExpired, "The picture has run out. Ask for another."),
        (CaptchaSpent, "This picture was answered before. Ask for another."),
        (PlaceNeeded, "There is a waiting room: take a place first."),
        (PlaceWrong, "This place in the waiting room is not yours."),
        (
            NotYourTurn { ahead: 12, retry_after_s: 3 },
            "It is not your turn yet: 12 are before you. Ask again in 3 s.",
        ),
        (
            RoomFull { max: 9, retry_after_s: 5 },
            "9 are waiting already, the most there may be. Try again in 5 s.",
        ),
        (NoRoom, "This sale has no waiting room: ask for a token."),
    ]
}
