//! `windfall admin …`: accounts and keys from the machine's own command line.

use anyhow::Context as _;
use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use embedded::{DataFolder, KeyFile, SystemRandom};
use engine::jobs;
use engine::operations::job_admin::job_run_now;
use http::Method;
use serde_json::{Value, json};
use server::percent;
use store::model::Actor;

use crate::config::Config;
use crate::console::ConsoleClient;
use crate::node::Node;

#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Create an account, or show the one that the phone already has
    CreateUser {
        #[arg(long)]
        phone: String,
        #[arg(long)]
        name: Option<String>,
        /// player, operator, reviewer or admin; may be given several times
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<String>,
        /// Read the password from the first line of standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Create an API key; its secret is printed only once
    CreateKey {
        #[arg(long)]
        name: String,
        /// play, inventory, fulfil, facts, read or admin; may be given several times
        #[arg(long = "scope", value_name = "SCOPE", required = true)]
        scopes: Vec<String>,
    },
    /// List accounts, newest first
    ListUsers {
        #[arg(long)]
        name: Option<String>,
        #[arg(long)]
        role: Option<String>,
        #[arg(long)]
        banned: bool,
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// Ban an account; all of its sessions end at once
    Ban {
        #[arg(value_name = "USER_ID")]
        user: String,
        #[arg(long)]
        reason: String,
        /// Number of days; without it the ban has no end
        #[arg(long)]
        days: Option<u32>,
    },
    /// Lift a ban
    Unban {
        #[arg(value_name = "USER_ID")]
        user: String,
    },
    /// List requests that need a second person
    Approvals,
    /// Approve a request, as the administrator of the server
    Approve {
        #[arg(value_name = "APPROVAL_ID")]
        id: String,
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Refuse a request
    Refuse {
        #[arg(value_name = "APPROVAL_ID")]
        id: String,
        #[arg(long)]
        reason: String,
    },
    /// Remove a lost second factor when no two admins can; ends all sessions of that person
    ResetSecondFactor {
        #[arg(value_name = "USER_ID")]
        user: String,
        #[arg(long)]
        reason: String,
    },
    /// Create a new encryption key and encrypt everything again (stop the server first)
    RotateEncryptionKey,
}

pub async fn run(config: &Config, command: AdminCommand) -> anyhow::Result<()> {
    match command {
        AdminCommand::CreateUser { phone, name, roles, password_stdin } => {
            let password = if password_stdin { Some(first_line()?) } else { None };
            let body = json!({ "phone": phone, "name": name, "password": password, "roles": roles });
            let made =
                ConsoleClient::open(config).await?.call(Method::POST, "/admin/users", Some(body)).await?;
            println!("{}", text(&made, "id"));
            if made.get("new") == Some(&Value::Bool(false)) {
                eprintln!(
                    "This phone already has an account; its name, password and roles were not changed."
                );
            }
        }
        AdminCommand::CreateKey { name, scopes } => {
            let body = json!({ "name": name, "scopes": scopes });
            let made =
                ConsoleClient::open(config).await?.call(Method::POST, "/admin/keys", Some(body)).await?;
            println!("{}", text(&made, "secret"));
            eprintln!(
                "Key {} was created. Its secret is above and will not be shown again.",
                text(&made, "id")
            );
        }
        AdminCommand::ListUsers { name, role, banned, limit } => {
            let mut path = format!("/admin/users?limit={limit}&banned={banned}");
            for (key, value) in [("name", name), ("role", role)] {
                if let Some(value) = value {
                    path.push_str(&format!("&{key}={}", percent(&value)));
                }
            }
            let page = ConsoleClient::open(config).await?.call(Method::GET, &path, None).await?;
            print_users(&page);
        }
        AdminCommand::Ban { user, reason, days } => {
            let until_ms = days.map(|days| now_ms() + i64::from(days) * domain::time::DAY_MS);
            let body = json!({ "reason": reason, "until_ms": until_ms });
            let path = format!("/admin/users/{}/ban", percent(&user));
            ConsoleClient::open(config).await?.call(Method::PUT, &path, Some(body)).await?;
            println!("banned {user}");
        }
        AdminCommand::Unban { user } => {
            let path = format!("/admin/users/{}/ban", percent(&user));
            ConsoleClient::open(config).await?.call(Method::DELETE, &path, None).await?;
            println!("unbanned {user}");
        }
        AdminCommand::Approvals => {
            let path = "/admin/approvals?state=waiting&limit=200";
            print_approvals(&ConsoleClient::open(config).await?.call(Method::GET, path, None).await?);
        }
        AdminCommand::Approve { id, reason } => decide(config, &id, "approve", &reason).await?,
        AdminCommand::Refuse { id, reason } => decide(config, &id, "refuse", &reason).await?,
        AdminCommand::ResetSecondFactor { user, reason } => {
            reset_second_factor(config, &user, &reason).await?;
        }
        AdminCommand::RotateEncryptionKey => rotate(config).await?,
    }
    Ok(())
}

/// A new key first, then every sealed value anew; interrupted, the `reseal` job goes on at its next run.
async fn rotate(config: &Config) -> anyhow::Result<()> {
    let path = config.data.key_path();
    {
        let folder = DataFolder::open(&config.data.dir).context("stop the server first")?;
        let random = SystemRandom::default();
        let keys = KeyFile::open(&path, folder.in_use(), &random)?;
        keys.rotate(&random).save(&path)?;
    }
    println!("{} has a new key; keep a copy of this file", path.display());
    let node = Node::open(config, "").await?;
    let signed = node.world.audit_stamp(Actor::Console, "the encryption key was rotated", "console");
    job_run_now(&node.world, signed, "reseal").await?;
    loop {
        jobs::run_due(&node.world, &node.holder).await?;
        let jobs = node.db.job_list().await?;
        let last = jobs.into_iter().find(|job| job.name == "reseal").and_then(|job| job.last_run);
        let Some(run) = last else { anyhow::bail!("the reseal job did not run") };
        println!(
            "encrypted again: {} values ({})",
            run.handled,
            run.outcome.map_or("?", domain::job::RunOutcome::name)
        );
        match run.outcome {
            Some(domain::job::RunOutcome::Done) => break,
            Some(domain::job::RunOutcome::More) => {}
            Some(domain::job::RunOutcome::Failed) | None => {
                anyhow::bail!("{} (run {})", run.detail, run.id)
            }
        }
    }
    node.close().await;
    Ok(())
}

/// Asked for and approved by the machine's own administrator, with both lines in the audit log.
async fn reset_second_factor(config: &Config, user: &str, reason: &str) -> anyhow::Result<()> {
    let console = ConsoleClient::open_existing(config).await?;
    let reset = async {
        let path = format!("/admin/users/{}/second-factor/reset", percent(user));
        let body = json!({ "reason": reason });
        let asked = console.ask(Method::POST, &path, Some(body.clone())).await?;
        let path = format!("/admin/approvals/{}/approve", percent(&text(&asked, "approval_id")));
        console.ask(Method::POST, &path, Some(body)).await
    };
    let ended = reset.await;
    console.close().await;
    ended?;
    println!("the second factor of {user} was removed, and all of their sessions have ended");
    Ok(())
}

async fn decide(config: &Config, id: &str, decision: &str, reason: &str) -> anyhow::Result<()> {
    let path = format!("/admin/approvals/{}/{decision}", percent(id));
    let decided = ConsoleClient::open(config)
        .await?
        .call(Method::POST, &path, Some(json!({ "reason": reason })))
        .await?;
    println!("{id} is {}", text(&decided, "state"));
    Ok(())
}

fn print_approvals(page: &Value) {
    let items = items(page);
    if items.is_empty() {
        println!("nothing waits");
        return;
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["id", "request", "asked by", "reason"]);
    for item in items {
        let by = item
            .get("asked_by")
            .map_or(String::new(), |by| format!("{} {}", text(by, "kind"), text(by, "id")));
        let request = item.get("request").map_or(String::new(), Value::to_string);
        table.add_row([text(item, "id"), request, by, text(item, "reason")]);
    }
    println!("{table}");
}

fn items(page: &Value) -> &[Value] {
    page.get("items").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn print_users(page: &Value) {
    let items = items(page);
    if items.is_empty() {
        println!("nobody");
        return;
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header([
        "id",
        "name",
        "phone",
        "roles",
        "second factor",
        "since",
        "ban",
    ]);
    for user in items {
        let roles = user.get("roles").and_then(Value::as_array).map_or(String::new(), |roles| {
            roles.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
        });
        let ban = user.get("ban").map_or(String::new(), |ban| text(ban, "reason"));
        let row = [
            text(user, "id"),
            text(user, "name"),
            text(user, "phone"),
            roles,
            if user.get("second_factor") == Some(&Value::Bool(true)) { "yes" } else { "" }.to_owned(),
            text(user, "sign_up_day"),
            ban,
        ];
        table.add_row(row);
    }
    println!("{table}");
    if page.get("next").is_some() {
        println!("There are more; use --limit, up to 200, or narrow the search.");
    }
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or("").to_owned()
}

fn first_line() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("reading the password")?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn now_ms() -> i64 {
    use engine::ports::Clock as _;
    embedded::SystemClock::default().now().0
}
