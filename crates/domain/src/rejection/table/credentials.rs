//! Codes, passwords and links.

use super::Row;
use crate::Rejection;
use crate::account::PASSWORD_MIN;
use crate::rejection::CodeField;

rows! { credentials:
    CodeTooSoon { retry_after_s: i64 } = "code_too_soon",
        "A code was just sent. Request another one in {retry_after_s} s.", "验证码刚刚发送，请 {retry_after_s} 秒后再获取。";
    CodeDailyCap = "code_daily_cap",
        "Too many codes today. Try again tomorrow.", "今日验证码次数已达上限，请明天再试。";
    CodeSiteCap = "code_site_cap",
        "No more codes are sent today. Sign in with your password.", "今日验证码发送量已达上限，请使用密码登录。";
    PhoneCountry = "phone_country",
        "Codes are not sent to numbers of this country.", "暂不支持向该国家或地区的号码发送验证码。";
    CodeWrong { at: CodeField, tries_left: u32 } = "code_wrong",
        "The code is wrong; {tries_left} tries left.", "验证码错误，还可尝试 {tries_left} 次。";
    CodeSpent { at: CodeField } = "code_spent",
        "There is no valid code for this phone. Request a new one.", "验证码不存在或已失效，请重新获取。";
    CredentialsWrong = "credentials_wrong",
        "The phone number or the password is wrong.", "手机号或密码错误。";
    PasswordWrong = "password_wrong",
        "This is not your password.", "当前密码不正确。";
    PasswordWeak { min: usize } = "password_weak",
        "Choose a password of at least {min} characters that is neither your phone number nor one repeated character.",
        "密码至少 {min} 位，不能是手机号，也不能是同一字符的重复。";
    PhoneTaken = "phone_taken",
        "This phone number already belongs to an account.", "该手机号已被注册。";
    PhoneUnchanged = "phone_unchanged",
        "The new phone number is the one you already have.", "新手机号与当前手机号相同。";
    LinkSpent = "link_spent",
        "This sign-in link was used or has expired.", "登录链接已使用或已过期。";
    SecondFactorNeeded = "second_factor_needed",
        "Also enter the six digits from your authenticator app, or a recovery code.", "还需提供身份验证器的六位数字，或恢复码。";
    SecondFactorWrong = "second_factor_wrong",
        "This code of your second factor is wrong, has expired, or was already used.", "双重验证码不正确、已过期或已使用。";
    SecondFactorRequired = "second_factor_required",
        "Set up a second factor first: it is required for staff.", "请先设置双重验证：本站要求所有工作人员启用。";
    SecondFactorOn = "second_factor_on",
        "You already have a second factor. Remove it before you set up another.", "您已启用双重验证，请先停用再重新设置。";
    SecondFactorOff = "second_factor_off",
        "There is no second factor to confirm or remove.", "没有可确认或可停用的双重验证。";
    ConsentNeeded = "consent_needed",
        "Agree to the terms and the privacy policy to sign in.", "请先同意服务条款和隐私政策，再登录。";
    DeletionByCompany = "deletion_by_company",
        "This account was created through another app. Delete it there.", "您通过其他应用登录，请在该应用中注销此账号。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (CodeTooSoon { retry_after_s: 60 }, "A code was just sent. Request another one in 60 s."),
        (CodeDailyCap, "Too many codes today. Try again tomorrow."),
        (CodeSiteCap, "No more codes are sent today. Sign in with your password."),
        (PhoneCountry, "Codes are not sent to numbers of this country."),
        (CodeWrong { at: CodeField("code"), tries_left: 4 }, "The code is wrong; 4 tries left."),
        (CodeSpent { at: CodeField("code") }, "There is no valid code for this phone. Request a new one."),
        (CredentialsWrong, "The phone number or the password is wrong."),
        (PasswordWrong, "This is not your password."),
        (
            PasswordWeak { min: PASSWORD_MIN },
            "Choose a password of at least 8 characters that is neither your phone number nor one repeated character.",
        ),
        (PhoneTaken, "This phone number already belongs to an account."),
        (PhoneUnchanged, "The new phone number is the one you already have."),
        (LinkSpent, "This sign-in link was used or has expired."),
        (SecondFactorNeeded, "Also enter the six digits from your authenticator app, or a recovery code."),
        (SecondFactorWrong, "This code of your second factor is wrong, has expired, or was already used."),
        (SecondFactorRequired, "Set up a second factor first: it is required for staff."),
        (SecondFactorOn, "You already have a second factor. Remove it before you set up another."),
        (SecondFactorOff, "There is no second factor to confirm or remove."),
        (ConsentNeeded, "Agree to the terms and the privacy policy to sign in."),
        (DeletionByCompany, "This account was created through another app. Delete it there."),
    ]
}
