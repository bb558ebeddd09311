//! `windfall simulate`: an activity tried out on paper, with the real generator and all rules.

mod export;
mod show;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use domain::activity::Plan;
use domain::ids::ActivityId;
use domain::lottery::deck::Deck;
use domain::lottery::simulate::{Course, Nothing};
use engine::activities::simulation::{days, simulate};
use jiff::tz::TimeZone;

use self::export::RecordFile;
use crate::activity_file::{load, workable};
use crate::progress::ProgressPrinter;

/// The exit code for what cannot be tried out this way; a flawed activity is 1.
const NOT_SIMULATED: u8 = 2;

/// Users of a simulation with enough draws.
const USERS_DEFAULT: u32 = 10_000;

#[derive(Debug, Args)]
pub struct SimulateCommand {
    /// The activity, as in examples/
    #[arg(long, value_name = "ACTIVITY.toml")]
    file: PathBuf,
    /// The number of draws, spread evenly over the activity's window
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    draws: u64,
    /// The number of users, who take turns; by default 10000, or the number of draws if it is smaller
    #[arg(long, value_name = "M")]
    users: Option<u32>,
    /// The same seed gives the same draws
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all cores by default; the result does not depend on it
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Write every draw to this file, in the format of an export; `windfall verify` checks it
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// One JSON object on one line
    #[arg(long)]
    json: bool,
}

/// Without a wish, nobody is left without a draw.
fn users(command: &SimulateCommand) -> u32 {
    let draws = u32::try_from(command.draws).unwrap_or(u32::MAX);
    command.users.unwrap_or_else(|| draws.min(USERS_DEFAULT))
}

pub fn run(command: &SimulateCommand) -> anyhow::Result<ExitCode> {
    let form = load(&command.file)?;
    let written = match workable(&form, ActivityId(1), 1) {
        Ok(written) => written,
        Err(flaws) => {
            show::flaws(&flaws, command.json);
            return Ok(ExitCode::FAILURE);
        }
    };
    let strategy = match written.plan {
        Plan::Instant(strategy) => strategy,
        Plan::Raffle(_) => {
            show::raffle(command.json);
            return Ok(ExitCode::from(NOT_SIMULATED));
        }
        Plan::Sale(_) => {
            show::sale(command.json);
            return Ok(ExitCode::from(NOT_SIMULATED));
        }
    };
    let configuration = &written.configuration;
    let zone = TimeZone::get(configuration.zone()).context("the zone")?;
    let course = Course::new(
        Deck::new(strategy).map_err(|problems| anyhow::anyhow!("the strategy cannot work: {problems:?}"))?,
        configuration.window(),
        days(configuration.window(), &zone),
        configuration.chances().limits(),
        configuration.entries(),
        command.draws,
        users(command),
        command.seed,
    )?;
    let threads = command.threads.or(std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let progress = ProgressPrinter::new(command.draws, "draws");
    let begun = Instant::now();
    let reached = |done| {
        progress.reached(done);
        true
    };
    let report = match &command.export {
        None => simulate(&course, threads, &mut Nothing, reached),
        Some(file) => {
            let mut export = RecordFile::create(file, &course)?;
            let report = simulate(&course, threads, &mut |record| export.record(&record), reached);
            export.end()?;
            report
        }
    };
    let elapsed = begun.elapsed();
    progress.done();
    let report = report.context("the simulation was stopped")?;
    if command.json {
        println!("{}", show::json(&report, elapsed, threads.get())?);
    } else {
        show::print(&course, &report, elapsed, threads.get());
    }
    Ok(ExitCode::SUCCESS)
}
