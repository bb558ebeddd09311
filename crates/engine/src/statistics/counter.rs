//! What was counted and is not written yet, and what was counted today and need not be looked at again. Both are bounded: what
//! finds no room is not counted, and tries again with the next request.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use domain::civil_date::CivilDate;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::Day;
use domain::statistics::{CountedStep, DistinctCount, VisitorKey};
use domain::time::Timestamp;
use jiff::tz::TimeZone;
use store::model::{VisitPlace, VisitSubject};

use crate::activity_cache::day_at;
use crate::ports::Vault;
use crate::recent::Recent;

/// Hashes that are known to be counted today, at most; another one is added once more and changes nothing.
const SEEN_MAX: usize = 500_000;
const SEEN_KEEP: Duration = Duration::from_secs(24 * 60 * 60);
/// Counts in memory, at most, each of nine kilobytes at most.
const COUNTS_MAX: usize = 4_096;
/// People who wait to be written, at most.
const PEOPLE_MAX: usize = 100_000;

/// One of these for each process.
#[derive(Debug)]
pub struct VisitCounter {
    key: VisitorKey,
    /// Today, as long as it lasts.
    today: RwLock<Option<(Day, CivilDate)>>,
    seen: Recent<(VisitSubject, CountedStep, u64), CivilDate>,
    seen_people: Recent<UserId, CivilDate>,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    counts: HashMap<VisitPlace, Counting>,
    people: BTreeMap<CivilDate, BTreeSet<UserId>>,
}

/// A count of a day stays in memory until the day is over, so that what came before changes nothing.
#[derive(Debug, Default)]
struct Counting {
    counted: DistinctCount,
    is_written: bool,
}

/// People who were active on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TakenPeople {
    pub day: CivilDate,
    pub people: Vec<UserId>,
    /// Nobody else waited.
    pub is_last: bool,
}

impl VisitCounter {
    pub fn new(vault: &dyn Vault) -> Self {
        Self {
            key: VisitorKey::new(vault.index("statistics", "visitors")),
            today: RwLock::default(),
            seen: Recent::new(SEEN_MAX, SEEN_KEEP),
            seen_people: Recent::new(SEEN_MAX, SEEN_KEEP),
            waiting: Mutex::default(),
        }
    }

    pub fn key(&self) -> &VisitorKey {
        &self.key
    }

    /// The date in the site's zone.
    pub(super) fn date(&self, now: Timestamp, zone: &TimeZone) -> Option<CivilDate> {
        let today = *self.today.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, date)) = today.filter(|(day, _)| day.contains(now)) {
            return Some(date);
        }
        let day = day_at(now, zone);
        let date = CivilDate::from_number(i64::from(day.number))?;
        *self.today.write().unwrap_or_else(PoisonError::into_inner) = Some((day, date));
        Some(date)
    }

    /// Whether a hash is known to be counted.
    pub(super) fn has_counted(&self, VisitPlace { subject, step, day }: VisitPlace, hash: u64) -> bool {
        self.seen.get(&(subject, step, hash)) == Some(day)
    }

    /// Counts a hash, if there is room.
    pub(super) fn count(&self, place: VisitPlace, hash: u64) {
        if self.has_counted(place, hash) {
            return;
        }
        let mut waiting = self.waiting();
        if waiting.counts.len() >= COUNTS_MAX && !waiting.counts.contains_key(&place) {
            waiting.counts.retain(|other, counting| !counting.is_written || other.day >= place.day);
            if waiting.counts.len() >= COUNTS_MAX {
                return;
            }
        }
        let counting = waiting.counts.entry(place).or_default();
        if counting.counted.insert(hash) {
            counting.is_written = false;
        }
        drop(waiting);
        self.seen.insert((place.subject, place.step, hash), place.day);
    }

    /// Somebody was active.
    pub(super) fn count_person(&self, user: UserId, day: CivilDate) {
        if self.seen_people.get(&user) == Some(day) {
            return;
        }
        let mut waiting = self.waiting();
        if waiting.people.values().map(BTreeSet::len).sum::<usize>() >= PEOPLE_MAX {
            return;
        }
        waiting.people.entry(day).or_default().insert(user);
        drop(waiting);
        self.seen_people.insert(user, day);
    }

    /// An attempt to buy was taken in.
    pub fn count_attempt(
        &self,
        (sale, round): (ActivityId, u32),
        user: UserId,
        now: Timestamp,
        zone: &TimeZone,
    ) {
        let Some(day) = self.date(now, zone) else { return };
        let place =
            VisitPlace { subject: VisitSubject::Round(sale, round), step: CountedStep::Attempted, day };
        self.count(place, self.key.person(user));
    }

    /// Counts that changed since they were written. They pass for written from now on: [`Self::give_back`] those that are not.
    pub(super) fn take_counts(&self, max: usize, today: CivilDate) -> Vec<(VisitPlace, DistinctCount)> {
        let mut waiting = self.waiting();
        waiting.counts.retain(|place, counting| !counting.is_written || place.day >= today);
        let changed = waiting.counts.iter_mut().filter(|(_, counting)| !counting.is_written).take(max);
        changed
            .map(|(place, counting)| {
                counting.is_written = true;
                (*place, counting.counted.clone())
            })
            .collect()
    }

    pub(super) fn give_back(&self, counts: Vec<(VisitPlace, DistinctCount)>) {
        let mut waiting = self.waiting();
        for (place, counted) in counts {
            let counting = waiting.counts.entry(place).or_default();
            counting.counted.merge(&counted);
            counting.is_written = false;
        }
    }

    /// People of one day, the oldest first. [`Self::give_people_back`] those that are not written.
    pub(super) fn take_people(&self, max: usize) -> Option<TakenPeople> {
        let mut waiting = self.waiting();
        let mut first = waiting.people.first_entry()?;
        let people: Vec<UserId> = first.get().iter().copied().take(max).collect();
        people.iter().for_each(|user| {
            first.get_mut().remove(user);
        });
        let day = *first.key();
        if first.get().is_empty() {
            first.remove();
        }
        Some(TakenPeople { day, people, is_last: waiting.people.is_empty() })
    }

    pub(super) fn give_people_back(&self, day: CivilDate, people: Vec<UserId>) {
        self.waiting().people.entry(day).or_default().extend(people);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Fault;
    use crate::ports::SealContext;

    struct OneKey;

    impl Vault for OneKey {
        fn seal(&self, _: SealContext, plain: &[u8]) -> Vec<u8> {
            plain.to_vec()
        }

        fn open(&self, _: SealContext, sealed: &[u8]) -> Result<Vec<u8>, Fault> {
            Ok(sealed.to_vec())
        }

        fn index(&self, _: &str, _: &str) -> [u8; 32] {
            [7; 32]
        }

        fn is_current(&self, _: &[u8]) -> bool {
            true
        }
    }

    fn date(text: &str) -> CivilDate {
        CivilDate::parse(text).unwrap()
    }

    fn site(day: &str) -> VisitPlace {
        VisitPlace { subject: VisitSubject::Site, step: CountedStep::Visitors, day: date(day) }
    }

    fn counts(counter: &VisitCounter, today: &str) -> Vec<(VisitPlace, u64)> {
        let taken = counter.take_counts(100, date(today));
        taken.into_iter().map(|(place, counted)| (place, counted.count())).collect()
    }

    #[test]
    fn what_is_written_is_not_written_again_until_it_changes() {
        let counter = VisitCounter::new(&OneKey);
        let today = "2026-11-18";
        for hash in [5, 6, 5] {
            counter.count(site(today), hash);
        }
        assert_eq!(counts(&counter, today), [(site(today), 2)]);
        counter.count(site(today), 6);
        assert_eq!(counts(&counter, today), []);
        counter.count(site(today), 7);
        assert_eq!(
            counts(&counter, today),
            [(site(today), 3)],
            "all of the day, since unions can be repeated"
        );
        // A day that is over leaves memory once it is written.
        assert_eq!(counts(&counter, "2026-11-19"), []);
        assert!(counter.waiting().counts.is_empty());
    }

    #[test]
    fn what_could_not_be_written_is_written_later() {
        let counter = VisitCounter::new(&OneKey);
        let (today, tomorrow) = ("2026-11-18", "2026-11-19");
        counter.count(site(today), 5);
        let taken = counter.take_counts(100, date(today));
        counter.count(site(today), 6);
        counter.give_back(taken);
        assert_eq!(counts(&counter, tomorrow), [(site(today), 2)]);
        for user in [3, 1, 2, 1] {
            counter.count_person(UserId(user), date(today));
        }
        counter.count_person(UserId(1), date(tomorrow));
        let people = |day, people: &[i64], is_last| {
            Some(TakenPeople {
                day: date(day),
                people: people.iter().copied().map(UserId).collect(),
                is_last,
            })
        };
        let taken = counter.take_people(2);
        assert_eq!(taken, people(today, &[1, 2], false));
        counter.give_people_back(date(today), taken.unwrap().people);
        assert_eq!(counter.take_people(9), people(today, &[1, 2, 3], false));
        assert_eq!(counter.take_people(9), people(tomorrow, &[1], true));
        assert_eq!(counter.take_people(9), None);
    }

    #[test]
    fn hole_59_memory_is_bounded_whatever_is_counted() {
        let counter = VisitCounter::new(&OneKey);
        for activity in 0..10_000 {
            let subject = VisitSubject::Round(ActivityId(i64::MAX - activity), 1);
            let place = VisitPlace { subject, step: CountedStep::Visitors, day: date("2026-11-18") };
            counter.count(place, 5);
            assert_eq!(counter.has_counted(place, 5), activity < 4_096, "what found no room is tried again");
        }
        assert_eq!(counter.waiting().counts.len(), COUNTS_MAX);
        for user in 0..150_000 {
            counter.count_person(UserId(i64::MAX - user), date("2026-11-18"));
        }
        assert_eq!(counter.take_people(usize::MAX).unwrap().people.len(), PEOPLE_MAX);
    }

    #[test]
    fn the_date_is_that_of_the_zone_and_follows_the_clock() {
        let counter = VisitCounter::new(&OneKey);
        let shanghai = TimeZone::get("Asia/Shanghai").unwrap();
        for (moment, expected) in [
            ("2026-11-18T15:59:59.999Z", "2026-11-18"),
            ("2026-11-18T16:00:00Z", "2026-11-19"),
            ("2026-11-17T16:00:00Z", "2026-11-18"),
        ] {
            let at = Timestamp(moment.parse::<jiff::Timestamp>().unwrap().as_millisecond());
            assert_eq!(counter.date(at, &shanghai), Some(date(expected)), "{moment}");
        }
    }
}
