//! What `windfall bench` runs: each command prints a table for people or, with `--json`, one flat object on one line.
//!
//! A bench drives what it measures from this same process, over loopback where it is a server, and refuses any other
//! address: the figures are ratios within one run on one machine, and a load generator must not reach a stranger.
//!
//! Where a bench needs a whole node, the binary starts it ([`NodeStarter`]): joining the parts is its work alone.

mod cluster;
mod connection;
mod draw;
mod exchange;
mod fulfilment;
mod http;
mod ledger;
mod load;
mod node;
mod players;
mod postgres_peer;
mod projection;
mod report;
mod response;
mod sale;
mod search;

pub use ledger::CLASSIC_SCRIPT;
pub use node::{BenchNode, BenchServer, NodeLifetime, NodeSettings, NodeStarter};

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Durable reservations per second through a leader on a PostgreSQL log, with and without a standby
    Cluster(cluster::ClusterArgs),
    /// Requests per second over HTTP on keep-alive connections
    Http(http::HttpArgs),
    /// What giving prizes takes: codes imported and webhooks delivered per second
    Fulfilment(fulfilment::FulfilmentArgs),
    /// Durable reservations per second in process, beside the classic Lua script on a local Redis
    Ledger(ledger::LedgerArgs),
    /// How long a search over a million posts takes, in Chinese and English; takes minutes
    Search(search::SearchArgs),
    /// Draws carried into the database per second, with ten million there already; takes minutes
    Projection(projection::ProjectionArgs),
}

pub async fn run(command: BenchCommand, nodes: &dyn NodeStarter) -> anyhow::Result<()> {
    match command {
        BenchCommand::Cluster(args) => cluster::run(&args).await,
        BenchCommand::Http(args) => http::run(&args, nodes).await,
        BenchCommand::Fulfilment(args) => fulfilment::run(&args, nodes).await,
        BenchCommand::Ledger(args) => ledger::run(&args).await,
        BenchCommand::Search(args) => search::run(&args, nodes).await,
        BenchCommand::Projection(args) => projection::run(&args).await,
    }
}
