//! Verification codes (短信验证码): six digits bound to a phone *and* a purpose, two minutes, five tries.
//!
//! Two decisions live here, both pure. [`decide_send`] says whether a new code may go out; [`verify`] says
//! what one try does to the live code. The store carries the verdict out in the same transaction that
//! read the code, so a code is verified and deleted in one step and can never be used twice.

use subtle::ConstantTimeEq;

use crate::Rejection;
use crate::rejection::FieldProblem;
use crate::time::{MINUTE_MS, SECOND_MS, Timestamp};

pub const CODE_DIGITS: usize = 6;
pub const CODE_LIFE_MS: i64 = 2 * MINUTE_MS;
pub const CODE_RESEND_MS: i64 = 60 * SECOND_MS;
pub const CODE_TRIES_MAX: u32 = 5;

/// What a code is for. A code for one purpose is nothing for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    SignIn,
    Register,
    ResetPassword,
    /// Proves the number one has, before changing it or deleting the account.
    ConfirmPhone,
    /// Proves the number one wants.
    NewPhone,
}

impl Purpose {
    pub const ALL: [Purpose; 5] = [
        Purpose::SignIn,
        Purpose::Register,
        Purpose::ResetPassword,
        Purpose::ConfirmPhone,
        Purpose::NewPhone,
    ];

    /// All names, for messages.
    pub const NAMES: &'static str = "sign_in, register, reset_password, confirm_phone, new_phone";

    pub const fn name(self) -> &'static str {
        match self {
            Purpose::SignIn => "sign_in",
            Purpose::Register => "register",
            Purpose::ResetPassword => "reset_password",
            Purpose::ConfirmPhone => "confirm_phone",
            Purpose::NewPhone => "new_phone",
        }
    }

    pub fn parse(text: &str) -> Result<Self, Rejection> {
        Self::ALL
            .into_iter()
            .find(|purpose| purpose.name() == text)
            .ok_or_else(|| Rejection::invalid("purpose", FieldProblem::NotOneOf { allowed: Self::NAMES }))
    }
}

/// Six digits as somebody typed them.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

impl Code {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        Self::parse_as("code", text)
    }

    pub fn parse_as(field: &str, text: &str) -> Result<Self, Rejection> {
        let text = text.trim();
        if text.len() == CODE_DIGITS && text.bytes().all(|b| b.is_ascii_digit()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Rejection::invalid(field, FieldProblem::Malformed))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A code never reaches a log through `{:?}`.
impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code(******)")
    }
}

/// Six digits from eight random bytes. The remainder of 2^64 by a million favours low codes by less than
/// one in ten trillion.
pub fn code_from_bytes(random: [u8; 8]) -> Code {
    Code(format!("{:06}", u64::from_be_bytes(random) % 1_000_000))
}

/// What is known of earlier sends when a new code is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendHistory {
    /// When the last code for this phone and purpose went out.
    pub last_sent: Option<Timestamp>,
    /// Codes sent today to this phone, and on behalf of this network.
    pub phone_today: i64,
    pub ip_today: i64,
    /// Codes sent today by the whole site.
    pub site_today: i64,
}

/// Daily caps, from the configuration.
#[derive(Clone, Copy, Debug)]
pub struct SendCaps {
    pub phone_daily: i64,
    pub ip_daily: i64,
    pub site_daily: i64,
}

pub fn decide_send(history: SendHistory, caps: SendCaps, now: Timestamp) -> Result<(), Rejection> {
    if let Some(last) = history.last_sent
        && now.since_ms(last) < CODE_RESEND_MS
    {
        return Err(Rejection::CodeTooSoon { retry_after_s: now.seconds_until(last + CODE_RESEND_MS) });
    }
    if history.phone_today >= caps.phone_daily || history.ip_today >= caps.ip_daily {
        return Err(Rejection::CodeDailyCap);
    }
    if history.site_today >= caps.site_daily {
        return Err(Rejection::CodeSiteCap);
    }
    Ok(())
}

/// The code that is out there, as the store keeps it: a keyed hash, never the digits.
#[derive(Clone, Copy, Debug)]
pub struct LiveCode<'a> {
    pub hash: &'a [u8],
    pub sent: Timestamp,
    /// Tries before this one.
    pub tries: u32,
}

/// What one try does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Right: burn the code and go on, in this same step.
    Accept,
    /// Wrong: count the try, and burn the code when none is left.
    Wrong { tries_left: u32 },
    /// Too old, or tried too often: burn the code.
    Spent,
}

/// Judges one try. `given` is the keyed hash of what was typed; the comparison takes the same time
/// wherever the two differ.
pub fn verify(live: LiveCode<'_>, given: &[u8], now: Timestamp) -> Verdict {
    if now.since_ms(live.sent) >= CODE_LIFE_MS || live.tries >= CODE_TRIES_MAX {
        return Verdict::Spent;
    }
    if bool::from(live.hash.ct_eq(given)) {
        return Verdict::Accept;
    }
    Verdict::Wrong { tries_left: CODE_TRIES_MAX - live.tries - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp(1_000_000);

    #[test]
    fn when_a_code_may_go_out() {
        let caps = SendCaps { phone_daily: 10, ip_daily: 100, site_daily: 1_000 };
        for (last_ago_ms, phone_today, ip_today, site_today, expected) in [
            (None, 0, 0, 0, Ok(())),
            (Some(59_999), 1, 1, 1, Err("code_too_soon")),
            (Some(60_000), 1, 1, 1, Ok(())),
            (Some(60_000), 9, 99, 999, Ok(())),
            (Some(60_000), 10, 0, 10, Err("code_daily_cap")),
            (None, 0, 100, 100, Err("code_daily_cap")),
            (None, 0, 0, 1_000, Err("code_site_cap")),
        ] {
            let last_sent = last_ago_ms.map(|ago| T0 - ago);
            let history = SendHistory { last_sent, phone_today, ip_today, site_today };
            let got = decide_send(history, caps, T0).map_err(|rejection| rejection.code());
            assert_eq!(got, expected, "{last_ago_ms:?} {phone_today} {ip_today} {site_today}");
        }
    }

    #[test]
    fn what_one_try_does() {
        for (tries, age_ms, right, expected) in [
            (0, 0, true, Verdict::Accept),
            (4, 119_999, true, Verdict::Accept),
            (0, 120_000, true, Verdict::Spent),
            (5, 0, true, Verdict::Spent),
            (0, 0, false, Verdict::Wrong { tries_left: 4 }),
            (3, 0, false, Verdict::Wrong { tries_left: 1 }),
            (4, 0, false, Verdict::Wrong { tries_left: 0 }),
            (5, 0, false, Verdict::Spent),
        ] {
            let live = LiveCode { hash: b"right", sent: T0 - age_ms, tries };
            let given: &[u8] = if right { b"right" } else { b"wrong" };
            assert_eq!(verify(live, given, T0), expected, "{tries} {age_ms} {right}");
        }
    }

    #[test]
    fn digits_are_six() {
        assert_eq!(code_from_bytes([0; 8]).as_str(), "000000");
        assert_eq!(code_from_bytes([255; 8]).as_str().len(), 6);
        for (text, fits) in [
            ("123456", true),
            (" 123456 ", true),
            ("12345", false),
            ("12345a", false),
            ("１２３４５６", false),
        ] {
            assert_eq!(Code::parse(text).is_ok(), fits, "{text}");
        }
    }
}
