//! What can be read of a ledger: its pools, holds, rounds, players and tickets, as views. Nothing here changes anything.

use std::collections::HashMap;

use super::command::{Key, PoolId};
use super::play::{
    Account, Activity, ActivityView, PlayOutcome, PlayerState, RoundState, Ticket, TicketView,
};
use super::record::{HeldLine, Hold, HoldEnd, HoldState, HoldView, LineView, PoolView, Record};
use super::slab::Slot;
use super::state::{Ledger, hash, part};
use crate::ids::{ActivityId, UserId};
use crate::time::Timestamp;

impl Ledger {
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn term(&self) -> u32 {
        self.term
    }

    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// When [`ExpireOne`](super::Command::ExpireOne) may next find something.
    pub fn next_expiry(&self) -> Option<Timestamp> {
        self.due.next_look()
    }

    pub fn pool(&self, pool: PoolId) -> Option<PoolView> {
        self.current.get(&pool).map(|slot| self.pools[*slot].view())
    }

    pub fn pools(&self) -> impl Iterator<Item = PoolView> {
        self.current.values().map(|slot| self.pools[*slot].view())
    }

    /// A hold that is still in memory, as it is written down: whoever tells of it calls [`Ledger::end_due`] first.
    /// Of one that was cancelled before it arrived, only that.
    pub fn hold(&self, key: Key) -> Option<HoldView> {
        match &self.records[self.find(key)?] {
            Record::Hold(hold) => Some(self.hold_view(hold)),
            Record::Tombstone { .. } => Some(HoldView::spent(key, Timestamp(0))),
            Record::Directive { .. } | Record::Ticket(_) => None,
        }
    }

    /// Whether something may have been accepted under an id: it was, as far as memory goes, or it looks like one that
    /// left. A "no" is certain.
    pub fn may_know(&self, key: Key) -> bool {
        self.find(key).is_some() || self.filter.contains(key.fingerprint())
    }

    /// What the clock said last. It is behind the ledger's time after it was put back.
    pub fn clock(&self) -> Timestamp {
        self.now - self.behind_ms
    }

    /// Holds that are neither confirmed nor cancelled nor expired.
    pub fn open_holds(&self) -> usize {
        self.due.len()
    }

    /// Records in memory, and fingerprints of those that left.
    pub fn sizes(&self) -> (usize, usize) {
        (self.records.len(), self.filter.len())
    }

    pub(super) fn find(&self, key: Key) -> Option<Slot> {
        let found = |(of, slot): &(u32, Slot)| *of == part(key) && self.records[*slot].key() == key;
        self.by_key.find(hash(key), found).map(|(_, slot)| *slot)
    }

    pub(super) fn hold_at(&self, slot: Slot) -> &Hold {
        match &self.records[slot] {
            Record::Hold(hold) => hold,
            Record::Tombstone { .. } | Record::Directive { .. } | Record::Ticket(_) => {
                unreachable!("the slot of a hold")
            }
        }
    }

    pub(super) fn ticket_at(&self, slot: Slot) -> &Ticket {
        match &self.records[slot] {
            Record::Ticket(ticket) => ticket,
            Record::Hold(_) | Record::Tombstone { .. } | Record::Directive { .. } => {
                unreachable!("the slot of a ticket")
            }
        }
    }

    pub(super) fn activity(&self, activity: ActivityId) -> Option<&Activity> {
        self.running.get(&activity).map(|slot| &self.activities[*slot])
    }

    pub(super) fn ticket_view(&self, ticket: &Ticket) -> TicketView {
        let Activity { id, round, .. } = self.activities[ticket.activity];
        TicketView {
            key: ticket.key,
            activity: id,
            round,
            user: ticket.user,
            first: ticket.first,
            draws: ticket.draws,
            made: ticket.made,
            settlement: ticket.settlement.clone(),
            receipt: ticket.receipt,
        }
    }

    pub(super) fn ticket_outcome(&self, ticket: &Ticket) -> PlayOutcome {
        let account = self.activities[ticket.activity].account(ticket.user);
        PlayOutcome::Ticket { ticket: self.ticket_view(ticket), account }
    }

    /// A ticket that is still in memory, and the chances of its player in its round.
    pub fn ticket(&self, key: Key) -> Option<(TicketView, Account)> {
        match &self.records[self.find(key)?] {
            Record::Ticket(ticket) => {
                let account = self.activities[ticket.activity].account(ticket.user);
                Some((self.ticket_view(ticket), account))
            }
            Record::Hold(_) | Record::Tombstone { .. } | Record::Directive { .. } => None,
        }
    }

    /// The current round of an activity, and what it has come to.
    pub fn round(&self, activity: ActivityId) -> Option<(ActivityView, RoundState)> {
        let found = self.activity(activity)?;
        Some((found.view(), RoundState { chain: found.chain, tally: found.tally.clone() }))
    }

    /// Everything that is known of a player in the current round.
    pub fn player_state(&self, activity: ActivityId, user: UserId) -> Option<PlayerState> {
        let found = self.activity(activity)?;
        let player = found.players.get(&user.0).copied().unwrap_or_default();
        Some(PlayerState {
            account: player.account,
            seat: player.seat,
            last: player.last,
            client: found.clients.get(&user.0).copied(),
            wins: found.capped.get(&user.0).cloned().unwrap_or_default(),
        })
    }

    /// Whether the switch is on that stops every activity.
    pub fn halted(&self) -> bool {
        self.halted
    }

    /// A player's chances in the current round, and which round that is.
    pub fn player(&self, activity: ActivityId, user: UserId) -> Option<(u32, Account)> {
        self.activity(activity).map(|found| (found.round, found.account(user)))
    }

    pub(super) fn hold_view(&self, hold: &Hold) -> HoldView {
        let (state, taken): (HoldState, &[u32]) = match &hold.end {
            HoldEnd::Open { .. } => (HoldState::Held, &[]),
            HoldEnd::Confirmed { taken } => (HoldState::Confirmed, taken),
            HoldEnd::Cancelled => (HoldState::Cancelled, &[]),
            HoldEnd::Expired => (HoldState::Expired, &[]),
        };
        let line = |(at, line): (usize, &HeldLine)| {
            let pool = &self.pools[line.pool];
            LineView {
                pool: pool.id,
                round: pool.round,
                units: line.units,
                taken: taken.get(at).copied().unwrap_or(0),
            }
        };
        let lines = hold.lines.as_slice().iter().enumerate().map(line).collect();
        HoldView { key: hold.key, state, made: hold.made, due: hold.due, lines }
    }

    /// Checks everything that must always hold; for tests, simulations and the auditor.
    ///
    /// # Panics
    /// When something does not add up.
    pub fn assert_sound(&self) {
        let mut held: HashMap<Slot, u64> = HashMap::new();
        let mut open = 0;
        for record in self.records.iter() {
            if let Record::Hold(Hold { lines, end: HoldEnd::Open { .. }, .. }) = record {
                open += 1;
                for line in lines.as_slice() {
                    *held.entry(line.pool).or_default() += u64::from(line.units);
                }
            }
        }
        for activity in self.activities.iter() {
            let mut sums = super::audit::PlayerSums::default();
            activity.players.values().for_each(|player| sums.change(&Account::default(), &player.account));
            assert_eq!(sums, activity.sums, "the players of activity {} come to what is kept", activity.id);
        }
        assert_eq!(open, self.open_holds(), "every open hold will be due");
        let mut sum = 0;
        for pool in self.pools.iter() {
            pool.assert_conserved();
            sum += pool.held;
            let owned: u64 = pool.owners.values().map(|units| u64::from(*units)).sum();
            assert!(owned <= pool.held + pool.taken, "owners of pool {} have more than there is", pool.id.0);
        }
        assert_eq!(sum, held.values().sum::<u64>(), "what pools count as held is what holds hold");
        for (slot, units) in held {
            assert_eq!(
                self.pools[slot].held, units,
                "pool {} counts what its holds hold",
                self.pools[slot].id.0
            );
        }
    }
}
