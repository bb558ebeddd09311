//! The settings of a node that is one of several.

use std::path::PathBuf;

use serde::Deserialize;

use super::{SecretText, empty_is_none};

/// How nodes reach each other, and how long one leads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterConfig {
    #[serde(deserialize_with = "empty_is_none")]
    pub address: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub ca_file: Option<PathBuf>,
    #[serde(deserialize_with = "empty_is_none")]
    pub log_url: Option<SecretText>,
    #[serde(deserialize_with = "empty_is_none")]
    pub log_ca_file: Option<PathBuf>,
    pub standby: LogStandby,
    pub lease_ms: u64,
    pub margin_ms: u64,
    pub renew_ms: u64,
    pub leader_wait_ms: u64,
}

/// Whether a commit of the log has to be on a second server before it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogStandby {
    Required,
    None,
}
