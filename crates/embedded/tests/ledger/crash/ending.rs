//! The end of a run: no more faults, everybody gets an answer, everything is returned, and all of it is sold again.

use domain::ledger::play::PlayOutcome;
use domain::ledger::{
    Act, Answer, Command, Effect, HoldState, Key, Line, Note, PoolId, PoolRefusal, PoolState, Refusal, Text,
};

use super::clients::{POOLS, units};
use super::players::ACTIVITY;
use super::truth::{Complaint, Truth};
use super::world::World;

/// Rounds of everybody asking before it counts as never.
const PATIENCE: usize = 2_000;

impl World {
    pub(super) fn end(&mut self) -> Result<(), Complaint> {
        self.calm = true;
        self.answer_everybody()?;
        self.return_everything()?;
        // Once more from the disk, and with an empty memory, so that every old id is looked up.
        self.crash()?;
        self.settle()?;
        self.project()?;
        self.core.projected(self.database.position(), usize::MAX);
        self.old_ids_answer_the_same()?;
        self.refusals_are_not_remembered()?;
        self.return_everything()?;
        self.everything_is_sellable()
    }

    fn answer_everybody(&mut self) -> Result<(), Complaint> {
        for _ in 0..PATIENCE {
            let asking = |at: &usize| !self.clients[*at].done();
            let Some(at) = (0..self.clients.len()).find(asking) else { return Ok(()) };
            for command in self.clients[at].turn(&mut self.random) {
                self.ask(Some(at), command);
            }
            self.settle()?;
        }
        Err("somebody never got an answer".to_owned())
    }

    /// Everything on its way arrives, everything decided is committed, everything committed is told.
    fn settle(&mut self) -> Result<(), Complaint> {
        for _ in 0..PATIENCE {
            self.project()?;
            for _ in 0..self.network.len() {
                self.deliver()?;
            }
            self.seal();
            while !self.flight.is_empty() {
                self.commit()?;
            }
            if self.network.is_empty() {
                return Ok(());
            }
        }
        Err("something never arrived".to_owned())
    }

    fn return_everything(&mut self) -> Result<(), Complaint> {
        self.clock = self.core.ledger().now() + 10_000_000;
        while self.core.expire(self.clock) > 0 {
            self.settle()?;
        }
        self.settle()?;
        let truth = self.auditor.examine(&self.journal)?;
        if let Some((key, _)) = truth.holds.iter().find(|(_, hold)| hold.end.is_none()) {
            return Err(format!("{key:?} never ends"));
        }
        let head = self.core.ledger().round(ACTIVITY).map(|(_, come_to)| come_to.chain);
        if truth.chain(ACTIVITY) != head {
            return Err("the chain ends elsewhere".to_owned());
        }
        self.compare(&truth)
    }

    /// The ledger's counters are what the events add up to, and nothing is held any more.
    fn compare(&self, truth: &Truth) -> Result<(), Complaint> {
        for pool in POOLS {
            let Some(round) = truth.rounds.get(&pool) else { continue };
            let expected = &truth.pools[&(pool, *round)];
            let view = self.core.ledger().pool(pool).ok_or("a pool is gone")?;
            let counted = (view.round, view.total, view.available + view.taken, view.taken, view.held);
            if counted != (*round, expected.total, expected.total, expected.taken, 0) {
                return Err(format!("{view:?} does not add up: the events say {} taken", expected.taken));
            }
        }
        Ok(())
    }

    fn old_ids_answer_the_same(&mut self) -> Result<(), Complaint> {
        let old: Vec<Command> = self.auditor.granted_ids().cloned().collect();
        for command in old {
            match self.answer(&command)? {
                Answer::Replayed(Effect::Hold(view)) if view.state != HoldState::Held => {}
                Answer::Replayed(Effect::Play(PlayOutcome::Ticket { .. })) => {}
                other => return Err(format!("{command:?} was granted once, and now: {other:?}")),
            }
        }
        Ok(())
    }

    /// Stock for everybody, no limits: now those who gave up are served, under the id that was refused.
    fn refusals_are_not_remembered(&mut self) -> Result<(), Complaint> {
        let truth = self.auditor.examine(&self.journal)?;
        for pool in self.open_pools() {
            let key = |what: &str| Key::of("the end", pool.0, what);
            let note = Note::default;
            self.answer(&Command::direct(key("stock"), note(), Act::PoolAdjust { pool, delta: 1_000 }))?;
            self.answer(&Command::direct(key("limit"), note(), Act::PoolLimit { pool, owner_max: 0 }))?;
        }
        let open = self.open_pools();
        let given_up: Vec<Command> =
            self.clients.iter().filter_map(|client| client.given_up.clone()).collect();
        for command in given_up {
            let Command::Reserve { lines, key, .. } = &command else { continue };
            let decided = truth.ids.contains(key);
            let possible = lines.iter().all(|line| open.contains(&line.pool));
            match self.answer(&command)? {
                // A copy of it that was late on the wire.
                Answer::Replayed(_) if decided => {}
                Answer::Accepted { .. } if possible && !decided => {}
                Answer::Refused(refusal) if !possible && !refusal.tells_of_an_outcome() => {}
                other => return Err(format!("{command:?} was refused once, and now: {other:?}")),
            }
        }
        Ok(())
    }

    fn everything_is_sellable(&mut self) -> Result<(), Complaint> {
        for pool in self.open_pools() {
            let free = self.core.ledger().pool(pool).ok_or("a pool is gone")?.available;
            if free > 0 {
                let all = self.answer(&reserve(pool, "all that is left", i64::try_from(free).unwrap()))?;
                if !matches!(all, Answer::Accepted { .. }) {
                    return Err(format!("{free} units of {pool:?} are free and not sold: {all:?}"));
                }
            }
            let more = self.answer(&reserve(pool, "one more", 1))?;
            if more != Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { pool, left: 0 })) {
                return Err(format!("all of {pool:?} was sold, and yet: {more:?}"));
            }
        }
        self.auditor.examine(&self.journal).map(drop)
    }

    fn open_pools(&self) -> Vec<PoolId> {
        let open =
            |pool: &PoolId| self.core.ledger().pool(*pool).is_some_and(|view| view.state == PoolState::Open);
        POOLS.into_iter().filter(open).collect()
    }

    /// Asks until there is an answer, by way of the database where need be.
    fn answer(&mut self, command: &Command) -> Result<Answer, Complaint> {
        self.last = None;
        self.ask(None, command.clone());
        self.settle()?;
        self.last.take().ok_or_else(|| format!("{command:?} was never answered"))
    }
}

fn reserve(pool: PoolId, name: &str, free: i64) -> Command {
    let name = format!("{name} {}", pool.0);
    Command::Reserve {
        key: Key::of("the end", 0, &name),
        id: Text::new(&name).unwrap(),
        caller: 9,
        owner: None,
        lines: vec![Line { pool, quantity: units(free) }],
        ttl_ms: 1_000,
        gates: Vec::new(),
    }
}
