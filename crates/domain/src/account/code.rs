//! Verification codes (短信验证码): six digits bound to a phone *and* a purpose, two minutes, five tries from one place.
//!
//! Two decisions live here, both pure. [`decide_send`] says whether a new code may go out; [`verify`] says
//! what one try does to the live code. The store carries the verdict out in the same transaction that
//! read the code, so a code is verified and deleted in one step and can never be used twice.
//!
//! Both are made so that nobody keeps an owner out: a device that its owner has used has a code, a pause and a day of its
//! own ([`CodeHolder`]), and among strangers wrong tries count by where they come from.

use subtle::ConstantTimeEq;

use crate::Rejection;
use crate::ids::UserId;
use crate::rejection::FieldProblem;
use crate::time::{MINUTE_MS, SECOND_MS, Timestamp};

pub const CODE_DIGITS: usize = 6;
pub const CODE_LIFE_MS: i64 = 2 * MINUTE_MS;
pub const CODE_RESEND_MS: i64 = 60 * SECOND_MS;
/// Wrong tries at one code from one place.
pub const CODE_TRIES_MAX: u32 = 5;
/// Wrong tries at one code from everywhere: somebody with many addresses guesses right once in forty thousand codes.
pub const CODE_TRIES_ALL_MAX: u32 = 25;

crate::names! {
    /// What a code is for. A code for one purpose is nothing for another.
    pub enum CodePurpose {
        SignIn = "sign_in",
        Register = "register",
        ResetPassword = "reset_password",
        /// Proves the number one has, before changing it or deleting the account.
        ConfirmPhone = "confirm_phone",
        /// Proves the number one wants.
        NewPhone = "new_phone",
    }
}

/// Six digits as somebody typed them.
#[derive(Clone, PartialEq, Eq)]
pub struct PhoneCode(String);

impl PhoneCode {
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
impl std::fmt::Debug for PhoneCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code(******)")
    }
}

/// Six digits from eight random bytes. The remainder of 2^64 by a million favours low codes by less than
/// one in ten trillion.
pub fn code_from_bytes(random: [u8; 8]) -> PhoneCode {
    PhoneCode(format!("{:06}", u64::from_be_bytes(random) % 1_000_000))
}

/// Whose a code is. All who are strange to a phone share one code for it, for nobody can tell its owner from others; a
/// device that its owner has signed in from, and a person who is signed in, each have a code of their own that nobody else
/// can use up, replace or delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeHolder {
    Strangers,
    /// By the hash of its token.
    Device([u8; 32]),
    User(UserId),
}

impl CodeHolder {
    /// Whether a code for this purpose goes to a phone that is known to be the holder's own. A new number is not, yet.
    pub fn owns_phone(self, purpose: CodePurpose) -> bool {
        self != Self::Strangers && purpose != CodePurpose::NewPhone
    }

    /// What tells holders apart where codes are kept.
    pub fn key(self) -> Vec<u8> {
        match self {
            Self::Strangers => Vec::new(),
            Self::Device(hash) => hash.to_vec(),
            Self::User(user) => [&[0; 24][..], &user.0.to_be_bytes()].concat(),
        }
    }
}

/// What is known of earlier sends when a new code is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendHistory {
    /// When this holder's last code for this phone and purpose went out.
    pub last_sent: Option<Timestamp>,
    /// Codes sent today to this phone's owner on devices of theirs.
    pub owner_today: i64,
    /// Codes sent today to this phone for everybody else; how many of them on behalf of this network.
    pub phone_today: i64,
    pub phone_from_network_today: i64,
    /// Codes sent today on behalf of this network, to whomever.
    pub network_today: i64,
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

impl SendCaps {
    /// One network cannot use up a phone's day.
    fn phone_from_network_daily(self) -> i64 {
        self.phone_daily - self.phone_daily / 2
    }

    /// Strangers leave a tenth of the site's day to people on their own devices.
    fn strangers_daily(self) -> i64 {
        self.site_daily - self.site_daily / 10
    }
}

/// Whether a code may go out. `owned`: the phone is known to be the asker's own ([`CodeHolder::owns_phone`]); what strangers
/// ask for does not count against its owner then, nor what others at the same address do.
pub fn decide_send(
    owned: bool,
    history: SendHistory,
    caps: SendCaps,
    now: Timestamp,
) -> Result<(), Rejection> {
    if let Some(last) = history.last_sent
        && now.since_ms(last) < CODE_RESEND_MS
    {
        return Err(Rejection::CodeTooSoon { retry_after_s: now.seconds_until(last + CODE_RESEND_MS) });
    }
    let (day_is_full, site_cap) = if owned {
        (history.owner_today >= caps.phone_daily, caps.site_daily)
    } else {
        let full = history.phone_today >= caps.phone_daily
            || history.phone_from_network_today >= caps.phone_from_network_daily()
            || history.network_today >= caps.ip_daily;
        (full, caps.strangers_daily())
    };
    if day_is_full {
        return Err(Rejection::CodeDailyCap);
    }
    if history.site_today >= site_cap {
        return Err(Rejection::CodeSiteCap);
    }
    Ok(())
}

/// The code that is out there, as the store keeps it: a keyed hash, never the digits.
#[derive(Clone, Copy, Debug)]
pub struct LiveCode<'a> {
    pub hash: &'a [u8],
    pub sent: Timestamp,
    /// Wrong tries before this one: from where this one comes, and from everywhere.
    pub tries_from_here: u32,
    pub tries: u32,
}

/// What one try does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeVerdict {
    /// Right: burn the code and go on, in this same step.
    Accept,
    /// Wrong: count the try.
    Wrong { tries_left: u32 },
    /// Tried too often from here, or from everywhere. The code stays for others.
    NoTriesLeft,
    /// Too old: burn the code.
    Expired,
}

/// Judges one try. `given` is the keyed hash of what was typed; the comparison takes the same time
/// wherever the two differ.
pub fn verify(live: LiveCode<'_>, given: &[u8], now: Timestamp) -> CodeVerdict {
    if now.since_ms(live.sent) >= CODE_LIFE_MS {
        return CodeVerdict::Expired;
    }
    let here = CODE_TRIES_MAX.saturating_sub(live.tries_from_here);
    let left = CODE_TRIES_ALL_MAX.saturating_sub(live.tries).min(here);
    if left == 0 {
        return CodeVerdict::NoTriesLeft;
    }
    if bool::from(live.hash.ct_eq(given)) {
        return CodeVerdict::Accept;
    }
    CodeVerdict::Wrong { tries_left: left - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp(1_000_000);

    const CAPS: SendCaps = SendCaps { phone_daily: 10, ip_daily: 100, site_daily: 1_000 };

    #[test]
    fn when_a_code_may_go_out_to_somebody_strange() {
        for (last_ago_ms, phone_today, phone_from_network_today, network_today, site_today, expected) in [
            (None, 0, 0, 0, 0, Ok(())),
            (Some(59_999), 1, 1, 1, 1, Err("code_too_soon")),
            (Some(60_000), 1, 1, 1, 1, Ok(())),
            (Some(60_000), 9, 4, 99, 899, Ok(())),
            (Some(60_000), 10, 0, 0, 10, Err("code_daily_cap")),
            (None, 5, 5, 5, 5, Err("code_daily_cap")),
            (None, 0, 0, 100, 100, Err("code_daily_cap")),
            (None, 0, 0, 0, 900, Err("code_site_cap")),
        ] {
            let last_sent = last_ago_ms.map(|ago| T0 - ago);
            let history = SendHistory {
                last_sent,
                owner_today: 10,
                phone_today,
                phone_from_network_today,
                network_today,
                site_today,
            };
            let got = decide_send(false, history, CAPS, T0).map_err(|rejection| rejection.code());
            assert_eq!(got, expected, "{history:?}");
        }
    }

    #[test]
    fn what_others_ask_for_does_not_count_against_the_owner() {
        for (last_ago_ms, owner_today, site_today, expected) in [
            (None, 0, 999, Ok(())),
            (Some(59_999), 1, 1, Err("code_too_soon")),
            (Some(60_000), 9, 1, Ok(())),
            (None, 10, 1, Err("code_daily_cap")),
            (None, 0, 1_000, Err("code_site_cap")),
        ] {
            let history = SendHistory {
                last_sent: last_ago_ms.map(|ago| T0 - ago),
                owner_today,
                phone_today: 10,
                phone_from_network_today: 10,
                network_today: 100,
                site_today,
            };
            let got = decide_send(true, history, CAPS, T0).map_err(|rejection| rejection.code());
            assert_eq!(got, expected, "{history:?}");
        }
    }

    #[test]
    fn whose_phone_it_is() {
        for (holder, purpose, owned) in [
            (CodeHolder::Strangers, CodePurpose::SignIn, false),
            (CodeHolder::Device([1; 32]), CodePurpose::SignIn, true),
            (CodeHolder::User(UserId(1)), CodePurpose::ConfirmPhone, true),
            (CodeHolder::User(UserId(1)), CodePurpose::NewPhone, false),
        ] {
            assert_eq!(holder.owns_phone(purpose), owned, "{holder:?} {purpose:?}");
        }
    }

    #[test]
    fn what_one_try_does() {
        for (tries_from_here, tries, age_ms, right, expected) in [
            (0, 0, 0, true, CodeVerdict::Accept),
            (4, 4, 119_999, true, CodeVerdict::Accept),
            (0, 0, 120_000, true, CodeVerdict::Expired),
            (5, 5, 0, true, CodeVerdict::NoTriesLeft),
            (0, 0, 0, false, CodeVerdict::Wrong { tries_left: 4 }),
            (4, 4, 0, false, CodeVerdict::Wrong { tries_left: 0 }),
            (5, 5, 0, false, CodeVerdict::NoTriesLeft),
            // Others have guessed; whoever is here has not.
            (0, 24, 0, true, CodeVerdict::Accept),
            (0, 24, 0, false, CodeVerdict::Wrong { tries_left: 0 }),
            (0, 25, 0, true, CodeVerdict::NoTriesLeft),
        ] {
            let live = LiveCode { hash: b"right", sent: T0 - age_ms, tries_from_here, tries };
            let given: &[u8] = if right { b"right" } else { b"wrong" };
            assert_eq!(verify(live, given, T0), expected, "{tries_from_here} {tries} {age_ms} {right}");
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
            assert_eq!(PhoneCode::parse(text).is_ok(), fits, "{text}");
        }
    }
}
