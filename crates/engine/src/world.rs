//! Everything a flow may reach, handed in: ports, settings, ids.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use domain::access::{DailyAllowance, Handout, KeyCaps};
use domain::ids::{ApprovalId, AuditId, UserId};
use domain::snowflake::Snowflake;
use domain::time::Timestamp;
use jiff::tz::TimeZone;
use store::Db;
use store::model::{Actor, AuditStamp, GivingCaps, SecondPerson};

use crate::activity_cache::{ActivityCache, RefusalCounters};
use crate::community::CommunityState;
use crate::draws::crowd::Crowd;
use crate::failure::Result;
use crate::fulfilment::redeem_codes::KnownCodes;
use crate::inventory::PoolNames;
use crate::inventory::auditing::Audits;
use crate::people::WordFilterCache;
use crate::people::passwords::Passwords;
use crate::people::sessions::Sessions;
use crate::points::calendar;
use crate::ports::Backups;
use crate::ports::{
    Auditor, Clock, CodeSender, Disks, Outbound, PaymentGateway, Random, RateLimiter, Stock, Timelines, Vault,
};
use crate::sales::attempts::Attempts;
use crate::sales::gate::SaleGate;
use crate::sales::resizing::Resizing;
use crate::settings::Settings;
use crate::statistics::VisitCounter;

pub struct World {
    pub settings: Settings,
    pub db: Db,
    pub ledger: LedgerParts,
    pub outside: Outside,
    pub people: PeopleState,
    pub sales: SalesState,
    pub community: CommunityState,
    pub statistics: VisitCounter,
    pub caches: Caches,
    pub ids: Ids,
}

/// What a node is made of; everything else begins empty.
pub struct WorldParts {
    pub settings: Settings,
    pub db: Db,
    pub stock: Arc<dyn Stock>,
    pub auditor: Arc<dyn Auditor>,
    pub outside: Outside,
    pub passwords: Passwords,
    pub ids: Ids,
}

impl fmt::Debug for WorldParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldParts").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The world beyond the database and the ledger.
#[derive(Clone)]
pub struct Outside {
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    pub vault: Arc<dyn Vault>,
    pub limits: Arc<dyn RateLimiter>,
    pub sender: Arc<dyn CodeSender>,
    pub outbound: Arc<dyn Outbound>,
    pub payments: Arc<dyn PaymentGateway>,
    pub backups: Arc<dyn Backups>,
    pub disks: Arc<dyn Disks>,
    pub timelines: Arc<dyn Timelines>,
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outside")
    }
}

pub struct LedgerParts {
    /// Decides.
    pub stock: Arc<dyn Stock>,
    /// Holds the ledger against its rows.
    pub auditor: Arc<dyn Auditor>,
    pub audits: Audits,
    /// Held while the ledger is brought to where an activity's row is.
    pub syncing: tokio::sync::Mutex<()>,
}

impl fmt::Debug for LedgerParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LedgerParts").field("audits", &self.audits).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub struct PeopleState {
    pub sessions: Sessions,
    pub passwords: Passwords,
    pub words: WordFilterCache,
}

#[derive(Debug)]
pub struct SalesState {
    pub gate: SaleGate,
    /// Attempts to buy that wait for their decision.
    pub attempts: Attempts,
    pub resizing: Resizing,
}

/// What is kept because it is asked often; all of it can be read anew.
#[derive(Debug, Default)]
pub struct Caches {
    pub activities: ActivityCache,
    pub pool_names: PoolNames,
    pub known_codes: KnownCodes,
    pub crowd: Crowd,
    /// Counted in memory, and nowhere else.
    pub refusals: RefusalCounters,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl World {
    pub fn new(parts: WorldParts) -> Self {
        let WorldParts { settings, db, stock, auditor, outside, passwords, ids } = parts;
        Self {
            settings,
            db,
            ledger: LedgerParts {
                stock,
                auditor,
                audits: Audits::default(),
                syncing: tokio::sync::Mutex::default(),
            },
            people: PeopleState {
                sessions: Sessions::default(),
                passwords,
                words: WordFilterCache::default(),
            },
            sales: SalesState {
                gate: SaleGate::new(outside.vault.as_ref()),
                attempts: Attempts::default(),
                resizing: Resizing::default(),
            },
            statistics: VisitCounter::new(outside.vault.as_ref()),
            outside,
            community: CommunityState::default(),
            caches: Caches::default(),
            ids,
        }
    }

    pub fn now(&self) -> Timestamp {
        self.outside.clock.now()
    }

    pub fn next_id(&self) -> i64 {
        self.ids.next(self.now())
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.outside.random.fill(&mut bytes);
        bytes
    }

    /// The day in the site's zone, as yyyymmdd.
    pub fn site_day(&self, at: Timestamp) -> i64 {
        day_number(at, &self.settings.site_zone)
    }

    /// What the site's zone is called.
    pub fn site_zone_name(&self) -> String {
        self.settings.site_zone.iana_name().unwrap_or("UTC").to_owned()
    }

    /// When points that come now expire.
    pub fn points_expire(&self, at: Timestamp) -> Timestamp {
        calendar::expires(self.settings.points_expire, at, &self.settings.site_zone)
    }

    /// What one person may do to points by hand on the day of a moment.
    pub fn points_alone(&self, at: Timestamp) -> DailyAllowance {
        DailyAllowance { day: self.site_day(at), max: self.settings.alone.points_daily_max }
    }

    /// The same for chances.
    pub fn chances_alone(&self, at: Timestamp) -> DailyAllowance {
        DailyAllowance { day: self.site_day(at), max: self.settings.alone.chances_daily_max }
    }

    /// The same for what is put out by hand.
    pub fn handout_alone(&self, handout: Handout, at: Timestamp) -> DailyAllowance {
        match handout {
            Handout::Chances(_) => self.chances_alone(at),
            Handout::Pieces(_) => {
                DailyAllowance { day: self.site_day(at), max: self.settings.alone.pieces_daily_max }
            }
            Handout::Stop => self.key_caps(at).stops,
            Handout::Bar(_) => self.key_caps(at).bars,
        }
    }

    /// What all keys of one person may do.
    fn key_caps(&self, at: Timestamp) -> KeyCaps {
        let (day, alone) = (self.site_day(at), &self.settings.alone);
        KeyCaps {
            stops: DailyAllowance { day, max: alone.key_stops_daily_max },
            bars: DailyAllowance { day, max: alone.key_bars_daily_max },
        }
    }

    /// What one person may refund, of each currency.
    pub fn refunds_alone(&self, at: Timestamp) -> DailyAllowance {
        DailyAllowance { day: self.site_day(at), max: self.settings.alone.refunds_daily_max_minor }
    }

    /// What one person may let grant rules give on the day of a moment.
    pub fn giving_caps(&self, at: Timestamp) -> GivingCaps {
        GivingCaps {
            points: self.points_alone(at),
            chances: self.chances_alone(at),
            second: self.second_person(),
        }
    }

    /// What it takes to ask a second person, should a step need one.
    pub fn second_person(&self) -> SecondPerson {
        SecondPerson { approval: ApprovalId(self.next_id()), audit_id: self.next_id() }
    }

    /// For an actor who answers for themselves. Whoever acts with a key says who made it: [`AuditStamp::with_maker`].
    pub fn audit_stamp(&self, actor: Actor, reason: &str, request_id: &str) -> AuditStamp {
        let (AuditId(audit_id), at) = (AuditId(self.next_id()), self.now());
        let responsible = match actor {
            Actor::Person(user) => Some(user),
            Actor::Key(_) | Actor::Console | Actor::System => None,
        };
        AuditStamp {
            actor,
            responsible,
            reason: reason.to_owned(),
            request_id: request_id.to_owned(),
            at,
            audit_id,
            key_caps: self.key_caps(at),
        }
    }

    /// What is older is not this user's to see: it was done before the account was deleted and came back.
    pub async fn visible_since(&self, user: UserId) -> Result<Timestamp> {
        let standing = self.people.sessions.standing(&self.db, user).await?;
        Ok(standing.and_then(|standing| standing.revived).unwrap_or(Timestamp(0)))
    }

    pub fn new_user_id(&self) -> UserId {
        UserId(self.next_id())
    }
}

/// yyyymmdd of a moment in a zone.
pub fn day_number(at: Timestamp, zone: &TimeZone) -> i64 {
    let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let date = moment.to_zoned(zone.clone()).date();
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

/// The node's id generator, shared by all requests.
#[derive(Debug)]
pub struct Ids(Mutex<Snowflake>);

impl Ids {
    pub fn new(node: i64) -> Self {
        Self(Mutex::new(Snowflake::new(node)))
    }

    pub fn next(&self, now: Timestamp) -> i64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_belongs_to_its_zone() {
        let shanghai = TimeZone::get("Asia/Shanghai").unwrap();
        for (ms, zone, day) in [
            (0, TimeZone::UTC, 19_700_101),
            (1_704_038_400_000, TimeZone::UTC, 20_231_231),
            (1_704_038_400_000, shanghai.clone(), 20_240_101),
            (1_704_038_399_999, shanghai, 20_231_231),
        ] {
            assert_eq!(day_number(Timestamp(ms), &zone), day, "{ms}");
        }
    }
}
