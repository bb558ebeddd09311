//! One task per lane, for as long as there is such a lane.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::Rejection;
use ledger::background::rest_after;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::failure::{Failure, Result};
use crate::relay::Handler;
use crate::relay::figures::figures;
use crate::relay::lane::{Lane, Turn, story};
use crate::world::World;

/// How soon an idle lane is looked at again.
const TICK: Duration = Duration::from_millis(200);
/// How long a lane rests after a failure that is no message's.
const REST: Duration = Duration::from_secs(1);
/// How often lanes are listed, and their figures told.
const LIST: Duration = Duration::from_secs(2);

struct Working {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Works until `stop` resolves. A batch under way is finished first.
pub async fn run_until(
    world: Arc<World>,
    handlers: Vec<Arc<dyn Handler>>,
    holder: String,
    stop: impl Future<Output = ()>,
) {
    tokio::pin!(stop);
    let mut working: HashMap<String, Working> = HashMap::new();
    loop {
        match list_lanes(&world, &handlers).await {
            Ok(lanes) => settle(&world, &holder, &mut working, lanes).await,
            Err(failure) => tracing::error!(failure = story(&failure), "lanes could not be listed"),
        }
        if let Err(failure) = figures(&world, &handlers).await {
            tracing::warn!(failure = story(&failure), "figures of the outbox could not be read");
        }
        tokio::select! {
            () = &mut stop => break,
            () = tokio::time::sleep(LIST) => {}
        }
    }
    for lane in working.values() {
        let _ = lane.stop.send(true);
    }
    for (_, lane) in working {
        let _ = lane.task.await;
    }
}

/// Works until no lane has anything due; answers how many messages were handled.
pub async fn drain(world: &World, handlers: &[Arc<dyn Handler>], holder: &str) -> Result<u64> {
    let mut all = 0;
    for (name, handler) in list_lanes(world, handlers).await? {
        let mut lane = Lane::new(name, handler, holder);
        while let Turn::Worked(some) = lane.turn(world).await? {
            all += some;
        }
    }
    Ok(all)
}

async fn list_lanes(world: &World, handlers: &[Arc<dyn Handler>]) -> Result<Vec<(String, Arc<dyn Handler>)>> {
    let mut lanes = Vec::new();
    for handler in handlers {
        lanes.extend(handler.lanes(world).await?.into_iter().map(|lane| (lane, Arc::clone(handler))));
    }
    Ok(lanes)
}

/// Starts what is listed and not at work, also where a task has ended, and stops what is not listed any more.
async fn settle(
    world: &Arc<World>,
    holder: &str,
    working: &mut HashMap<String, Working>,
    lanes: Vec<(String, Arc<dyn Handler>)>,
) {
    let listed = |name: &String| lanes.iter().any(|(lane, _)| lane == name);
    let gone: Vec<String> = working
        .iter()
        .filter(|(name, lane)| !listed(name) || lane.task.is_finished())
        .map(|(name, _)| name.clone())
        .collect();
    for name in gone {
        if let Some(lane) = working.remove(&name) {
            let _ = lane.stop.send(true);
            let _ = lane.task.await;
        }
    }
    for (name, handler) in lanes {
        working.entry(name.clone()).or_insert_with(|| {
            let (stop, stopped) = watch::channel(false);
            let lane = Lane::new(name, handler, holder);
            Working { stop, task: tokio::spawn(work(Arc::clone(world), lane, stopped)) }
        });
    }
}

async fn work(world: Arc<World>, mut lane: Lane, mut stopped: watch::Receiver<bool>) {
    while !*stopped.borrow() {
        let started = Instant::now();
        let rest = match lane.turn(&world).await {
            Ok(Turn::Worked(_)) if world.caches.crowd.is_here(world.now()) => rest_after(started.elapsed()),
            Ok(Turn::Worked(_)) => continue,
            Ok(Turn::Idle) => TICK,
            Ok(Turn::NotOurs) => REST,
            Err(Failure::Rejected(Rejection::LeaseLost)) => {
                lane.let_go();
                REST
            }
            Err(failure) => {
                tracing::error!(lane = lane.name, failure = story(&failure), "a lane rests; trying again");
                REST
            }
        };
        let _ = tokio::time::timeout(rest, stopped.wait_for(|stop| *stop)).await;
    }
}
