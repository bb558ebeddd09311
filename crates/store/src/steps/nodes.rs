//! Node ids: each process that makes ids leases a number that no other has.

use std::collections::BTreeMap;

use domain::job::Lease;
use domain::snowflake::NODES;
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::NodeLease;
use crate::params;
use crate::tx::Tx;

/// Renews the number the holder has, or takes the lowest that is free.
pub(crate) async fn lease(
    tx: &Tx<'_>,
    (holder, now, lease_ms): &(String, Timestamp, i64),
) -> Result<NodeLease> {
    tx.exclusive("nodes").await?;
    let leases: BTreeMap<i64, Lease> = tx
        .all("SELECT node, holder, term, ends FROM nodes", params![], |row| {
            Ok((row.int()?, Lease { holder: row.text()?, term: row.int()?, ends: row.time()? }))
        })
        .await?
        .into_iter()
        .collect();
    let own = leases.iter().find(|(_, lease)| lease.holder == *holder).map(|(node, _)| *node);
    // A holder with a row tries that one alone: an expired lease of its own is free to it like to anyone.
    let candidates = own.map_or(0..NODES, |node| node..node + 1);
    let taken = candidates
        .filter_map(|node| Some((node, Lease::claim(leases.get(&node), holder, *now, *lease_ms)?)))
        .next()
        .ok_or_else(|| Fault::new(format!("all {NODES} node ids are taken")))?;
    let (node, Lease { holder, term, ends }) = taken;
    tx.execute(
        "INSERT INTO nodes (node, holder, term, ends) VALUES ($1, $2, $3, $4)
         ON CONFLICT (node)
         DO UPDATE SET holder = excluded.holder, term = excluded.term, ends = excluded.ends",
        params![node, holder, term, ends],
    )
    .await?;
    Ok(NodeLease { node, ends })
}
