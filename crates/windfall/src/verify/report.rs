//! What `windfall verify` says.

use std::time::Duration;

use domain::export::{LineFinding, Other, ReceiptTicket, SealedRound, Treeless, Unlike, VerifiedCounts};
use domain::hex::hex;
use domain::lottery::chain::{PublishedChain, Receipt};
use serde_json::{Value, json};

pub struct VerifyReport {
    pub verified: VerifiedCounts,
    /// The first thing that is not as it should be.
    pub found: Option<LineFinding>,
    /// The receipt that was asked for, and the ticket or the chains that it does not fit.
    pub sought: Option<(Receipt, Result<ReceiptTicket, Vec<Other>>)>,
    pub elapsed: Duration,
}

impl VerifyReport {
    pub fn holds(&self) -> bool {
        self.found.is_none() && self.sought.as_ref().is_none_or(|(_, sought)| sought.is_ok())
    }

    pub fn lines(&self) -> Vec<String> {
        let VerifiedCounts { draws, raffles, winners, sealed, trees, treeless, .. } = &self.verified;
        let winners = if *raffles > 0 { format!(" and {winners} winners of raffles") } else { String::new() };
        let mut lines = vec![match &self.found {
            None => {
                let (rate, seconds) = (per_second(*draws, self.elapsed), self.elapsed.as_secs_f64());
                format!("{draws} draws{winners}, all reproduce ({rate} draws/s in {seconds:.2} s)")
            }
            Some(found) => {
                format!("{found} ({}); before it {draws} draws{winners} reproduce", found.finding.name())
            }
        }];
        lines.extend(sealed_lines(sealed));
        lines.extend(trees.iter().map(|tree| {
            let hash = hex(&tree.hash.0);
            format!(
                "rule tree {}, version {}: is its hash {hash} the one that was published?",
                tree.id, tree.version
            )
        }));
        lines.extend(treeless.iter().map(|chain| {
            let Treeless { activity, round, version } = chain;
            format!(
                "activity {activity}, round {round}, version {version}: tickets came by a rule tree (tree_missing), and \
                 the export has none to check it with; was one published with the activity?"
            )
        }));
        lines.extend(self.receipt_lines());
        lines
    }

    fn receipt_lines(&self) -> Vec<String> {
        let Some((receipt, sought)) = &self.sought else { return Vec::new() };
        match sought {
            Ok(ticket) => {
                let reproduces = match &self.found {
                    Some(found) if found.line <= ticket.line => {
                        "whether it reproduces is unknown, because the export has an error before it"
                    }
                    Some(_) | None => "it reproduces",
                };
                let (place, chain) = (receipt.place, describe_chain(&ticket.published));
                vec![format!("your ticket is number {place} of {chain}: {}; {reproduces}", outcome(ticket))]
            }
            Err(others) => {
                let first = format!(
                    "receipt_unknown: no ticket has the place {} and the link {}",
                    receipt.place,
                    hex(&receipt.link.0)
                );
                let other = |other: &Other| match other.why {
                    Unlike::Link(link) => {
                        format!("  {} has the link {} there", describe_chain(&other.published), hex(&link.0))
                    }
                    Unlike::Ends(place) => {
                        format!("  {} ends at place {place}", describe_chain(&other.published))
                    }
                };
                std::iter::once(first).chain(others.iter().map(other)).collect()
            }
        }
    }

    pub fn json(&self) -> Value {
        let VerifiedCounts { chains, records, draws, raffles, winners, sealed, trees, treeless } =
            &self.verified;
        let found = self.found.as_ref();
        let mut told = json!({
            "reproduces": found.is_none(),
            "chains": chains,
            "records": records,
            "draws": draws,
            "raffles": raffles,
            "winners": winners,
            "sealed_rounds": sealed.len(),
            "sealed_draws": sealed.iter().map(|sealed| sealed.draws).sum::<u64>(),
            "trees": trees.len(),
            "trees_missing": treeless.len(),
            "draws_per_s": per_second(*draws, self.elapsed),
            "line": found.map(|found| found.line),
            "code": found.map(|found| found.finding.name()),
            "finding": found.map(|found| found.finding.to_string()),
        });
        if let Some((receipt, sought)) = &self.sought {
            let ticket = sought.as_ref().ok();
            told["receipt_place"] = json!(receipt.place);
            told["receipt_found"] = json!(ticket.is_some());
            told["receipt_round"] = json!(ticket.map(|ticket| ticket.published.round));
            told["receipt_version"] = json!(ticket.map(|ticket| ticket.published.version));
            told["receipt_outcome"] = json!(ticket.map(outcome));
        }
        told
    }
}

/// What is not revealed yet, a line for each round.
pub fn sealed_lines(sealed: &[SealedRound]) -> Vec<String> {
    let line = |sealed: &SealedRound| {
        let versions: Vec<String> = sealed.versions.iter().map(u32::to_string).collect();
        let (round, draws, several) = (sealed.round, sealed.draws, if versions.len() > 1 { "s" } else { "" });
        format!("round {round}, version{several} {}: {draws} draws, not revealed yet", versions.join(", "))
    };
    sealed.iter().map(line).collect()
}

fn describe_chain(published: &PublishedChain) -> String {
    format!("the chain of round {}, version {}", published.round, published.version)
}

fn outcome(ticket: &ReceiptTicket) -> String {
    let draw = |(at, draw): (usize, &domain::lottery::record::RecordedDraw)| {
        let n = u64::from(ticket.record.key.n) + at as u64;
        let prize = ticket.prizes.get(at).and_then(Option::as_deref).unwrap_or("no prize");
        let points =
            if draw.drawn.points > 0 { format!(", {} points", draw.drawn.points) } else { String::new() };
        format!("draw {n} gave {prize}{points}")
    };
    let draws: Vec<String> = ticket.record.draws.iter().enumerate().map(draw).collect();
    draws.join(", ")
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate for people"
)]
fn per_second(draws: u64, elapsed: Duration) -> u64 {
    (draws as f64 / elapsed.as_secs_f64().max(1e-9)) as u64
}
