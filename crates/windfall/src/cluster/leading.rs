//! Taking the lead: the log is claimed, whoever led before is kept from writing rows, and the node starts on what it finds.

use std::sync::Arc;

use cluster::keeper::LeaseKeeper;
use cluster::lease::Leadership;
use cluster::log::{Candidacy, PostgresLog};
use embedded::SystemRandom;
use engine::ports::{Clock, Random};
use ledger::Log;
use store::Db;
use tokio::sync::oneshot;

use super::backups::BackupsElsewhere;
use super::place::ClusterPlace;
use crate::config::Config;
use crate::demo;
use crate::node::{Node, NodeGround};

/// Begin with what a start says that another try does not mend: a person has to.
const FOR_A_PERSON: [&str; 6] = [
    "journal_rewound",
    "journal_format",
    "key_file_mismatch",
    "demo_refused",
    "run a newer program",
    "has been edited",
];

/// A node that leads.
#[derive(Debug)]
pub struct Leading {
    pub node: Arc<Node>,
    log: Arc<PostgresLog>,
    lead: Arc<Leadership>,
    keeper: LeaseKeeper,
    over: oneshot::Receiver<String>,
}

/// Why a node does not lead though it might have.
#[derive(Debug)]
pub enum NotLeading {
    /// Another was faster, or a server is away: to be tried again.
    ThisTime(anyhow::Error),
    ForGood(anyhow::Error),
}

impl Leading {
    /// `here` is how this node is reached when no public address is configured.
    pub async fn begin(
        config: &Config,
        place: &ClusterPlace,
        candidacy: Candidacy,
        here: &str,
    ) -> Result<Self, NotLeading> {
        let begun = Self::try_begin(config, place, candidacy, here).await;
        begun.map_err(|error| {
            let story = format!("{error:#}");
            if FOR_A_PERSON.iter().any(|words| story.contains(words)) {
                NotLeading::ForGood(error)
            } else {
                NotLeading::ThisTime(error)
            }
        })
    }

    async fn try_begin(
        config: &Config,
        place: &ClusterPlace,
        candidacy: Candidacy,
        here: &str,
    ) -> anyhow::Result<Self> {
        let lead = Arc::new(Leadership::new(place.terms));
        let log = Arc::new(place.claimed_log(candidacy, &lead)?);
        let random: Arc<dyn Random> = Arc::new(SystemRandom::default());
        let db = place.connect().await?;
        let ground = NodeGround {
            folder: Arc::clone(&place.folder),
            vault: place.vault(&random),
            random,
            db: db.clone(),
            machine: Arc::clone(&place.machine),
            clock: Arc::clone(&lead) as Arc<dyn Clock>,
            backups: Arc::new(BackupsElsewhere),
        };
        ground.prepare().await?;
        // Before anything is loaded: what is loaded does not change behind this node's back.
        if let Candidacy::Lapsed { term, .. } = candidacy {
            db.fence(term.saturating_add(1)).await?;
        }
        check_demo(config, &db).await?;
        let (tell, over) = oneshot::channel();
        // Before the claim: folding what the log has beyond the rows may take longer than a lease.
        let keeper = LeaseKeeper::start(Arc::clone(&log), |why| {
            // Nobody listens any more only when the process ends.
            let _ = tell.send(why);
        })?;
        let stock = ground.start_ledger(config, Arc::clone(&log) as Arc<dyn Log>).await?;
        db.fence(stock.term()).await?;
        let node = Arc::new(Node::start_on(config, here, ground, stock).await?);
        if config.demo {
            demo::seed(&node).await?;
        }
        Ok(Self { node, log, lead, keeper, over })
    }

    /// Whether this node leads, at this moment.
    pub fn is_led(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let lead = Arc::clone(&self.lead);
        move || lead.is_held()
    }

    /// Waits until the lead is over; answers why this process must end.
    pub async fn over(&mut self) -> anyhow::Error {
        tokio::select! {
            why = &mut self.over => {
                let why = why.unwrap_or_else(|_| "the thread that renews the lease ended".to_owned());
                anyhow::anyhow!("lead_lost: {why}; this node ends, and follows when it is started again")
            }
            lost = self.node.hold_node_id() => lost,
        }
    }

    /// After the last request: the ledger finishes and is projected, and the next candidate need not wait.
    pub async fn hand_over(self) {
        let Self { node, log, keeper, .. } = self;
        node.close().await;
        let given_up = tokio::task::spawn_blocking(move || {
            drop(keeper);
            log.hand_over()
        });
        match given_up.await {
            Ok(Ok(())) => tracing::info!("the lead was handed over"),
            Ok(Err(error)) => {
                tracing::warn!(why = ledger::log::story(&error), "the lead was not handed over and lapses");
            }
            Err(error) => tracing::error!(%error, "handing over the lead ended in a panic"),
        }
    }
}

/// Refuses to mix demo data with real data, as [`demo::check_folder`] does where data are in a folder.
async fn check_demo(config: &Config, db: &Db) -> anyhow::Result<()> {
    let mark = vec![u8::from(config.demo)];
    let kept = db.installation_mark("demo", mark.clone()).await?;
    anyhow::ensure!(
        kept == mark,
        "demo_refused: the cluster's database was made with demo = {}; name another database",
        kept == [1]
    );
    Ok(())
}
