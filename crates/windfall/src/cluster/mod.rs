//! A node of a cluster: several processes on one PostgreSQL, of which one leads (`docs/cluster.md`).
//!
//! | module | what it is |
//! | --- | --- |
//! | [`place`] | what a node has whether it leads or not: its folder, its keys, where the log is |
//! | [`following`] | waiting for the lead, while requests are handed on to the node that has it |
//! | [`leading`] | taking the lead: claim, fence, start |
//! | [`mod@serve`] | `windfall serve` of a node |
//! | [`role`] | what the gauges say that this process does |
//! | [`backups`] | why there are none here |

mod backups;
mod following;
mod leading;
mod place;
mod role;
mod serve;

pub use place::look_at_log;
pub use role::ClusterRole;
pub use serve::serve;
