//! What the flows take from the configuration, already validated.

use domain::account::{SendCaps, SessionPolicy};
use domain::limit::Quota;
use domain::points::Expiry;

#[derive(Clone, Debug)]
pub struct Settings {
    /// Codes may be shown on the page and demo sign-ins exist.
    pub demo: bool,
    pub site_zone: jiff::tz::TimeZone,
    /// How browsers reach this server; links begin with it.
    pub public_url: String,
    pub session: SessionPolicy,
    pub codes: SendCaps,
    pub quotas: Quotas,
    pub points_expire: Expiry,
    pub alone: AloneCaps,
}

/// What one person may do without a second one; days are those of the site's zone.
#[derive(Clone, Copy, Debug)]
pub struct AloneCaps {
    pub points_daily_max: i64,
    pub chances_daily_max: i64,
    /// Of each currency, in its smallest unit.
    pub refunds_daily_max_minor: i64,
    /// API keys that work or wait for approval.
    pub keys_live_max: u32,
}

/// Requests per minute, by whom they are counted.
#[derive(Clone, Copy, Debug)]
pub struct Quotas {
    pub ip: Quota,
    pub user: Quota,
    pub key: Quota,
    pub sign_in_ip: Quota,
    pub sign_in_phone: Quota,
    /// At the gate of sales, and attempts to buy, each apart.
    pub sale_user: Quota,
    pub sale_ip: Quota,
    /// What payment providers tell, by address.
    pub callback_ip: Quota,
}
