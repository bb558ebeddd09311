//! The settings, one documented struct per concern.
//!
//! A [`Config`] that exists is valid: [`load()`] is the only way to one, and it has checked every type,
//! range and pair. What each key means, its unit and its range stand once, in `windfall.default.toml`,
//! which is both the defaults and the manual; the doc comments here only say what the type adds.

mod cluster;
mod load;
mod problem;
mod rules;

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use domain::community::Milestone;
use domain::points::Expiry;
use serde::{Deserialize, Deserializer};
use server::Network;

pub use cluster::{ClusterConfig, LogStandby};
pub use load::load;
pub use problem::{ConfigProblem, Problems};

/// Everything an operator can set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub profile: NodeProfile,
    pub demo: bool,
    pub demo_public: bool,
    /// A name the time zone database knows.
    pub time_zone: String,
    /// The ISO 4217 code of what costs and budgets are counted in.
    pub currency: String,
    pub site: SiteConfig,
    pub data: DataConfig,
    pub http: HttpConfig,
    pub tls: TlsConfig,
    pub log: LogConfig,
    pub sqlite: SqliteConfig,
    pub ledger: LedgerConfig,
    pub postgres: PostgresConfig,
    pub cluster: ClusterConfig,
    pub session: SessionConfig,
    pub account: AccountConfig,
    pub staff: StaffConfig,
    pub code: CodeConfig,
    pub limits: LimitsConfig,
    pub passwords: PasswordsConfig,
    pub points: PointsConfig,
    pub alone: AloneConfig,
    pub community: CommunityConfig,
    pub check_in: CheckInConfig,
    pub statistics: StatisticsConfig,
    pub jobs: JobsConfig,
    pub webhooks: WebhooksConfig,
    pub payments: PaymentsConfig,
    pub backup: BackupConfig,
    pub standby: StandbyConfig,
}

/// Which set of parts this node runs; there is no mixing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeProfile {
    Embedded,
    Cluster,
}

/// What the site says about itself; every text may be empty.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteConfig {
    pub organiser: String,
    pub organiser_en: String,
    pub contact: String,
    pub terms: String,
    pub terms_en: String,
    pub privacy: String,
    pub privacy_en: String,
    pub minors: String,
    pub minors_en: String,
    pub reminders: String,
    pub reminders_en: String,
}

/// What is kept, and under which key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataConfig {
    pub dir: PathBuf,
    #[serde(deserialize_with = "empty_is_none")]
    key_file: Option<PathBuf>,
}

/// How the outside is served, and where it ends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpConfig {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "empty_is_none")]
    pub public_url: Option<String>,
    pub trusted_proxies: Vec<Network>,
    pub max_connections: usize,
    pub connections_of_address_max: u32,
    pub streams_max: u32,
    pub streams_of_address_max: u32,
    pub streams_of_caller_max: u32,
    pub body_limit_bytes: usize,
    pub bodies_max_bytes: usize,
    pub header_limit_bytes: usize,
    pub header_timeout_ms: u64,
    pub request_timeout_ms: u64,
    pub write_timeout_ms: u64,
    pub drain_timeout_ms: u64,
    pub compression: bool,
}

/// The certificate, when HTTPS is served here and not by a proxy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    #[serde(deserialize_with = "empty_is_none")]
    cert_file: Option<PathBuf>,
    #[serde(deserialize_with = "empty_is_none")]
    key_file: Option<PathBuf>,
}

/// What is logged, and in which form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// A filter `tracing_subscriber::EnvFilter` understands.
    pub level: String,
    pub format: LogFormat,
    pub access: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

/// The embedded database's connections and queue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SqliteConfig {
    pub readers: usize,
    pub batch_max: usize,
    pub queue_max: usize,
    pub busy_timeout_ms: u64,
    pub read_wait_ms: u64,
}

/// How much the ledger takes in, and for how long it holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerConfig {
    pub queue_max: usize,
    pub lag_max: u64,
    pub journal_max_mib: u32,
    pub hold_max_s: i64,
    pub hold_life_max_s: i64,
    pub clock_back_max_s: i64,
    pub rows_wait_ms: u64,
    pub reconcile_wait_ms: u64,
    pub audit_slice_ms: u64,
}

/// The cluster's database.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresConfig {
    #[serde(deserialize_with = "empty_is_none")]
    pub url: Option<SecretText>,
    pub pool_max: usize,
    pub statement_timeout_ms: u64,
}

/// How long a sign-in lasts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionConfig {
    pub idle_days: u32,
    pub absolute_days: u32,
}

/// What is kept of people.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountConfig {
    pub limits_kept_days: u32,
    pub phone_country: String,
}

/// What is asked of those who run the site.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaffConfig {
    pub second_factor: SecondFactor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecondFactor {
    Optional,
    Required,
}

/// How sign-in codes are sent, and how many.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeConfig {
    pub sender: CodeSenderKind,
    #[serde(deserialize_with = "empty_is_none")]
    pub webhook_url: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub webhook_secret: Option<SecretText>,
    pub countries: Vec<String>,
    pub phone_daily_max: u32,
    pub ip_daily_max: u32,
    pub site_daily_max: u32,
}

/// With `Webhook`, both the address and the secret are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeSenderKind {
    Log,
    Webhook,
}

/// Requests per minute, by whom they are counted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsConfig {
    pub ip_per_minute: u32,
    pub user_per_minute: u32,
    pub key_per_minute: u32,
    pub sign_in_ip_per_minute: u32,
    pub sign_in_tries_free: u32,
    pub sale_user_per_minute: u32,
    pub sale_ip_per_minute: u32,
    pub search_per_minute: u32,
    pub callback_ip_per_minute: u32,
}

/// What checking a password costs (Argon2id).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswordsConfig {
    pub memory_kib: u32,
    pub passes: u32,
    pub lanes: u32,
    pub parallel_max: usize,
}

/// What becomes of points that nobody uses, and what one person may do with them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointsConfig {
    #[serde(deserialize_with = "expiry")]
    pub expire: Expiry,
    pub alone_daily_max: i64,
}

/// What one person may do without a second one, beside points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AloneConfig {
    pub keys_live_max: u32,
    pub key_stops_daily_max: i64,
    pub key_bars_daily_max: i64,
    pub chances_daily_max: i64,
    pub pieces_daily_max: i64,
    pub refunds_daily_max_minor: i64,
}

/// Who may read, and how much one person may do in a day.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommunityConfig {
    pub public: bool,
    pub posts_daily_max: u32,
    pub comments_daily_max: u32,
    pub likes_daily_max: u32,
    pub follows_daily_max: u32,
    pub following_max: u32,
    pub merged_from_followers: u32,
    pub timelines_max: u32,
    pub level_points: Vec<i64>,
}

/// What missed days cost, and what streaks are worth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckInConfig {
    pub make_up_points: i64,
    pub make_up_days: u32,
    pub make_ups_monthly_max: u32,
    #[serde(deserialize_with = "parse_each")]
    pub milestones: Vec<Milestone>,
}

/// Whether visitors are counted, and how many of them one address may add.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatisticsConfig {
    pub enabled: bool,
    pub visitors_of_address_daily_max: u32,
}

/// Whether this process runs the recurring jobs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobsConfig {
    pub enabled: bool,
}

/// Where deliveries may go, and how long one may take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhooksConfig {
    pub allow_private: bool,
    pub connect_timeout_ms: u64,
    pub timeout_ms: u64,
}

/// Who takes money for orders of sales.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentsConfig {
    pub provider: PaymentProvider,
    #[serde(deserialize_with = "empty_is_none")]
    pub pay_url: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub refund_url: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub secret: Option<SecretText>,
}

/// With `Webhook`, both addresses and the secret are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaymentProvider {
    /// The sandbox with demo data, nobody otherwise.
    Auto,
    None,
    Sandbox,
    Webhook,
}

/// Where the job puts copies of everything.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupConfig {
    #[serde(deserialize_with = "empty_is_none")]
    pub folder: Option<PathBuf>,
}

/// Which folder follows this one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandbyConfig {
    #[serde(deserialize_with = "empty_is_none")]
    pub folder: Option<PathBuf>,
}

/// A text that is never shown: `{:?}` prints a placeholder.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct SecretText(String);

impl Config {
    /// Whether others than this machine may reach the site.
    pub fn is_public(&self) -> bool {
        let loopback_url = |url: &String| {
            let host = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            let host = host.split(['/', '?']).next().unwrap_or(host);
            let host = host.strip_prefix('[').map_or_else(
                || host.rsplit_once(':').map_or(host, |(host, _)| host),
                |v6| v6.split(']').next().unwrap_or(v6),
            );
            host.eq_ignore_ascii_case("localhost")
                || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
        };
        !self.http.listen.ip().is_loopback()
            || self.http.public_url.as_ref().is_some_and(|url| !loopback_url(url))
    }

    /// Whether browsers come over TLS, which is how a site looks that people use.
    pub fn is_https(&self) -> bool {
        self.tls.pair().is_some()
            || self.http.public_url.as_ref().is_some_and(|url| url.starts_with("https:"))
    }
}

impl DataConfig {
    /// Where the key file is: as set, or `windfall.key` in the data folder.
    pub fn key_path(&self) -> PathBuf {
        self.key_file.clone().unwrap_or_else(|| self.dir.join("windfall.key"))
    }
}

impl TlsConfig {
    /// The certificate and its key; none when HTTPS is not served here.
    pub fn pair(&self) -> Option<(&Path, &Path)> {
        self.cert_file.as_deref().zip(self.key_file.as_deref())
    }
}

impl SecretText {
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

fn expiry<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Expiry, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// A list of texts, each of which a rule has accepted.
fn parse_each<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: FromStr<Err: fmt::Display>,
{
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}

/// TOML has no "nothing", so the defaults write it as the empty text.
fn empty_is_none<'de, D: Deserializer<'de>, T: From<String>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok((!text.is_empty()).then(|| T::from(text)))
}
