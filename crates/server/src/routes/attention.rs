//! What needs an operator, for the console's list and badge.

use axum::Json;
use axum::extract::State;
use domain::Lang;
use domain::attention::{AttentionItem, AttentionLevel};
use engine::operations::attention as flow;
use engine::operations::attention::AttentionSeen;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Reader;
use crate::problem::Problem;

/// One thing that needs somebody.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionBody {
    /// What is the matter.
    #[schema(example = "codes_missing")]
    pub kind: &'static str,
    /// `urgent`: players are affected; `soon`: they will be; `todo`: ordinary work that waits.
    #[schema(example = "urgent")]
    pub level: &'static str,
    /// The id or name of what it is about; empty where there is one of its kind. Of a prize it is the activity's id, a slash
    /// and the prize's.
    pub subject: String,
    pub name: String,
    /// How many are concerned, or are left.
    pub count: u64,
    /// Of how many; 0 where that says nothing.
    pub of: u64,
    /// Where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
    /// A sentence in the caller's language.
    pub text: String,
}

impl AttentionBody {
    fn of(AttentionSeen { item, since }: AttentionSeen, lang: Lang) -> Self {
        let text = item.text(lang);
        let AttentionItem { kind, level, subject, name, count, of, since: _ } = item;
        let (kind, level) = (kind.name(), level.name());
        Self { kind, level, subject, name, count, of, since_ms: since.map(|at| at.0), text }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionListBody {
    /// Those that are not ordinary work.
    pub alerts: u64,
    pub items: Vec<AttentionBody>,
}

/// What needs an operator now, the most urgent first
///
/// Prizes that wait and why, deliveries that failed, stock and codes that run out against what was approved, webhooks, jobs,
/// the ledger, the clock, disks and second factors. The same is told to webhooks that want `attention.raised`. From which
/// figures on something counts are parameters of the job `attention`.
#[utoipa::path(get, path = "/admin/attention", tag = "admin", responses((status = 200, body = AttentionListBody)))]
pub async fn attention_list(
    State(app): State<App>,
    reader: Reader,
) -> Result<Json<AttentionListBody>, Problem> {
    let seen = flow::attention_list(&app.world).await?;
    let alerts = seen.iter().filter(|one| one.item.level != AttentionLevel::Todo).count() as u64;
    let lang = reader.context.lang;
    let items = seen.into_iter().map(|one| AttentionBody::of(one, lang)).collect();
    Ok(Json(AttentionListBody { alerts, items }))
}
