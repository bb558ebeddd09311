//! What each key accepts: one row per key, no key without a row.
//!
//! Ranges are written here for the program and in `windfall.default.toml` for people; a test holds the
//! two key lists together. Rules between keys stand in [`conflicts`].

use std::net::SocketAddr;
use std::ops::RangeInclusive;

use domain::community::Milestone;
use domain::community::check_in::MILESTONES_MAX;
use domain::points::Expiry;
use domain::sale::Currency;
use server::Network;
use toml::Value;

use super::Config;

/// What a value must be.
#[derive(Clone, Debug)]
pub enum Rule {
    Switch,
    Integer(RangeInclusive<i64>),
    /// A list of them.
    Integers(RangeInclusive<i64>),
    OneOf(&'static [&'static str]),
    /// A text for which the function finds nothing wrong. The description completes "expected …".
    Text(&'static str, fn(&str) -> bool),
    /// The same for each text of a list.
    List(&'static str, fn(&str) -> bool),
    /// Any text, and its value is never repeated in a message.
    Secret,
    /// The same, of at least [`SECRET_MIN`] characters when it is set.
    LongSecret,
}

/// Every key and its rule, in the order of `windfall.default.toml`.
pub const RULES: &[(&str, Rule)] = &[
    ("profile", Rule::OneOf(&["embedded", "cluster"])),
    ("demo", Rule::Switch),
    ("demo_public", Rule::Switch),
    ("currency", Rule::Text("the ISO 4217 code of a currency such as \"CNY\"", is_currency)),
    ("time_zone", Rule::Text("the name of a time zone such as \"Asia/Shanghai\"", is_time_zone)),
    ("site.organiser", Rule::Text(SITE_LINE, is_site_line)),
    ("site.organiser_en", Rule::Text(SITE_LINE, is_site_line)),
    ("site.contact", Rule::Text(SITE_LINE, is_site_line)),
    ("site.terms", Rule::Text(SITE_TEXT, is_site_text)),
    ("site.terms_en", Rule::Text(SITE_TEXT, is_site_text)),
    ("site.privacy", Rule::Text(SITE_TEXT, is_site_text)),
    ("site.privacy_en", Rule::Text(SITE_TEXT, is_site_text)),
    ("site.minors", Rule::Text(SITE_LINE, is_site_line)),
    ("site.minors_en", Rule::Text(SITE_LINE, is_site_line)),
    ("site.reminders", Rule::Text(SITE_LINE, is_site_line)),
    ("site.reminders_en", Rule::Text(SITE_LINE, is_site_line)),
    ("data.dir", Rule::Text("the path of a folder", is_not_empty)),
    ("data.key_file", Rule::Text("the path of a file, or \"\"", is_anything)),
    ("http.listen", Rule::Text("an IP address and port such as \"127.0.0.1:8088\"", is_socket_address)),
    ("http.public_url", Rule::Text(WEB_ADDRESS, is_web_address_or_empty)),
    ("http.trusted_proxies", Rule::List("a list of networks such as [\"10.0.0.0/8\", \"::1\"]", is_network)),
    ("http.max_connections", Rule::Integer(1..=1_000_000)),
    ("http.connections_of_address_max", Rule::Integer(1..=1_000_000)),
    ("http.streams_max", Rule::Integer(1..=100_000)),
    ("http.streams_of_address_max", Rule::Integer(1..=100_000)),
    ("http.streams_of_caller_max", Rule::Integer(1..=100_000)),
    ("http.body_limit_bytes", Rule::Integer(1_024..=104_857_600)),
    ("http.bodies_max_bytes", Rule::Integer(1_048_576..=68_719_476_736)),
    ("http.header_limit_bytes", Rule::Integer(8_192..=1_048_576)),
    ("http.header_timeout_ms", Rule::Integer(100..=600_000)),
    ("http.request_timeout_ms", Rule::Integer(100..=3_600_000)),
    ("http.write_timeout_ms", Rule::Integer(100..=3_600_000)),
    ("http.drain_timeout_ms", Rule::Integer(0..=600_000)),
    ("http.compression", Rule::Switch),
    ("tls.cert_file", Rule::Text("the path of a PEM file, or \"\"", is_anything)),
    ("tls.key_file", Rule::Text("the path of a PEM file, or \"\"", is_anything)),
    ("log.level", Rule::Text("a level such as \"info\", or \"info,part=debug\"", is_log_filter)),
    ("log.format", Rule::OneOf(&["text", "json"])),
    ("log.access", Rule::Switch),
    ("sqlite.readers", Rule::Integer(1..=64)),
    ("sqlite.batch_max", Rule::Integer(1..=65_536)),
    ("sqlite.queue_max", Rule::Integer(1..=1_048_576)),
    ("sqlite.busy_timeout_ms", Rule::Integer(0..=600_000)),
    ("sqlite.read_wait_ms", Rule::Integer(1..=600_000)),
    ("ledger.queue_max", Rule::Integer(2_048..=1_048_576)),
    ("ledger.lag_max", Rule::Integer(1_000..=1_000_000_000)),
    ("ledger.journal_max_mib", Rule::Integer(64..=4_194_304)),
    ("ledger.hold_max_s", Rule::Integer(1..=2_592_000)),
    ("ledger.hold_life_max_s", Rule::Integer(1..=31_536_000)),
    ("ledger.clock_back_max_s", Rule::Integer(0..=315_360_000)),
    ("ledger.rows_wait_ms", Rule::Integer(1..=600_000)),
    ("ledger.reconcile_wait_ms", Rule::Integer(1..=600_000)),
    ("ledger.audit_slice_ms", Rule::Integer(0..=60_000)),
    ("postgres.url", Rule::Secret),
    ("postgres.pool_max", Rule::Integer(1..=1_000)),
    ("postgres.statement_timeout_ms", Rule::Integer(100..=3_600_000)),
    ("cluster.address", Rule::Text(WEB_ADDRESS, is_web_address_or_empty)),
    ("cluster.ca_file", Rule::Text("the path of a PEM file, or \"\"", is_anything)),
    ("cluster.log_url", Rule::Secret),
    ("cluster.log_ca_file", Rule::Text("the path of a PEM file, or \"\"", is_anything)),
    ("cluster.standby", Rule::OneOf(&["required", "none"])),
    ("cluster.lease_ms", Rule::Integer(200..=600_000)),
    ("cluster.margin_ms", Rule::Integer(50..=600_000)),
    ("cluster.renew_ms", Rule::Integer(20..=60_000)),
    ("cluster.leader_wait_ms", Rule::Integer(0..=600_000)),
    ("session.idle_days", Rule::Integer(1..=365)),
    ("session.absolute_days", Rule::Integer(1..=3_650)),
    ("account.limits_kept_days", Rule::Integer(0..=3_650)),
    ("account.phone_country", Rule::Text("a country's calling code such as \"+86\"", is_phone_country)),
    ("staff.second_factor", Rule::OneOf(&["optional", "required"])),
    ("code.sender", Rule::OneOf(&["log", "webhook"])),
    ("code.webhook_url", Rule::Text(WEB_ADDRESS, is_web_address_or_empty)),
    ("code.webhook_secret", Rule::Secret),
    ("code.countries", Rule::List("a list of country codes such as [\"+86\", \"+852\"]", is_country_code)),
    ("code.phone_daily_max", Rule::Integer(1..=1_000)),
    ("code.ip_daily_max", Rule::Integer(1..=1_000_000)),
    ("code.site_daily_max", Rule::Integer(1..=100_000_000)),
    ("limits.ip_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.user_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.key_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.sign_in_ip_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.sign_in_tries_free", Rule::Integer(1..=100_000_000)),
    ("limits.sale_user_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.sale_ip_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.search_per_minute", Rule::Integer(1..=100_000_000)),
    ("limits.callback_ip_per_minute", Rule::Integer(1..=100_000_000)),
    ("passwords.memory_kib", Rule::Integer(1_024..=4_194_304)),
    ("passwords.passes", Rule::Integer(1..=64)),
    ("passwords.lanes", Rule::Integer(1..=16)),
    ("passwords.parallel_max", Rule::Integer(1..=64)),
    ("points.expire", Rule::Text("\"never\", or such as \"days = 365\" or \"years = 1\"", is_expiry)),
    ("points.alone_daily_max", Rule::Integer(0..=1_000_000_000)),
    ("alone.keys_live_max", Rule::Integer(1..=1_000)),
    ("alone.key_stops_daily_max", Rule::Integer(0..=1_000_000)),
    ("alone.key_bars_daily_max", Rule::Integer(0..=1_000_000_000)),
    ("alone.chances_daily_max", Rule::Integer(0..=1_000_000_000)),
    ("alone.pieces_daily_max", Rule::Integer(0..=1_000_000_000)),
    ("alone.refunds_daily_max_minor", Rule::Integer(0..=1_000_000_000_000)),
    ("community.public", Rule::Switch),
    ("community.posts_daily_max", Rule::Integer(1..=1_000_000)),
    ("community.comments_daily_max", Rule::Integer(1..=1_000_000)),
    ("community.likes_daily_max", Rule::Integer(1..=1_000_000)),
    ("community.follows_daily_max", Rule::Integer(1..=1_000_000)),
    ("community.following_max", Rule::Integer(1..=100_000)),
    ("community.merged_from_followers", Rule::Integer(1..=1_000_000_000)),
    ("community.timelines_max", Rule::Integer(1_000..=10_000_000)),
    ("community.level_points", Rule::Integers(1..=1_000_000_000_000)),
    ("check_in.make_up_points", Rule::Integer(0..=1_000_000)),
    ("check_in.make_up_days", Rule::Integer(0..=31)),
    ("check_in.make_ups_monthly_max", Rule::Integer(0..=31)),
    (
        "check_in.milestones",
        Rule::List("a list of days and points such as [\"7 = 50\", \"30 = 300\"]", is_milestone),
    ),
    ("statistics.enabled", Rule::Switch),
    ("statistics.visitors_of_address_daily_max", Rule::Integer(1..=100_000_000)),
    ("jobs.enabled", Rule::Switch),
    ("webhooks.allow_private", Rule::Switch),
    ("webhooks.connect_timeout_ms", Rule::Integer(50..=10_000)),
    ("webhooks.timeout_ms", Rule::Integer(100..=15_000)),
    ("payments.provider", Rule::OneOf(&["auto", "none", "sandbox", "webhook"])),
    ("payments.pay_url", Rule::Text(WEB_ADDRESS, is_web_address_or_empty)),
    ("payments.refund_url", Rule::Text(WEB_ADDRESS, is_web_address_or_empty)),
    ("payments.secret", Rule::LongSecret),
    ("backup.folder", Rule::Text("the path of a folder, or \"\"", is_anything)),
    ("standby.folder", Rule::Text("the path of a folder, or \"\"", is_anything)),
];

/// Characters of a secret that money depends on.
pub const SECRET_MIN: usize = 24;

const WEB_ADDRESS: &str = "an address that starts with http:// or https://, or \"\"";
const LOG_LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

impl Rule {
    pub fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Switch, Value::Boolean(_)) | (Self::Secret, Value::String(_)) => true,
            (Self::LongSecret, Value::String(text)) => text.is_empty() || text.chars().count() >= SECRET_MIN,
            (Self::Integer(range), Value::Integer(n)) => range.contains(n),
            (Self::Integers(range), Value::Array(items)) => {
                items.iter().all(|item| item.as_integer().is_some_and(|n| range.contains(&n)))
            }
            (Self::OneOf(names), Value::String(text)) => names.contains(&text.as_str()),
            (Self::Text(_, accepts), Value::String(text)) => accepts(text),
            (Self::List(_, accepts), Value::Array(items)) => {
                items.iter().all(|item| item.as_str().is_some_and(accepts))
            }
            _ => false,
        }
    }

    /// Completes "expected …".
    pub fn expected(&self) -> String {
        match self {
            Self::Switch => "true or false".to_owned(),
            Self::Integer(range) => format!("an integer from {} to {}", range.start(), range.end()),
            Self::Integers(range) => {
                format!("a list of integers from {} to {}", range.start(), range.end())
            }
            Self::OneOf(names) => {
                names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" or ")
            }
            Self::Text(description, _) | Self::List(description, _) => (*description).to_owned(),
            Self::Secret => "a text".to_owned(),
            Self::LongSecret => format!("a text of at least {SECRET_MIN} characters, or \"\""),
        }
    }
}

/// What is wrong between keys that are each fine alone, one sentence each.
pub fn conflicts(config: &Config) -> Vec<String> {
    let Config { data, tls, session, code, ledger, payments, backup, standby, cluster, .. } = config;
    let is_node = config.profile == super::NodeProfile::Cluster;
    let takes_money = payments.provider == super::PaymentProvider::Webhook;
    let by_webhook = code.sender == super::CodeSenderKind::Webhook;
    let rows = [
        (
            config.demo && config.is_public() && !config.demo_public,
            "`demo` is true and others can reach this site: codes and passwords would be shown to everybody; serve on \
             127.0.0.1, or set `demo_public` (`windfall demo --public`) if that is what you want",
        ),
        (
            !config.demo && config.is_https() && !by_webhook,
            "`code.sender` is \"log\" and the site is served over https: nobody would receive a code, and whoever reads the \
             log could sign in as anybody; set `code.sender = \"webhook\"`",
        ),
        (
            tls.cert_file.is_some() != tls.key_file.is_some(),
            "`tls.cert_file` and `tls.key_file` go together: set both to serve HTTPS, or none",
        ),
        (
            standby.folder.as_ref() == Some(&data.dir),
            "`standby.folder` must be another folder than `data.dir`, on another disk",
        ),
        (
            backup.folder.as_ref() == Some(&data.dir),
            "`backup.folder` must be another folder than `data.dir`, on another disk",
        ),
        (
            is_node && config.postgres.url.is_none(),
            "`profile` is \"cluster\", so `postgres.url` must name the database that all nodes share",
        ),
        (
            is_node && cluster.address.is_none(),
            "`profile` is \"cluster\", so `cluster.address` must say where other nodes reach this one",
        ),
        (
            is_node && standby.folder.is_some(),
            "`standby.folder` is for the embedded profile; in a cluster PostgreSQL has the standby",
        ),
        (
            is_node && backup.folder.is_some(),
            "`backup.folder` is for the embedded profile; a cluster is backed up with PostgreSQL's own tools",
        ),
        (
            // A renewal that fails is tried again at least once before the lease is over.
            cluster.renew_ms * 3 > cluster.lease_ms,
            "`cluster.renew_ms` must be at most a third of `cluster.lease_ms`",
        ),
        (
            session.idle_days > session.absolute_days,
            "`session.idle_days` must be at most `session.absolute_days`",
        ),
        (
            config.community.level_points.len() > LEVELS_MAX
                || !config.community.level_points.windows(2).all(|pair| pair[0] < pair[1]),
            "`community.level_points` must rise, and have 100 numbers at most",
        ),
        (
            !are_milestones(&config.check_in.milestones),
            "`check_in.milestones` must name rising days, 20 at most",
        ),
        (
            ledger.hold_max_s > ledger.hold_life_max_s,
            "`ledger.hold_max_s` must be at most `ledger.hold_life_max_s`",
        ),
        (
            by_webhook && code.webhook_url.is_none(),
            "`code.sender` is \"webhook\", so `code.webhook_url` must be set",
        ),
        (
            by_webhook && code.webhook_secret.is_none(),
            "`code.sender` is \"webhook\", so `code.webhook_secret` must be set",
        ),
        (
            takes_money
                && (payments.pay_url.is_none() || payments.refund_url.is_none() || payments.secret.is_none()),
            "`payments.provider` is \"webhook\", so `pay_url`, `refund_url` and `secret` must be set",
        ),
    ];
    rows.into_iter().filter(|(wrong, _)| *wrong).map(|(_, sentence)| sentence.to_owned()).collect()
}

/// Characters of a name, a contact or a note of the site.
const SITE_LINE_MAX: usize = 500;
const SITE_LINE: &str = "a text of at most 500 characters, or \"\"";
/// Characters of terms and of a privacy policy.
const SITE_TEXT_MAX: usize = 50_000;
const SITE_TEXT: &str = "a text of at most 50000 characters, or \"\"";

fn is_site_line(text: &str) -> bool {
    text.chars().count() <= SITE_LINE_MAX
}

fn is_site_text(text: &str) -> bool {
    text.chars().count() <= SITE_TEXT_MAX
}

fn is_anything(_: &str) -> bool {
    true
}

fn is_not_empty(text: &str) -> bool {
    !text.is_empty()
}

fn is_time_zone(name: &str) -> bool {
    domain::activity::names_a_zone(name) && jiff::tz::TimeZone::get(name).is_ok()
}

fn is_currency(code: &str) -> bool {
    Currency::parse(code).is_some_and(Currency::is_known)
}

fn is_socket_address(text: &str) -> bool {
    text.parse::<SocketAddr>().is_ok()
}

fn is_phone_country(text: &str) -> bool {
    domain::account::PhoneCountry::parse(text).is_some()
}

fn is_country_code(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or("");
    (1..=7).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_expiry(text: &str) -> bool {
    text.parse::<Expiry>().is_ok()
}

fn is_milestone(text: &str) -> bool {
    text.parse::<Milestone>().is_ok()
}

/// Levels above the first.
const LEVELS_MAX: usize = 100;

/// By rising days, each once, and no more than a page shows.
fn are_milestones(milestones: &[Milestone]) -> bool {
    milestones.len() <= MILESTONES_MAX && milestones.windows(2).all(|pair| pair[0].days < pair[1].days)
}

fn is_network(text: &str) -> bool {
    text.parse::<Network>().is_ok()
}

fn is_web_address_or_empty(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    text.is_empty() || host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace))
}

/// Levels and `part=level`, with commas. A bare word that is no level would pass as the name of a part
/// and log far too much, so a mistyped level is refused here.
fn is_log_filter(text: &str) -> bool {
    text.split(',').all(|directive| {
        let level = directive.split_once('=').map_or(directive, |(_, level)| level);
        LOG_LEVELS.contains(&level.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_rows() {
        let rows = [
            ("profile", "\"cluster\"", true),
            ("profile", "\"both\"", false),
            ("demo", "true", true),
            ("demo", "1", false),
            ("payments.secret", "\"\"", true),
            ("payments.secret", "\"twenty-three characters\"", false),
            ("payments.secret", "\"twenty-four characters!!\"", true),
            ("code.countries", "[\"+86\", \"+1242\"]", true),
            ("account.phone_country", "\"+852\"", true),
            ("account.phone_country", "\"852\"", false),
            ("code.countries", "[\"86\"]", false),
            ("code.countries", "[\"+086\"]", false),
            ("points.expire", "\"never\"", true),
            ("points.expire", "\"days = 365\"", true),
            ("points.expire", "\"years = 1\"", true),
            ("points.expire", "\"days = 0\"", false),
            ("points.expire", "\"365\"", false),
            ("points.expire", "365", false),
            ("currency", "\"JPY\"", true),
            ("currency", "\"jpy\"", false),
            ("currency", "\"XXX\"", false),
            ("time_zone", "\"UTC\"", true),
            ("time_zone", "\"Asia/Shangai\"", false),
            ("data.dir", "\"\"", false),
            ("http.listen", "\"[::1]:80\"", true),
            ("http.listen", "\"localhost:80\"", false),
            ("http.listen", "\"127.0.0.1\"", false),
            ("http.public_url", "\"\"", true),
            ("http.public_url", "\"https://play.example.com\"", true),
            ("http.public_url", "\"play.example.com\"", false),
            ("http.public_url", "\"https://\"", false),
            ("http.trusted_proxies", "[\"10.0.0.0/8\", \"::1\"]", true),
            ("http.trusted_proxies", "[\"10.0.0.0/8\", \"proxy\"]", false),
            ("http.trusted_proxies", "[10]", false),
            ("http.max_connections", "0", false),
            ("http.max_connections", "1", true),
            ("http.max_connections", "1000000", true),
            ("http.max_connections", "1000001", false),
            ("http.max_connections", "1.0", false),
            ("log.level", "\"info,windfall_store=debug\"", true),
            ("log.level", "\"inof\"", false),
            ("log.level", "\"\"", false),
            ("postgres.url", "5", false),
        ];
        for (key, value, accepted) in rows {
            let (_, rule) = RULES.iter().find(|(name, _)| *name == key).unwrap();
            assert_eq!(rule.accepts(&value.parse().unwrap()), accepted, "{key} = {value}");
        }
    }
}
