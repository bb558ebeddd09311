//! Redeem codes: pools, importing in pieces, and looking at one that was given.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::{CodePoolId, FulfilmentId};
use engine::activities::code_promises;
use engine::fulfilment::redeem_codes as flow;
use engine::fulfilment::redeem_codes::{CodesImport, LOW_BELOW_DEFAULT};
use serde::{Deserialize, Serialize};
use store::model::CodePoolRow;
use utoipa::{IntoParams, ToSchema};

use super::{Path, Query};
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::openapi::PREFIX;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::sheet_body::SheetBody;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodePoolRequest {
    /// 1 to 80 characters; no other pool has it.
    pub name: String,
    /// Operators are told when fewer codes are left: 100 unless told, 0 is never.
    #[serde(default = "low_below")]
    pub low_below: i64,
}

fn low_below() -> i64 {
    LOW_BELOW_DEFAULT
}

#[derive(Serialize, ToSchema)]
pub struct CodePoolBody {
    pub id: String,
    pub name: String,
    pub low_below: u32,
    pub made_ms: i64,
    pub imported: u64,
    pub given: u64,
    /// Imported, and neither given nor retired.
    pub left: u64,
    /// Codes that nobody shall get.
    pub retired: u64,
    /// Units that can still be won or bought, and prizes that wait for a code; of one pool that was asked for by its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promised: Option<u64>,
    /// Since when fewer are left than `low_below`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_since_ms: Option<i64>,
    /// Since when it gives no code because it was restored from a backup: release it at `/admin/quarantine`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined_since_ms: Option<i64>,
}

impl From<CodePoolRow> for CodePoolBody {
    fn from(row: CodePoolRow) -> Self {
        Self {
            id: row.id.to_string(),
            left: row.left(),
            given: row.handed_out(),
            name: row.name,
            low_below: row.low_below,
            made_ms: row.made.0,
            imported: row.imported,
            retired: row.retired + row.passed,
            promised: None,
            low_since_ms: row.low_since.map(|at| at.0),
            quarantined_since_ms: row.quarantined_since.map(|at| at.0),
        }
    }
}

/// Make a pool of redeem codes
#[utoipa::path(post, path = "/code-pools", tag = "codes",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = CodePoolBody)))]
pub async fn code_pool_make(
    State(app): State<App>,
    operator: Operator,
    body: Body<CodePoolRequest>,
) -> Result<Response, Problem> {
    let CodePoolRequest { name, low_below } = body.value;
    let signed = operator.sign(&app, "");
    let made = flow::code_pool_make(&app.world, signed, body.repeat, &name, low_below).await?;
    let place = format!("{PREFIX}/code-pools/{}", made.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Json(CodePoolBody::from(made))).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CodePoolSearch {
    /// The whole name of one.
    name: Option<String>,
}

/// Pools of redeem codes, newest first
#[utoipa::path(get, path = "/code-pools", tag = "codes",
    params(CodePoolSearch, PageQuery), responses((status = 200, body = PageBody<CodePoolBody>)))]
pub async fn code_pool_list(
    State(app): State<App>,
    _: Operator,
    Paged(page): Paged,
    Query(search): Query<CodePoolSearch>,
) -> Result<Json<PageBody<CodePoolBody>>, Problem> {
    let found = flow::code_pool_list(&app.world, search.name.as_deref(), page).await?;
    Ok(Json(PageBody::of(found, CodePoolBody::from)))
}

/// A pool of redeem codes
#[utoipa::path(get, path = "/code-pools/{id}", tag = "codes", responses((status = 200, body = CodePoolBody)))]
pub async fn code_pool(
    State(app): State<App>,
    _: Operator,
    Path(id): Path<CodePoolId>,
) -> Result<Json<CodePoolBody>, Problem> {
    let pool = flow::code_pool_find(&app.world, id).await?;
    let promised = Some(code_promises::count_promised(&app.world, id).await?);
    Ok(Json(CodePoolBody { promised, ..pool.into() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodePoolUpdateRequest {
    /// Operators are told when fewer codes are left; 0 is never.
    pub low_below: i64,
}

/// Another threshold for a pool
#[utoipa::path(patch, path = "/code-pools/{id}", tag = "codes",
    responses((status = 200, body = CodePoolBody)))]
pub async fn code_pool_edit(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<CodePoolId>,
    body: Body<CodePoolUpdateRequest>,
) -> Result<Json<CodePoolBody>, Problem> {
    let signed = operator.sign(&app, "");
    Ok(Json(flow::code_pool_edit(&app.world, signed, id, body.value.low_below).await?.into()))
}

#[derive(Serialize, ToSchema)]
pub struct CodesImportBody {
    pub added: u64,
    /// Codes that were imported earlier, into this pool or another; not added again.
    pub already: u64,
    /// Their lines, from 1; the first hundred.
    pub already_lines: Vec<u32>,
    /// Codes that stand further up in the same body; added once.
    pub repeated: u64,
    /// The first hundred of them.
    pub repeated_lines: Vec<RepeatedLine>,
    /// The pool afterwards.
    pub pool: CodePoolBody,
}

#[derive(Serialize, ToSchema)]
pub struct RepeatedLine {
    pub line: u32,
    /// Where the code stands first.
    pub first_line: u32,
}

impl From<CodesImport> for CodesImportBody {
    fn from(import: CodesImport) -> Self {
        let line = |(line, first_line)| RepeatedLine { line, first_line };
        Self {
            added: import.added,
            already: import.already,
            already_lines: import.already_lines,
            repeated: import.repeated,
            repeated_lines: import.repeated_lines.into_iter().map(line).collect(),
            pool: import.pool.into(),
        }
    }
}

/// Import codes into a pool
///
/// `text/plain` is a list, one code per line; `text/csv` has the heading `code` and that one column. 4 MiB at most: send a
/// longer file in pieces. A body with a wrong line is refused whole. The same again adds nothing.
#[utoipa::path(post, path = "/code-pools/{id}/codes", tag = "codes",
    request_body(content((String = "text/csv", example = "code\nTEA-7H2K-9QXF\n"), (String = "text/plain", example = "TEA-7H2K-9QXF\n"))),
    responses((status = 200, body = CodesImportBody)))]
pub async fn codes_import(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<CodePoolId>,
    SheetBody { kind, bytes }: SheetBody,
) -> Result<Json<CodesImportBody>, Problem> {
    let signed = operator.sign(&app, "");
    Ok(Json(flow::codes_import(&app.world, signed, id, kind, bytes).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LookReason {
    /// Why you look; kept in the audit log.
    #[serde(default)]
    reason: String,
}

#[derive(Serialize, ToSchema)]
pub struct GivenCodeBody {
    #[schema(example = "TEA-7H2K-9QXF")]
    pub code: String,
}

/// The code that was given for a prize
///
/// Who looked, and why, is kept in the audit log.
#[utoipa::path(get, path = "/fulfilments/{id}/code", tag = "codes",
    params(LookReason), responses((status = 200, body = GivenCodeBody)))]
pub async fn fulfilment_code_get(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<FulfilmentId>,
    Query(LookReason { reason }): Query<LookReason>,
) -> Result<Json<GivenCodeBody>, Problem> {
    let code = flow::code_look(&app.world, operator.sign(&app, &reason), id).await?;
    Ok(Json(GivenCodeBody { code }))
}
