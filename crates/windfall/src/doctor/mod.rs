//! `windfall doctor`: looks at what a start depends on, and says what to mend.
//!
//! Each check is one row: what was looked at, its state, what was found, and what to do about it. It
//! changes nothing but a small file it writes to measure the disk and removes again. The answers of
//! databases are asked for by the caller, who has the clients, and come in as values.

mod check;
mod clock;
mod disk;
mod host;
mod listener;
mod settings;
mod staff;
mod tls;
mod webhook;

use std::time::{Duration, SystemTime};

use crate::config::{Config, ConfigProblem};

use check::Examination;

/// What an outside service was called and how it answered: what was found, or what went wrong.
pub type Connectivity = Vec<(String, Result<String, String>)>;

/// Runs every check and prints the result; true when nothing failed. When the settings did not load,
/// `config` is the defaults and `config_problems` says why.
pub async fn run(
    config: &Config,
    config_problems: &[ConfigProblem],
    connectivity: Connectivity,
    json: bool,
) -> anyhow::Result<bool> {
    let mut examination = Examination::default();
    examination.add(settings::check_loaded(config_problems));
    examination.add(settings::check_profile(config));
    examination.add(settings::check_code_sender(config));
    examination.add(settings::check_payments(config));
    examination.add(disk::check_folder(&config.data.dir));
    examination.add_measured(disk::check_free_space(&config.data.dir));
    examination.add_measured(disk::check_sync(&config.data.dir));
    examination.add(disk::check_key_file(&config.data.key_path(), &config.data.dir, config.demo));
    for (name, folder) in [("backups", &config.backup.folder), ("standby", &config.standby.folder)] {
        if let Some(folder) = folder {
            examination.add(disk::check_second_folder(name, folder, &config.data.dir));
        }
    }
    examination.add_measured(clock::check(SystemTime::now(), Duration::from_millis(200)).await);
    examination.add_measured(host::check_open_files(config.http.max_connections));
    examination.add(listener::check(config.http.listen, config.tls.pair().is_some()).await);
    if let Some((cert_file, key_file)) = config.tls.pair() {
        examination.add(tls::check(cert_file, key_file));
    }
    if let Some(url) = &config.code.webhook_url {
        examination.add(webhook::check(url).await);
    }
    if let (crate::config::PaymentProvider::Webhook, Some(url)) =
        (config.payments.provider, &config.payments.refund_url)
    {
        examination.add(webhook::check_refunds(url, config.webhooks.allow_private).await);
    }
    if let Some(check) = staff::check(config).await {
        examination.add(check);
    }
    for (name, answer) in connectivity {
        examination.add(settings::check_connected(name, answer));
    }

    if json {
        println!("{}", examination.to_json());
    } else {
        println!("{}", examination.to_table());
        println!("{}", examination.summary());
    }
    Ok(examination.passed())
}
