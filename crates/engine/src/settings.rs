//! What the flows take from the configuration, already validated.

use std::sync::Arc;
use std::time::Duration;

use domain::account::{PhoneCountry, SendCaps, SessionPolicy};
use domain::community::{CheckInTerms, DailyCaps};
use domain::fingerprint::Fingerprint;
use domain::hex::hex;
use domain::limit::Quota;
use domain::points::Expiry;
use domain::sale::Currency;

#[derive(Clone, Debug)]
pub struct Settings {
    /// Codes may be shown on the page and demo sign-ins exist.
    pub demo: bool,
    pub site_zone: jiff::tz::TimeZone,
    /// What costs of prizes and budgets are counted in. Nothing is reckoned by it: it says how amounts are shown.
    pub currency: Currency,
    /// How browsers reach this server; links begin with it.
    pub public_url: String,
    pub session: SessionPolicy,
    pub codes: SendCaps,
    /// Of numbers that are written without one.
    pub phone_country: PhoneCountry,
    /// Where codes are sent to, as beginnings of numbers; empty is everywhere.
    pub code_countries: Vec<String>,
    /// Wrong tries of one guesser at one account before waits begin.
    pub sign_in_tries_free: u32,
    /// How long the limits of a deleted account are kept for whoever returns.
    pub limits_kept_ms: i64,
    /// How long a read waits for the rows of what was done before it.
    pub rows_wait: Duration,
    /// How long the caller of an audit waits for its end; a longer one goes on without them.
    pub reconcile_wait: Duration,
    /// Staff have no powers without a second factor.
    pub staff_second_factor: bool,
    pub quotas: Quotas,
    pub points_expire: Expiry,
    pub alone: AloneCaps,
    pub site: SiteTexts,
    pub community: CommunitySettings,
    pub statistics: StatisticsSettings,
    pub check_in: Arc<CheckInTerms>,
    /// The points ever earned at which the levels from 2 on begin.
    pub level_points: Vec<i64>,
}

/// What the site says about itself. Each text has two: the first for everybody, the one in English for readers of English
/// where it is not empty.
#[derive(Clone, Debug, Default)]
pub struct SiteTexts {
    pub organiser: Bilingual,
    pub contact: String,
    /// What players agree to when they sign in; nobody is asked where both are empty.
    pub terms: Bilingual,
    pub privacy: Bilingual,
    /// A note for those who are not of age.
    pub minors: Bilingual,
    /// How reminders reach people, such as "text message".
    pub reminders: Bilingual,
}

/// A text, and the same in English; one of them may be empty.
#[derive(Clone, Debug, Default)]
pub struct Bilingual {
    pub text: String,
    pub en: String,
}

impl Bilingual {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.en.is_empty()
    }
}

/// Bytes of the name of terms: enough that other terms have another name.
const TERMS_NAME_BYTES: usize = 8;

impl SiteTexts {
    /// The name of what players agree to: it changes with every letter. Nothing where there is nothing to agree to.
    pub fn terms_name(&self) -> Option<String> {
        if self.terms.is_empty() && self.privacy.is_empty() {
            return None;
        }
        let parts = [&self.terms, &self.privacy].map(|one| [one.text.as_bytes(), one.en.as_bytes()]);
        let parts = parts.concat();
        Some(hex(&Fingerprint::of(&parts).0[..TERMS_NAME_BYTES]))
    }
}

/// The community's limits; days are those of the site's zone.
#[derive(Clone, Copy, Debug)]
pub struct CommunitySettings {
    /// Whoever is signed out may read.
    pub public: bool,
    pub daily: DailyCaps,
    /// People that one person may follow.
    pub following_max: u32,
    /// From so many followers on, an author's posts are merged into timelines at read.
    pub merged_from_followers: u32,
}

/// Whether visitors and people are counted, and how many of them one address may add.
#[derive(Clone, Copy, Debug)]
pub struct StatisticsSettings {
    /// Visitors get a cookie, and requests are counted.
    pub enabled: bool,
    pub visitors_of_address_daily_max: u32,
}

/// What one person may do without a second one; days are those of the site's zone.
#[derive(Clone, Copy, Debug)]
pub struct AloneCaps {
    pub points_daily_max: i64,
    pub chances_daily_max: i64,
    /// Of offers and prizes.
    pub pieces_daily_max: i64,
    /// Of each currency, in its smallest unit.
    pub refunds_daily_max_minor: i64,
    /// API keys that work or wait for approval.
    pub keys_live_max: u32,
    /// Things that keys may stop.
    pub key_stops_daily_max: i64,
    pub key_bars_daily_max: i64,
}

/// Requests per minute, by whom they are counted.
#[derive(Clone, Copy, Debug)]
pub struct Quotas {
    pub ip: Quota,
    pub user: Quota,
    pub key: Quota,
    pub sign_in_ip: Quota,
    /// At the gate of sales, and attempts to buy, each apart.
    pub sale_user: Quota,
    pub sale_ip: Quota,
    /// Searches, by user and by address of those who are signed out.
    pub search: Quota,
    /// What payment providers tell, by address.
    pub callback_ip: Quota,
}
