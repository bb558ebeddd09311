//! People: what a phone, a name, a password, a code, a session, a ban, a fact and an address may be.

mod address;
mod ban;
mod code;
mod fact;
pub(crate) mod name;
mod password;
mod phone;
mod second_factor;
mod session;
mod site_path;
mod tries;

pub use address::{ADDRESSES_MAX, Address};
pub use ban::Ban;
pub use code::{
    CODE_DIGITS, CODE_LIFE_MS, CODE_RESEND_MS, CODE_TRIES_ALL_MAX, CODE_TRIES_MAX, CodeHolder, CodePurpose,
    CodeVerdict, LiveCode, PhoneCode, SendCaps, SendHistory, code_from_bytes, decide_send, verify,
};
pub use fact::{FACTS_MAX, FactKey, FactKind, FactValue, OWN_FACTS, RISK_LABELS, check_setting, is_label};
pub use name::{Avatar, ExternalId, Name, Reason, default_name, fold_name, mask_name};
pub use password::{PASSWORD_MAX, PASSWORD_MIN, check_password};
pub use phone::{Phone, PhoneCountry};
pub use second_factor::{
    RECOVERY_BYTES, RECOVERY_CODES, SecondCode, TOTP_SECRET_BYTES, base32, check_totp, recovery_code,
    totp_uri,
};
pub use session::{SessionPolicy, SessionTimes};
pub use site_path::{SITE_PATH_MAX, SitePath};
pub use tries::{DEVICE_LIFE_MS, FailedTries, TRY_MEMORY_MS, TRY_WAIT_FIRST_MS, TRY_WAIT_MAX_MS, begin_try};
