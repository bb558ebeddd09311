//! How many draws a second the projection takes in, million by million, on SQLite.
//!
//! `cargo run --release -p windfall-store --example projected_draws -- 10 1000000` projects ten million single draws of
//! a million players, three in ten of which win something. Only the projection is timed; deciding is not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ChanceLimits, Day, Draw, Draws, PlayerFacts, Table, Terms};
use domain::ledger::{Act, Answer, Command, Event, Key, Ledger, Limits, Note, PoolId, PoolName};
use domain::lottery::deck::Deck;
use domain::lottery::random::DrawSecret;
use domain::lottery::strategy::{
    Budget, Mode, OddsSlice, OddsTable as Odds, Prize, PrizeId, PrizeStock, SlotIndex, Strategy,
};
use domain::time::Timestamp;
use windfall_store::{Db, SqliteSettings};

/// As the projector does.
const BATCH: usize = 8_192;
const MILLION: u64 = 1_000_000;
const ACTIVITY: ActivityId = ActivityId(1);
const POOL: PoolId = PoolId(1);
const T0: Timestamp = Timestamp(1_700_000_000_000);

type Trouble = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Trouble> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let millions = numbers.next().transpose()?.unwrap_or(1);
    let players = numbers.next().transpose()?.unwrap_or(MILLION);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("windfall.db");
    let db = Db::open_sqlite(&SqliteSettings::at(path.clone()))?;
    db.migrate(T0).await?;
    let table = table()?;
    let mut bench = Bench { ledger: Ledger::new(Limits::default()), table, now: T0, events: Vec::new() };
    bench.open()?;
    let mut random = 1_u64;
    for million in 1..=millions {
        let mut took = Duration::ZERO;
        for n in 0..MILLION {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bench.draw(i64::try_from((random >> 16) % players)? + 1, million * MILLION + n)?;
            if bench.events.len() >= BATCH || n + 1 == MILLION {
                let batch = std::mem::take(&mut bench.events);
                let started = Instant::now();
                let reached = db.ledger_project(batch).await?;
                took += started.elapsed();
                bench.ledger.forget(reached.seq, usize::MAX);
            }
        }
        let mib = std::fs::metadata(&path)?.len() >> 20;
        println!("million {million}: {:.0} draws/s, {mib} MiB", MILLION as f64 / took.as_secs_f64());
    }
    let started = Instant::now();
    let image = db.ledger_load().await?;
    println!("loaded {} players in {:.1?}", image.activities[0].players.len(), started.elapsed());
    let counts = db.round_find((ACTIVITY, 1)).await?.map(|round| round.counts);
    println!("{counts:?}");
    Ok(())
}

struct Bench {
    ledger: Ledger,
    table: Arc<Table>,
    now: Timestamp,
    events: Vec<Event>,
}

impl Bench {
    fn open(&mut self) -> Result<(), Trouble> {
        self.events.push(self.ledger.begin_term(T0));
        let (key, name) = (Key::of("pool", 0, "open"), PoolName::new("prize/1/1").ok_or("a name")?);
        let (total, owner_max, note) = (1 << 40, 0, Note::default());
        self.tell(&Command::direct(
            key,
            note,
            Act::PoolOpen { pool: POOL, name, round: 1, total, owner_max },
        ))?;
        let terms = Terms {
            version: 1,
            from: T0,
            until: Timestamp(i64::MAX),
            entries: None,
            limits: ChanceLimits { total: u32::MAX, month: 0, day: 0 },
            begin: Some(self.table.begin()),
        };
        let (key, note) = (Key::of("activity", 0, "open"), Note::default());
        self.tell(&Command::direct(key, note, Act::ActivityOpen { activity: ACTIVITY, round: 1, terms }))
    }

    fn draw(&mut self, user: i64, n: u64) -> Result<(), Trouble> {
        self.now = self.now + i64::from(n.is_multiple_of(30));
        let draw = Draw {
            key: Key::of("draw", user, &n.to_string()),
            activity: ACTIVITY,
            round: 1,
            user: UserId(user),
            draws: Draws::new(1).ok_or("one")?,
            day: Day { number: 20_231_114, from: T0, until: Timestamp(i64::MAX) },
            client: None,
            standing: PlayerFacts::default(),
            table: Arc::clone(&self.table),
        };
        self.tell(&Command::Draw(Box::new(draw)))
    }

    fn tell(&mut self, command: &Command) -> Result<(), Trouble> {
        let mut answer = self.ledger.apply(self.now, command);
        if answer == Answer::LookUp {
            let seq = self.ledger.seq();
            answer = self.ledger.apply_after_look_up(self.now, command, Some(seq));
        }
        match answer {
            Answer::Accepted { event, .. } => self.events.push(event),
            other => return Err(format!("{command:?}: {other:?}").into()),
        }
        Ok(())
    }
}

/// One in a hundred wins gold, twenty-nine win silver.
fn table() -> Result<Arc<Table>, Trouble> {
    let prize = |number, stock, cost_minor| -> Option<Prize> {
        Some(Prize {
            id: PrizeId::new(number)?,
            name: format!("prize {number}"),
            slot: SlotIndex(number),
            stock,
            cost_minor,
            unlock: None,
            win_cap: None,
            release: Vec::new(),
            hourly_cap: None,
            withdrawn_for: Vec::new(),
        })
    };
    let gold = prize(1, PrizeStock::Pool { pool: POOL, units: 1 << 39 }, 9_900).ok_or("gold")?;
    let silver = prize(2, PrizeStock::Unlimited, 100).ok_or("silver")?;
    let slices = vec![OddsSlice { prize: gold.id, odds: 1 }, OddsSlice { prize: silver.id, odds: 29 }];
    let strategy = Strategy {
        version: 1,
        whole: 100,
        mode: Mode::Fixed,
        prizes: vec![gold, silver],
        tables: vec![Odds { slices }],
        miss_slot: SlotIndex(0),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    };
    let deck = Deck::new(strategy).map_err(|problems| format!("{problems:?}"))?;
    Ok(Arc::new(Table::new(ACTIVITY, 1, deck, &DrawSecret::new([7; 32]))))
}
