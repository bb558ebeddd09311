//! Whether everybody who may do everything has a second factor. Only a running server knows; without one there is no row.

use http::Method;
use serde_json::Value;

use super::check::Check;
use crate::config::Config;
use crate::console::ConsoleClient;

const NAME: &str = "second factors";

pub async fn check(config: &Config) -> Option<Check> {
    let console = ConsoleClient::running(config).await?;
    let admins = console.call(Method::GET, "/admin/users?role=admin&limit=200", None).await;
    Some(match admins {
        Ok(admins) => judge(&admins, config.demo),
        Err(error) => {
            Check::warn(NAME, format!("the running server does not report it: {error}"), "look at its log")
        }
    })
}

fn judge(admins: &Value, demo: bool) -> Check {
    let admins = admins["items"].as_array().cloned().unwrap_or_default();
    let without = admins.iter().filter(|admin| admin["second_factor"] != true).count();
    match (without, demo) {
        (0, _) => Check::ok(NAME, format!("{} admins, each with one", admins.len())),
        (_, true) => Check::ok(NAME, "not checked for demo accounts"),
        (without, false) => Check::warn(
            NAME,
            format!(
                "{without} of {} admins have none: a password or a text message is enough to sign in",
                admins.len()
            ),
            "each of them should set one up in the console under \"My account\"; then set staff.second_factor = \"required\"",
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::check::CheckState;
    use super::*;

    #[test]
    fn admins_by_rows() {
        for (factors, demo, state) in [
            (vec![true, true], false, CheckState::Ok),
            (vec![true, false], false, CheckState::Warn),
            (vec![false], true, CheckState::Ok),
        ] {
            let items: Vec<Value> = factors.iter().map(|on| json!({ "second_factor": on })).collect();
            assert_eq!(judge(&json!({ "items": items }), demo).state, state, "{factors:?} {demo}");
        }
    }
}
