//! Measurements: each command prints a table for people or, with `--json`, one flat object on one line.
//!
//! A bench drives a server over loopback from this same process and refuses any other address: the
//! figures are ratios within one run on one machine, and a load generator must not reach a stranger.

mod connection;
mod http;
mod load;
mod report;
mod response;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Requests per second over HTTP on keep-alive connections
    Http(http::HttpArgs),
}

pub async fn run(command: BenchCommand) -> anyhow::Result<()> {
    match command {
        BenchCommand::Http(args) => http::run(&args).await,
    }
}
