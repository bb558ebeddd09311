//! Activities, their versions and what a version changes, as JSON.

use domain::time::Timestamp;
use engine::activities::{Detail, RevealedSecret};
use serde::Serialize;
use store::model::{ActivityRow, Actor, VersionRow};
use utoipa::ToSchema;

use crate::forms::ActivityForm;
use crate::wire::ActorBody;

/// Where an activity stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityBody {
    /// A 64-bit id, as text.
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub name: String,
    /// `editing`, `in_review`, `refused`, `approved`, `running`, `paused`, `closed` or `reopened`, by the clock.
    #[schema(example = "running")]
    pub state: &'static str,
    /// Reopening begins the next one.
    pub round: u32,
    pub from_ms: i64,
    pub until_ms: i64,
    /// When it ended, by hand or by the clock; absent while it is not closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<i64>,
    /// `instant`, `raffle` or `sale`.
    pub kind: &'static str,
    /// Whether the ledger has heard of the last step. If not, it will shortly.
    pub carried: bool,
    /// The version in place; absent before the first approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The version in the making, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<DraftBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cloned_from: Option<String>,
    pub created_by: ActorBody,
    pub created_at_ms: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DraftBody {
    pub version: u32,
    /// To be named by whoever edits it next; 0 where nothing is in the making.
    pub edition: u32,
    /// `editing`, `in_review` or `refused`.
    pub review: &'static str,
}

impl From<ActivityRow> for ActivityBody {
    fn from(row: ActivityRow) -> Self {
        let ended_ms = row.ended_at().map(|at| at.0);
        Self {
            id: row.id.to_string(),
            name: row.name,
            state: row.life.state.name(),
            round: row.life.round,
            from_ms: row.window.from.0,
            until_ms: row.window.until.0,
            ended_ms,
            kind: row.kind.name(),
            carried: row.carried,
            version: row.live,
            draft: row.draft.map(|draft| DraftBody {
                version: draft.number,
                edition: draft.edition,
                review: draft.review.name(),
            }),
            cloned_from: row.cloned_from.map(|id| id.to_string()),
            created_by: row.created_by.into(),
            created_at_ms: row.created_at.0,
        }
    }
}

/// An activity with what it says.
#[derive(Debug, Serialize, ToSchema)]
pub struct DetailBody {
    #[serde(flatten)]
    pub activity: ActivityBody,
    /// The version in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<VersionBody>,
    /// The version in the making.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub making: Option<VersionBody>,
}

impl From<Detail> for DetailBody {
    fn from(detail: Detail) -> Self {
        Self {
            activity: detail.row.into(),
            live: detail.live.map(VersionBody::from),
            making: detail.draft.map(VersionBody::from),
        }
    }
}

/// How a version came about.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionNote {
    pub version: u32,
    /// `editing`, `in_review`, `refused` or `approved`.
    pub review: &'static str,
    pub edition: u32,
    pub name: String,
    /// SHA-256 of its strategy or its raffle's prizes in their published form, as hex.
    pub strategy_hash: String,
    /// Of the rule tree, fixed when the version was submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_version: Option<u32>,
    pub made: StampBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<StampBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<StampBody>,
    pub decision_reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StampBody {
    pub by: ActorBody,
    pub at_ms: i64,
}

impl From<(Actor, Timestamp)> for StampBody {
    fn from((by, at): (Actor, Timestamp)) -> Self {
        Self { by: by.into(), at_ms: at.0 }
    }
}

impl From<&VersionRow> for VersionNote {
    fn from(row: &VersionRow) -> Self {
        Self {
            version: row.number,
            review: row.review.name(),
            edition: row.edition,
            name: row.content.configuration.name().to_owned(),
            strategy_hash: hex(&row.content.plan.hash().0),
            tree_version: row.tree_version,
            made: row.made.into(),
            submitted: row.submitted.map(StampBody::from),
            decided: row.decided.map(StampBody::from),
            decision_reason: row.decision_reason.clone(),
        }
    }
}

/// A version and everything it says.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionBody {
    #[serde(flatten)]
    pub note: VersionNote,
    /// As it would be written, with every default filled in.
    pub form: ActivityForm,
}

impl From<VersionRow> for VersionBody {
    fn from(row: VersionRow) -> Self {
        let content = &row.content;
        let form = (&content.configuration, &content.plan, content.cards.as_slice()).into();
        Self { note: VersionNote::from(&row), form }
    }
}

/// What was published before the first draw of a round and version.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecretBody {
    pub round: u32,
    pub version: u32,
    /// SHA-256 of the secret, as hex.
    pub commitment: String,
    /// SHA-256 of the strategy in its published form, as hex.
    pub strategy_hash: String,
    pub made_at_ms: i64,
    /// Absent until every draw under it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revealed_at_ms: Option<i64>,
    /// 32 bytes as hex; absent until it is revealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

impl From<RevealedSecret> for SecretBody {
    fn from(revealed: RevealedSecret) -> Self {
        let row = revealed.row;
        Self {
            round: row.round,
            version: row.version,
            commitment: hex(&row.commitment.0),
            strategy_hash: hex(&row.strategy.0),
            made_at_ms: row.made_at.0,
            revealed_at_ms: row.revealed_at.map(|at| at.0),
            secret: revealed.secret.map(|secret| hex(&secret)),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SecretsBody {
    pub items: Vec<SecretBody>,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
