//! Checks that need nothing but the settings, and the answers the caller brought along.

use crate::config::{CodeSenderKind, Config, ConfigProblem, NodeProfile, PaymentProvider};

use super::check::Check;

pub fn check_loaded(problems: &[ConfigProblem]) -> Check {
    match problems {
        [] => Check::ok("configuration", "loads"),
        problems => {
            let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
            let advice = "fix these; the other rows show the defaults";
            Check::fail("configuration", lines.join("\n"), advice)
        }
    }
}

pub fn check_profile(config: &Config) -> Check {
    match (config.profile, &config.cluster.address) {
        (NodeProfile::Embedded, _) => Check::ok("profile", "embedded"),
        (NodeProfile::Cluster, Some(address)) => {
            Check::ok("profile", format!("cluster; other nodes reach this one at {address}"))
        }
        // The settings have been refused.
        (NodeProfile::Cluster, None) => Check::ok("profile", "cluster"),
    }
}

pub fn check_code_sender(config: &Config) -> Check {
    match (config.code.sender, config.demo) {
        (CodeSenderKind::Webhook, _) => Check::ok("sign-in codes", "sent by webhook"),
        (CodeSenderKind::Log, true) => Check::ok("sign-in codes", "written to the log (demo)"),
        (CodeSenderKind::Log, false) => Check::warn(
            "sign-in codes",
            "only written to the log, so nobody receives them",
            "set code.sender = \"webhook\" with code.webhook_url and code.webhook_secret",
        ),
    }
}

/// Half a webhook is refused when the settings are loaded; one that nobody uses is found here.
pub fn check_payments(config: &Config) -> Check {
    const NAME: &str = "payments";
    let payments = &config.payments;
    let set: Vec<&str> = [
        ("pay_url", payments.pay_url.is_some()),
        ("refund_url", payments.refund_url.is_some()),
        ("secret", payments.secret.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, is_set)| is_set.then_some(name))
    .collect();
    let sandbox = match (payments.provider, config.demo) {
        (PaymentProvider::Webhook, _) => {
            return Check::ok(NAME, "reported by your own provider, with a signature");
        }
        (PaymentProvider::Sandbox, false) => {
            return Check::warn(
                NAME,
                "the sandbox: every buyer can press \"pay\", and no money moves",
                "set payments.provider = \"webhook\", or \"none\" until there is one",
            );
        }
        (PaymentProvider::Auto | PaymentProvider::Sandbox, true) => true,
        (PaymentProvider::Auto, false) | (PaymentProvider::None, _) => false,
    };
    if !set.is_empty() {
        return Check::warn(
            NAME,
            format!("payments.{} is set, and payments.provider is not \"webhook\"", set.join(", payments.")),
            "set payments.provider = \"webhook\" with pay_url, refund_url and secret, or remove them",
        );
    }
    if sandbox {
        Check::ok(NAME, "the sandbox (demo)")
    } else {
        Check::ok(NAME, "no payment provider: orders of sales cannot be paid")
    }
}

pub fn check_connected(name: String, answer: Result<String, String>) -> Check {
    match answer {
        Ok(found) => Check::ok(name, found),
        Err(reason) => Check::fail(name, reason, "check its address in the settings, and that it runs"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckState;
    use super::*;

    #[test]
    fn settings_by_rows() {
        let mut config = Config::defaults().unwrap();
        assert_eq!(check_profile(&config).state, CheckState::Ok);
        let rows = [
            (CodeSenderKind::Log, false, CheckState::Warn),
            (CodeSenderKind::Log, true, CheckState::Ok),
            (CodeSenderKind::Webhook, false, CheckState::Ok),
        ];
        for (sender, demo, state) in rows {
            config.code.sender = sender;
            config.demo = demo;
            assert_eq!(check_code_sender(&config).state, state, "{sender:?}, demo: {demo}");
        }
        for (provider, demo, secret, state) in [
            (PaymentProvider::Auto, false, false, CheckState::Ok),
            (PaymentProvider::Auto, true, false, CheckState::Ok),
            (PaymentProvider::None, false, false, CheckState::Ok),
            (PaymentProvider::Sandbox, true, false, CheckState::Ok),
            (PaymentProvider::Sandbox, false, false, CheckState::Warn),
            (PaymentProvider::Webhook, false, true, CheckState::Ok),
            (PaymentProvider::None, false, true, CheckState::Warn),
            (PaymentProvider::Auto, false, true, CheckState::Warn),
            (PaymentProvider::Auto, true, true, CheckState::Warn),
        ] {
            config.payments.provider = provider;
            config.payments.pay_url = secret.then(|| "https://bank.example/{order}".to_owned());
            config.demo = demo;
            assert_eq!(check_payments(&config).state, state, "{provider:?}, demo: {demo}, half: {secret}");
        }
        config.profile = crate::config::NodeProfile::Cluster;
        config.cluster.address = Some("http://10.0.0.2:80".to_owned());
        assert!(check_profile(&config).found.contains("http://10.0.0.2:80"));
        assert_eq!(check_loaded(&[]).state, CheckState::Ok);
        let problems = ["one", "two"].map(|text| ConfigProblem::Conflict { sentence: text.to_owned() });
        assert_eq!(check_loaded(&problems).found, "one\ntwo");
        assert_eq!(check_connected("postgres".to_owned(), Err("refused".to_owned())).state, CheckState::Fail);
    }
}
