//! Codes before they are imported, and codes that nobody shall get.

use axum::Json;
use axum::extract::State;
use domain::ids::CodePoolId;
use engine::fulfilment::redeem_codes as flow;
use engine::fulfilment::redeem_codes::{CodesPreview, CodesRetirement};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Path;
use super::codes::CodePoolBody;
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::problem::Problem;
use crate::sheet_body::SheetBody;

/// What an import would do.
#[derive(Serialize, ToSchema)]
pub struct CodesPreviewBody {
    /// Codes that would be added.
    pub fresh: u64,
    /// Codes that are in a pool already, this one or another.
    pub already: u64,
    /// Codes that stand further up in the same body.
    pub repeated: u64,
    /// Lines that cannot be codes, such as a heading; an import is refused because of them.
    pub malformed: u64,
    /// The first hundred of them, from 1.
    pub malformed_lines: Vec<u32>,
}

impl From<CodesPreview> for CodesPreviewBody {
    fn from(preview: CodesPreview) -> Self {
        let CodesPreview { fresh, already, repeated, malformed, malformed_lines } = preview;
        Self { fresh, already, repeated, malformed, malformed_lines }
    }
}

/// See what an import would do
///
/// The body is that of an import; nothing is written.
#[utoipa::path(post, path = "/code-pools/{id}/codes/preview", tag = "codes",
    request_body(content((String = "text/csv", example = "code\nTEA-7H2K-9QXF\n"), (String = "text/plain", example = "TEA-7H2K-9QXF\n"))),
    responses((status = 200, body = CodesPreviewBody)))]
pub async fn codes_preview(
    State(app): State<App>,
    _: Operator,
    Path(id): Path<CodePoolId>,
    SheetBody { kind, bytes }: SheetBody,
) -> Result<Json<CodesPreviewBody>, Problem> {
    Ok(Json(flow::codes_preview(&app.world, id, kind, bytes).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodesRetireRequest {
    /// 1 to 1,000 codes; left out, all that are left.
    #[serde(default)]
    #[schema(example = json!(["TEA-7H2K-9QXF"]))]
    pub codes: Option<Vec<String>>,
    /// For the audit log; not empty.
    pub reason: String,
}

#[derive(Serialize, ToSchema)]
pub struct CodesRetiredBody {
    pub retired: u64,
    /// Codes that somebody has already.
    pub given: u64,
    /// Codes that are not in this pool.
    pub unknown: u64,
    /// The pool afterwards.
    pub pool: CodePoolBody,
}

impl From<CodesRetirement> for CodesRetiredBody {
    fn from(CodesRetirement { done, unknown }: CodesRetirement) -> Self {
        Self { retired: done.retired, given: done.given, unknown, pool: done.pool.into() }
    }
}

/// Retire codes that nobody has
///
/// They are never given, and stay known: importing them again adds nothing. The same again retires nothing more. There is no
/// way back.
#[utoipa::path(post, path = "/code-pools/{id}/retire", tag = "codes",
    responses((status = 200, body = CodesRetiredBody)))]
pub async fn codes_retire(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<CodePoolId>,
    body: Body<CodesRetireRequest>,
) -> Result<Json<CodesRetiredBody>, Problem> {
    let CodesRetireRequest { codes, reason } = body.value;
    let signed = operator.sign(&app, &reason);
    Ok(Json(flow::codes_retire(&app.world, signed, id, codes).await?.into()))
}
