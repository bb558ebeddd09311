//! Codes, passwords and links.

use super::Row;
use crate::Rejection;
use crate::account::PASSWORD_MIN;
use crate::rejection::CodeField;

rows! { credentials:
    CodeTooSoon { retry_after_s: i64 } = "code_too_soon",
        "A code was sent a moment ago. Ask again in {retry_after_s} s.", "验证码刚刚发送，请 {retry_after_s} 秒后再获取。";
    CodeDailyCap = "code_daily_cap",
        "Too many codes today. Try again tomorrow.", "今日验证码次数已达上限，请明天再试。";
    CodeSiteCap = "code_site_cap",
        "No more codes are sent today. Sign in with your password.", "今日验证码发送量已达上限，请使用密码登录。";
    PhoneCountry = "phone_country",
        "No codes are sent to numbers of this country.", "暂不支持向该国家或地区的号码发送验证码。";
    CodeWrong { at: CodeField, tries_left: u32 } = "code_wrong",
        "That code is wrong; {tries_left} tries left.", "验证码错误，还可尝试 {tries_left} 次。";
    CodeSpent { at: CodeField } = "code_spent",
        "There is no live code for this phone. Ask for a new one.", "验证码不存在或已失效，请重新获取。";
    CredentialsWrong = "credentials_wrong",
        "Phone or password is wrong.", "手机号或密码错误。";
    PasswordWrong = "password_wrong",
        "That is not your password.", "当前密码不正确。";
    PasswordWeak { min: usize } = "password_weak",
        "Choose a password of at least {min} characters that is not your phone number and not one repeated character.",
        "密码至少 {min} 位，不能是手机号，也不能是同一字符的重复。";
    PhoneTaken = "phone_taken",
        "This phone already belongs to an account.", "该手机号已被注册。";
    PhoneUnchanged = "phone_unchanged",
        "The new phone is the one you already have.", "新手机号与当前手机号相同。";
    LinkSpent = "link_spent",
        "This sign-in link was used or has expired.", "登录链接已使用或已过期。";
    SecondFactorNeeded = "second_factor_needed",
        "Give six digits of your authenticator app too, or a recovery code.", "还需提供身份验证器的六位数字，或恢复码。";
    SecondFactorWrong = "second_factor_wrong",
        "That is not right now a code of your second factor, or it was used already.", "双重验证码不正确、已过期或已使用。";
    SecondFactorRequired = "second_factor_required",
        "Set up a second factor first: staff need one here.", "请先设置双重验证：本站要求所有工作人员启用。";
    SecondFactorOn = "second_factor_on",
        "You have a second factor. Take it away before you set up another.", "您已启用双重验证，请先停用再重新设置。";
    SecondFactorOff = "second_factor_off",
        "There is no second factor to confirm or to take away.", "没有可确认或可停用的双重验证。";
    DeletionByCompany = "deletion_by_company",
        "You came here through another app: this account is deleted there.", "您通过其他应用登录，请在该应用中注销此账号。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (CodeTooSoon { retry_after_s: 60 }, "A code was sent a moment ago. Ask again in 60 s."),
        (CodeDailyCap, "Too many codes today. Try again tomorrow."),
        (CodeSiteCap, "No more codes are sent today. Sign in with your password."),
        (PhoneCountry, "No codes are sent to numbers of this country."),
        (CodeWrong { at: CodeField("code"), tries_left: 4 }, "That code is wrong; 4 tries left."),
        (CodeSpent { at: CodeField("code") }, "There is no live code for this phone. Ask for a new one."),
        (CredentialsWrong, "Phone or password is wrong."),
        (PasswordWrong, "That is not your password."),
        (
            PasswordWeak { min: PASSWORD_MIN },
            "Choose a password of at least 8 characters that is not your phone number and not one repeated character.",
        ),
        (PhoneTaken, "This phone already belongs to an account."),
        (PhoneUnchanged, "The new phone is the one you already have."),
        (LinkSpent, "This sign-in link was used or has expired."),
        (SecondFactorNeeded, "Give six digits of your authenticator app too, or a recovery code."),
        (SecondFactorWrong, "That is not right now a code of your second factor, or it was used already."),
        (SecondFactorRequired, "Set up a second factor first: staff need one here."),
        (SecondFactorOn, "You have a second factor. Take it away before you set up another."),
        (SecondFactorOff, "There is no second factor to confirm or to take away."),
        (DeletionByCompany, "You came here through another app: this account is deleted there."),
    ]
}
