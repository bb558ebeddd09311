//! `windfall bench projection`: draws carried into SQLite, or into PostgreSQL, per second, as the draws that are already there grow.
//!
//! The draws are real: a ledger in memory decides them, one after the other, for players who come back. What is timed is
//! the projection alone, batch by batch as the server does it. Deliberately absent: the journal, and anybody who draws
//! meanwhile; `bench http --draw` has both.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use domain::activity::Plan;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ChanceLimits, Day, Draw, Draws, PlayerFacts, Table, Terms};
use domain::ledger::{Act, Answer, Command, Event, Key, Ledger, Limits, Note, PoolName};
use domain::lottery::deck::Deck;
use domain::lottery::random::DrawSecret;
use domain::lottery::strategy::PrizeStock;
use domain::time::{DAY_MS, Timestamp};
use embedded::SystemClock;
use engine::ports::Clock;
use server::forms::ActivityForm;
use store::{Db, PostgresSettings, SqliteSettings};

use super::draw::ACTIVITY;
use super::ledger::report::{Goal, LedgerReport};
use super::postgres_peer::PostgresPeer;

const ID: ActivityId = ActivityId(7_318_349_394_477_056);
/// Events in one transaction, as the server's projector takes them.
const BATCH: usize = 8_192;
/// Draws over which the rate is taken at most, at the end of each part.
const SAMPLE_MAX: u64 = 40 * BATCH as u64;
/// Connections of the projection to PostgreSQL: it uses one at a time.
const CONNECTIONS: usize = 4;
/// Draws per second, with all of them there.
const SQLITE_GOAL: f64 = 100_000.0;
const POSTGRES_GOAL: f64 = 20_000.0;
/// Draws per simulated second: the clock moves, and hours come and go.
const PER_S: u64 = 20_000;

#[derive(Debug, Args)]
pub struct ProjectionArgs {
    /// Print one flat JSON object on one line
    #[arg(long)]
    json: bool,

    /// Draws in the database at the end
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    draws: u64,

    /// Players, who come in no order
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    players: u64,

    /// Into a PostgreSQL of its own, durable as it comes, instead of SQLite
    #[arg(long)]
    postgres: bool,

    /// The folder to work in; a temporary folder in it is made and removed (default: the system's)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub async fn run(args: &ProjectionArgs) -> anyhow::Result<()> {
    let parent = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(&parent)?;
    let server = if args.postgres { Some(PostgresPeer::start(&parent, CONNECTIONS)?) } else { None };
    let db = match &server {
        Some(server) => Db::connect_postgres(&PostgresSettings::at(server.settings()).unhurried()).await?,
        None => Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")))?,
    };
    db.migrate(SystemClock::default().now()).await?;
    let mut life = Life::begin(args.players)?;
    db.ledger_project(life.opening()?).await?;

    let mut report = LedgerReport::default();
    let sample = SAMPLE_MAX.min((args.draws / 4).max(1));
    let first = project(&db, &mut life, sample).await?;
    report.figure("projection_draws_per_s_at_0", "draws projected per second, with none there", Some(first));
    let half = grow(&db, &mut life, args.draws / 2, sample).await?;
    report.figure("projection_draws_per_s_at_half", "with half of them there", Some(half));
    let whole = grow(&db, &mut life, args.draws, sample).await?;
    report.with_goal(
        "projection_draws_per_s",
        "with all of them there",
        Some(whole),
        Goal::AtLeast(if args.postgres { POSTGRES_GOAL } else { SQLITE_GOAL }),
    );
    report.figure("projection_draws", "draws in the database at the end", Some(life.drawn as f64));
    report.print(args.json);
    db.close().await;
    folder.close().context("removing the folder of the bench")
}

/// Projects until so many draws are there, then the sample that counts.
async fn grow(db: &Db, life: &mut Life, draws: u64, sample: u64) -> anyhow::Result<f64> {
    while life.drawn + sample < draws {
        let rate = project(db, life, (draws - sample - life.drawn).min(sample)).await?;
        eprintln!("bench projection: {} of {draws} draws, {rate:.0}/s", life.drawn);
    }
    project(db, life, sample).await
}

/// Answers the draws per second; making them does not count.
async fn project(db: &Db, life: &mut Life, draws: u64) -> anyhow::Result<f64> {
    let (mut spent, mut left) = (Duration::ZERO, draws);
    while left > 0 {
        let count = left.min(BATCH as u64);
        let events = life.draw(count)?;
        let started = Instant::now();
        let reached = db.ledger_project(events).await?;
        spent += started.elapsed();
        life.ledger.forget(reached.seq, usize::MAX);
        left -= count;
    }
    Ok(draws as f64 / spent.as_secs_f64())
}

/// A ledger, its one activity, and who has drawn.
struct Life {
    ledger: Ledger,
    clock: Timestamp,
    table: Arc<Table>,
    day: Day,
    players: u64,
    drawn: u64,
}

impl Life {
    fn begin(players: u64) -> anyhow::Result<Self> {
        let form: ActivityForm = toml::from_str(ACTIVITY)?;
        let written = form.read(ID, 1).map_err(|wrong| anyhow::anyhow!("{wrong:?}"))?;
        let Plan::Instant(strategy) = written.plan else { bail!("the activity of the bench is a raffle") };
        let deck = Deck::new(strategy).map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
        let table = Arc::new(Table::new(ID, 1, deck, &DrawSecret::new([7; 32])));
        let clock = SystemClock::default().now();
        let day = Day { number: 20_261_115, from: Timestamp(0), until: Timestamp(i64::MAX) };
        Ok(Self { ledger: Ledger::new(Limits::default()), clock, table, day, players, drawn: 0 })
    }

    /// The prizes' pools, and the activity.
    fn opening(&mut self) -> anyhow::Result<Vec<Event>> {
        let mut events = vec![self.ledger.begin_term(self.clock)];
        let table = Arc::clone(&self.table);
        for prize in &table.deck().strategy().prizes {
            let PrizeStock::Pool { pool, units } = prize.stock else { continue };
            let name =
                PoolName::new(&format!("prize/{ID}/{}", prize.id.number())).context("a pool's name")?;
            let key = Key::of("bench", 0, name.as_str());
            let note = Note::default();
            let open = Command::direct(
                key,
                note,
                Act::PoolOpen { pool, name, round: 1, total: units, owner_max: 0 },
            );
            events.push(self.tell(&open)?);
        }
        let terms = Terms {
            version: 1,
            from: self.clock,
            until: self.clock + 1_000 * DAY_MS,
            entries: None,
            limits: ChanceLimits { total: 1_000_000, month: 0, day: 0 },
            begin: Some(table.begin()),
        };
        let (key, note) = (Key::of("bench", 0, "open"), Note::default());
        let open = Command::direct(key, note, Act::ActivityOpen { activity: ID, round: 1, terms });
        events.push(self.tell(&open)?);
        Ok(events)
    }

    fn draw(&mut self, count: u64) -> anyhow::Result<Vec<Event>> {
        let mut events = Vec::with_capacity(usize::try_from(count)?);
        for _ in 0..count {
            self.drawn += 1;
            if self.drawn.is_multiple_of(PER_S / 1_000) {
                self.clock = self.clock + 1;
            }
            // An odd factor visits everybody, in no order.
            let user = self.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15) % self.players;
            let user = UserId(i64::try_from(user)? + 1);
            let draw = Draw {
                key: Key::of("draw", user.0, &format!("{:024x}", self.drawn)),
                activity: ID,
                round: 1,
                user,
                draws: Draws::new(1).context("one draw")?,
                day: self.day,
                client: None,
                standing: PlayerFacts::default(),
                table: Arc::clone(&self.table),
            };
            events.push(self.tell(&Command::Draw(Box::new(draw)))?);
        }
        Ok(events)
    }

    fn tell(&mut self, command: &Command) -> anyhow::Result<Event> {
        match self.ledger.apply_after_look_up(self.clock, command, Some(self.ledger.seq())) {
            Answer::Accepted { event, .. } => Ok(event),
            other => bail!("a bench could not go on: {other:?}"),
        }
    }
}
