//! What this process does in a cluster, as its gauges say.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterRole {
    /// It is no node of a cluster.
    Alone,
    Follows,
    Leads,
}

impl ClusterRole {
    /// Both gauges are there in every process: a rule can ask for them.
    pub fn tell(self) {
        metrics::gauge!("windfall_cluster_leads").set(u8::from(self == Self::Leads));
        metrics::gauge!("windfall_cluster_follows").set(u8::from(self == Self::Follows));
    }
}
