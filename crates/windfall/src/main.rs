//! The `windfall` binary: serve, demo, migrate, backup, restore, promote, quarantine, admin, activity, codes, inventory, simulate, verify, reconcile, doctor,
//! openapi, bench.

mod activity;
mod activity_file;
mod admin;
mod backup;
mod bench_nodes;
mod cluster;
mod codes;
mod config;
mod console;
mod demo;
mod doctor;
mod inventory;
mod logging;
mod node;
mod node_settings;
mod open_files;
mod progress;
mod quarantine;
mod readiness;
mod reconcile;
mod serve;
mod simulate;
mod standby;
mod stopping;
mod telemetry;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use config::{Config, Problems};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("WINDFALL_COMMIT"), ")");

/// How long threads that are still busy at the end are waited for.
const LEFT_BEHIND: Duration = Duration::from_secs(1);

#[derive(Debug, Parser)]
#[command(name = "windfall", version = VERSION, about = "A campaign engine: never oversold, never lost, never drawn twice, and anyone can check.")]
struct Cli {
    /// Read this file instead of windfall.toml in the working directory
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data folder (data.dir)
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve (the default)
    Serve {
        /// The address to listen on (http.listen)
        #[arg(long, value_name = "ADDR")]
        listen: Option<String>,
    },
    /// Serve with demo data, demo accounts, and codes shown on the page
    Demo {
        /// The address to listen on (http.listen)
        #[arg(long, value_name = "ADDR")]
        listen: Option<String>,
        /// Also serve other machines (demo_public)
        #[arg(long)]
        public: bool,
    },
    /// Migrate the database to this version's schema and exit
    Migrate,
    /// Back everything up while the server runs, and verify the backup
    Backup(backup::BackupCommand),
    /// Restore a backup into a new folder
    Restore(backup::restore::RestoreCommand),
    /// Turn a standby folder into the active one
    Promote(standby::PromoteCommand),
    /// Messages and redeem codes in quarantine after a restore
    #[command(subcommand)]
    Quarantine(quarantine::QuarantineCommand),
    /// Manage accounts and keys, on the running server or in its data folder
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Import the block list of an activity
    #[command(subcommand)]
    Activity(activity::ActivityCommand),
    /// Import redeem codes into a pool, list pools
    #[command(subcommand)]
    Codes(codes::CodesCommand),
    /// Import, list and show stock pools
    #[command(subcommand)]
    Inventory(inventory::InventoryCommand),
    /// Simulate an activity; exit code 1: it cannot work, and why
    Simulate(simulate::SimulateCommand),
    /// Recompute the draws of an activity from its export; exit code 0: all match, 1: one does not, 2: unknown
    Verify(verify::VerifyCommand),
    /// Compare the ledger with the database, row by row; exit code 0: equal, 1: differences remain, 2: unknown
    Reconcile(reconcile::ReconcileCommand),
    /// Check configuration, disk, clock, ports and connections
    Doctor {
        /// One flat JSON object on one line
        #[arg(long)]
        json: bool,
    },
    /// Print the API document (OpenAPI 3.1)
    Openapi,
    /// Measure
    #[command(subcommand)]
    Bench(bench::BenchCommand),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("windfall: the runtime cannot be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let ended = runtime.block_on(run(cli));
    // A thread that is busy for good keeps no process from ending.
    runtime.shutdown_timeout(LEFT_BEHIND);
    logging::flush();
    match ended {
        Ok(code) => code,
        Err(error) => {
            eprintln!("windfall: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let mut overrides = Vec::new();
    if let Some(data) = &cli.data {
        overrides.push(("data.dir".to_owned(), data.display().to_string()));
    }
    let load = |overrides: &[(String, String)]| config::load(cli.config.as_deref(), overrides);
    match cli.command.unwrap_or(Command::Serve { listen: None }) {
        Command::Serve { listen } => {
            overrides.extend(listen.map(|listen| ("http.listen".to_owned(), listen)));
            serve::serve(&load(&overrides)?).await?;
        }
        Command::Demo { listen, public } => {
            overrides.push(("demo".to_owned(), "true".to_owned()));
            if public {
                overrides.push(("demo_public".to_owned(), "true".to_owned()));
            }
            overrides.extend(listen.map(|listen| ("http.listen".to_owned(), listen)));
            if cli.data.is_none() {
                overrides.push(("data.dir".to_owned(), demo::FOLDER.to_owned()));
            }
            serve::serve(&load(&overrides)?).await?;
        }
        Command::Migrate => node::migrate(&load(&overrides)?).await?,
        Command::Backup(command) => backup::run(&load(&overrides)?, &command).await?,
        Command::Restore(command) => {
            overrides.push(("data.dir".to_owned(), command.into.display().to_string()));
            backup::restore::run(&load(&overrides)?, &command).await?;
        }
        Command::Promote(command) => {
            overrides.push(("data.dir".to_owned(), command.folder.display().to_string()));
            // What followed has nobody that follows it; the settings may be those of the old installation.
            overrides.push(("standby.folder".to_owned(), String::new()));
            standby::promote(&load(&overrides)?, &command).await?;
        }
        Command::Quarantine(command) => quarantine::run(&load(&overrides)?, command).await?,
        Command::Admin(command) => {
            admin::run(&load(&overrides)?, command).await?;
        }
        Command::Reconcile(command) => {
            return Ok(reconcile::run(load(&overrides).map_err(Into::into), command).await);
        }
        Command::Simulate(command) => return simulate::run(&command),
        Command::Activity(command) => {
            activity::run(&load(&overrides)?, command).await?;
        }
        Command::Codes(command) => {
            codes::run(&load(&overrides)?, command).await?;
        }
        Command::Verify(command) => {
            return Ok(verify::run(load(&overrides).map_err(Into::into), &command).await);
        }
        Command::Inventory(command) => {
            inventory::run(&load(&overrides)?, command).await?;
        }
        Command::Doctor { json } => {
            let (config, problems) = match load(&overrides) {
                Ok(config) => (config, Vec::new()),
                Err(Problems(problems)) => (Config::defaults()?, problems),
            };
            let connectivity = node::connectivity(&config).await;
            if !doctor::run(&config, &problems, connectivity, json).await? {
                return Ok(ExitCode::FAILURE);
            }
        }
        Command::Openapi => {
            println!("{}", to_narrow_json(&server::document()).context("writing the API document")?);
        }
        Command::Bench(command) => bench::run(command, &bench_nodes::BenchNodes).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// JSON with a line for each member, one space deeper for each level: the document is large, and its lines are compared.
fn to_narrow_json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let narrow = serde_json::ser::PrettyFormatter::with_indent(b" ");
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, narrow))?;
    Ok(String::from_utf8(bytes)?)
}
