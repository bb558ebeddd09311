//! What the settings say to each part of a node.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use domain::account::{PhoneCountry, SendCaps, SessionPolicy};
use domain::community::{CheckInTerms, DailyCaps};
use domain::ledger::Limits;
use domain::limit::Quota;
use domain::sale::Currency;
use domain::time::{DAY_MS, SECOND_MS};
use embedded::DataFolder;
use engine::people::passwords::PasswordCost;
use engine::ports::{Clock, CodeSender as SendCodes, Outbound, PaymentGateway};
use engine::settings::{
    AloneCaps, Bilingual, CommunitySettings, Quotas, Settings, SiteTexts, StatisticsSettings,
};
use ledger::WriterSettings;
use server::{
    Deliverer, DelivererSettings, NoPayments, SandboxPayments, WebhookCodeSender, WebhookPayments,
    WebhookPaymentsSettings,
};
use store::{PostgresSettings, SqliteSettings};

use crate::config::{CodeSenderKind, Config, PaymentProvider, SecondFactor, SiteConfig};
use crate::logging::LogCodeSender;
use crate::standby::Standby;

pub fn sqlite(config: &Config, folder: &DataFolder) -> SqliteSettings {
    SqliteSettings {
        readers: config.sqlite.readers,
        batch_max: config.sqlite.batch_max,
        queue_max: config.sqlite.queue_max,
        busy_timeout_ms: u32::try_from(config.sqlite.busy_timeout_ms).unwrap_or(u32::MAX),
        read_wait_ms: u32::try_from(config.sqlite.read_wait_ms).unwrap_or(u32::MAX),
        standby: config
            .standby
            .folder
            .as_deref()
            .filter(|standby| *standby != config.data.dir)
            .map(Standby::database),
        ..SqliteSettings::at(folder.database())
    }
}

/// The cluster's database; nothing where none is named.
pub fn postgres(config: &Config) -> Option<PostgresSettings> {
    let url = config.postgres.url.as_ref()?;
    Some(PostgresSettings {
        pool_max: config.postgres.pool_max,
        statement_timeout_ms: u32::try_from(config.postgres.statement_timeout_ms).unwrap_or(u32::MAX),
        ..PostgresSettings::at(url.expose())
    })
}

pub fn writer(config: &Config) -> WriterSettings {
    const PAGES_PER_MIB: u32 = 256;
    WriterSettings {
        queue_max: config.ledger.queue_max,
        journal_pages_max: config.ledger.journal_max_mib.saturating_mul(PAGES_PER_MIB),
        lag_max: config.ledger.lag_max,
        clock_back_max_ms: config.ledger.clock_back_max_s * SECOND_MS,
    }
}

pub fn ledger_limits(config: &Config) -> Limits {
    Limits {
        ttl_max_ms: config.ledger.hold_max_s * SECOND_MS,
        life_max_ms: config.ledger.hold_life_max_s * SECOND_MS,
        ..Limits::default()
    }
}

fn site_texts(site: &SiteConfig) -> SiteTexts {
    let both = |text: &str, en: &str| Bilingual { text: text.trim().to_owned(), en: en.trim().to_owned() };
    SiteTexts {
        organiser: both(&site.organiser, &site.organiser_en),
        contact: site.contact.trim().to_owned(),
        terms: both(&site.terms, &site.terms_en),
        privacy: both(&site.privacy, &site.privacy_en),
        minors: both(&site.minors, &site.minors_en),
        reminders: both(&site.reminders, &site.reminders_en),
    }
}

pub fn settings(config: &Config, here: &str) -> anyhow::Result<Settings> {
    let per_minute = Quota::per_minute;
    let limits = &config.limits;
    Ok(Settings {
        demo: config.demo,
        site_zone: jiff::tz::TimeZone::get(&config.time_zone).context("time_zone")?,
        currency: Currency::parse(&config.currency).context("currency")?,
        public_url: public_url(config).unwrap_or_else(|| here.to_owned()),
        session: SessionPolicy {
            idle_ms: i64::from(config.session.idle_days) * DAY_MS,
            absolute_ms: i64::from(config.session.absolute_days) * DAY_MS,
        },
        codes: SendCaps {
            phone_daily: i64::from(config.code.phone_daily_max),
            ip_daily: i64::from(config.code.ip_daily_max),
            site_daily: i64::from(config.code.site_daily_max),
        },
        phone_country: PhoneCountry::parse(&config.account.phone_country).context("account.phone_country")?,
        code_countries: config.code.countries.clone(),
        sign_in_tries_free: limits.sign_in_tries_free,
        limits_kept_ms: i64::from(config.account.limits_kept_days) * DAY_MS,
        rows_wait: std::time::Duration::from_millis(config.ledger.rows_wait_ms),
        reconcile_wait: std::time::Duration::from_millis(config.ledger.reconcile_wait_ms),
        site: site_texts(&config.site),
        staff_second_factor: config.staff.second_factor == SecondFactor::Required,
        quotas: Quotas {
            ip: per_minute(limits.ip_per_minute),
            user: per_minute(limits.user_per_minute),
            key: per_minute(limits.key_per_minute),
            sign_in_ip: per_minute(limits.sign_in_ip_per_minute),
            sale_user: per_minute(limits.sale_user_per_minute),
            sale_ip: per_minute(limits.sale_ip_per_minute),
            search: per_minute(limits.search_per_minute),
            callback_ip: per_minute(limits.callback_ip_per_minute),
        },
        points_expire: config.points.expire,
        alone: AloneCaps {
            points_daily_max: config.points.alone_daily_max,
            chances_daily_max: config.alone.chances_daily_max,
            pieces_daily_max: config.alone.pieces_daily_max,
            refunds_daily_max_minor: config.alone.refunds_daily_max_minor,
            keys_live_max: config.alone.keys_live_max,
            key_stops_daily_max: config.alone.key_stops_daily_max,
            key_bars_daily_max: config.alone.key_bars_daily_max,
        },
        community: CommunitySettings {
            public: config.community.public,
            daily: DailyCaps {
                posts: config.community.posts_daily_max,
                comments: config.community.comments_daily_max,
                likes: config.community.likes_daily_max,
                follows: config.community.follows_daily_max,
            },
            following_max: config.community.following_max,
            merged_from_followers: config.community.merged_from_followers,
        },
        statistics: StatisticsSettings {
            enabled: config.statistics.enabled,
            visitors_of_address_daily_max: config.statistics.visitors_of_address_daily_max,
        },
        level_points: config.community.level_points.clone(),
        check_in: Arc::new(CheckInTerms {
            make_up_points: config.check_in.make_up_points,
            make_up_days: config.check_in.make_up_days,
            make_ups_monthly_max: config.check_in.make_ups_monthly_max,
            milestones: config.check_in.milestones.clone(),
        }),
    })
}

/// The configured address without a slash at its end, as browsers name an origin.
pub fn public_url(config: &Config) -> Option<String> {
    config.http.public_url.as_ref().map(|url| url.trim_end_matches('/').to_owned())
}

pub fn cost(config: &Config) -> PasswordCost {
    let passwords = &config.passwords;
    PasswordCost {
        memory_kib: passwords.memory_kib,
        passes: passwords.passes,
        lanes: passwords.lanes,
        parallel_max: passwords.parallel_max,
    }
}

pub fn sender(config: &Config, clock: &Arc<dyn Clock>) -> anyhow::Result<Arc<dyn SendCodes>> {
    match (config.code.sender, &config.code.webhook_url, &config.code.webhook_secret) {
        (CodeSenderKind::Webhook, Some(url), Some(secret)) => {
            Ok(Arc::new(WebhookCodeSender::new(url, secret.expose(), Arc::clone(clock))?))
        }
        (CodeSenderKind::Webhook, _, _) => {
            anyhow::bail!("code.sender = \"webhook\" needs webhook_url and webhook_secret")
        }
        (CodeSenderKind::Log, _, _) => Ok(Arc::new(LogCodeSender)),
    }
}

pub fn payments(
    config: &Config,
    outbound: &Arc<dyn Outbound>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Arc<dyn PaymentGateway>> {
    let payments = &config.payments;
    match (payments.provider, &payments.pay_url, &payments.refund_url, &payments.secret) {
        (PaymentProvider::Auto, ..) if config.demo => Ok(Arc::new(SandboxPayments)),
        (PaymentProvider::Sandbox, ..) => Ok(Arc::new(SandboxPayments)),
        (PaymentProvider::Auto | PaymentProvider::None, ..) => Ok(Arc::new(NoPayments)),
        (PaymentProvider::Webhook, Some(pay_url), Some(refund_url), Some(secret)) => {
            let settings = WebhookPaymentsSettings {
                pay_url: pay_url.clone(),
                refund_url: refund_url.clone(),
                secret: secret.expose().to_owned(),
            };
            Ok(Arc::new(WebhookPayments::new(settings, Arc::clone(outbound), Arc::clone(clock))))
        }
        (PaymentProvider::Webhook, ..) => {
            anyhow::bail!("payments.provider = \"webhook\" needs pay_url, refund_url and secret")
        }
    }
}

pub fn deliverer(config: &Config) -> anyhow::Result<Deliverer> {
    let webhooks = &config.webhooks;
    Ok(Deliverer::new(DelivererSettings {
        allow_private: webhooks.allow_private,
        connect_timeout: Duration::from_millis(webhooks.connect_timeout_ms),
        timeout: Duration::from_millis(webhooks.timeout_ms),
    })?)
}
