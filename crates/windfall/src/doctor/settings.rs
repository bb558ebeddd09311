//! Checks that need nothing but the settings, and the answers the caller brought along.

use crate::config::{CodeSender, Config, PaymentProvider, Problem};

use super::check::Check;

pub fn check_loaded(problems: &[Problem]) -> Check {
    match problems {
        [] => Check::ok("configuration", "loads"),
        problems => {
            let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
            let advice = "mend these; the other rows are about the defaults";
            Check::fail("configuration", lines.join("\n"), advice)
        }
    }
}

pub fn check_profile(config: &Config) -> Check {
    match config.profile_check() {
        Ok(()) => Check::ok("profile", "embedded"),
        Err(reason) => Check::fail("profile", reason.to_string(), "set profile = \"embedded\""),
    }
}

pub fn check_code_sender(config: &Config) -> Check {
    match (config.code.sender, config.demo) {
        (CodeSender::Webhook, _) => Check::ok("sign-in codes", "sent by webhook"),
        (CodeSender::Log, true) => Check::ok("sign-in codes", "written to the log (demo)"),
        (CodeSender::Log, false) => Check::warn(
            "sign-in codes",
            "only written to the log, so nobody receives one",
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
            return Check::ok(NAME, "told by a provider of your own, signed");
        }
        (PaymentProvider::Sandbox, false) => {
            return Check::warn(
                NAME,
                "the sandbox: whoever has an order can press \"pay\", and no money moves",
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
        Check::ok(NAME, "nobody takes money: orders of sales cannot be paid")
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
    use super::super::check::State;
    use super::*;

    #[test]
    fn settings_by_rows() {
        let mut config = Config::defaults().unwrap();
        assert_eq!(check_profile(&config).state, State::Ok);
        let rows = [
            (CodeSender::Log, false, State::Warn),
            (CodeSender::Log, true, State::Ok),
            (CodeSender::Webhook, false, State::Ok),
        ];
        for (sender, demo, state) in rows {
            config.code.sender = sender;
            config.demo = demo;
            assert_eq!(check_code_sender(&config).state, state, "{sender:?}, demo: {demo}");
        }
        for (provider, demo, secret, state) in [
            (PaymentProvider::Auto, false, false, State::Ok),
            (PaymentProvider::Auto, true, false, State::Ok),
            (PaymentProvider::None, false, false, State::Ok),
            (PaymentProvider::Sandbox, true, false, State::Ok),
            (PaymentProvider::Sandbox, false, false, State::Warn),
            (PaymentProvider::Webhook, false, true, State::Ok),
            (PaymentProvider::None, false, true, State::Warn),
            (PaymentProvider::Auto, false, true, State::Warn),
            (PaymentProvider::Auto, true, true, State::Warn),
        ] {
            config.payments.provider = provider;
            config.payments.pay_url = secret.then(|| "https://bank.example/{order}".to_owned());
            config.demo = demo;
            assert_eq!(check_payments(&config).state, state, "{provider:?}, demo: {demo}, half: {secret}");
        }
        config.profile = crate::config::Profile::Cluster;
        assert!(check_profile(&config).found.starts_with("profile_unavailable: "));
        assert_eq!(check_loaded(&[]).state, State::Ok);
        let problems = ["one", "two"].map(|text| Problem::Conflict { sentence: text.to_owned() });
        assert_eq!(check_loaded(&problems).found, "one\ntwo");
        assert_eq!(check_connected("postgres".to_owned(), Err("refused".to_owned())).state, State::Fail);
    }
}
