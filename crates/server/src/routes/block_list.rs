//! An activity's block list: imported, looked at, taken back one by one.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Rejection;
use domain::flaw::Flaw;
use domain::ids::{ActivityId, UserId};
use domain::rejection::FieldProblem;
use engine::activities::block_list as flow;
use engine::activities::block_list::{GivenUser, Import};
use serde::{Deserialize, Serialize};
use store::model::BlockedRow;
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::wire::ActorBody;

/// Users by their ids, by yours, or as the text of a CSV file; 5,000 in all.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockRequest {
    #[serde(default)]
    pub users: Vec<String>,
    /// Your own ids.
    #[serde(default)]
    pub external_ids: Vec<String>,
    /// The first line names the column: `user_id` or `external_id`.
    #[serde(default)]
    #[schema(example = "external_id\nshop-42\nshop-43\n")]
    pub csv: String,
    pub reason: String,
}

/// A user as the import named them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamedBody {
    UserId(String),
    ExternalId(String),
}

impl From<GivenUser> for NamedBody {
    fn from(given: GivenUser) -> Self {
        match given {
            GivenUser::Id(id) => Self::UserId(id),
            GivenUser::External(id) => Self::ExternalId(id),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ImportBody {
    pub added: usize,
    /// On the list before; their reason stays.
    pub already: usize,
    /// Named more than once.
    pub duplicates: Vec<NamedBody>,
    /// Nobody has this id. The others were added.
    pub unknown: Vec<NamedBody>,
}

impl From<Import> for ImportBody {
    fn from(import: Import) -> Self {
        let Import { added, already, duplicates, unknown } = import;
        let named = |users: Vec<GivenUser>| users.into_iter().map(NamedBody::from).collect();
        Self { added, already, duplicates: named(duplicates), unknown: named(unknown) }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BlockedBody {
    pub user_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    pub reason: String,
    pub added_by: ActorBody,
    pub added_at_ms: i64,
}

impl From<BlockedRow> for BlockedBody {
    fn from(row: BlockedRow) -> Self {
        Self {
            user_id: row.user.to_string(),
            external_id: row.external_id,
            reason: row.reason,
            added_by: row.added_by.into(),
            added_at_ms: row.added_at.0,
        }
    }
}

/// Put users on the block list
///
/// They get the activity's consolation, if it has one, and nothing else. The same again changes nothing.
#[utoipa::path(post, path = "/activities/{id}/block-list", tag = "activities",
    responses((status = 200, body = ImportBody)))]
pub async fn block_list_import(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<BlockRequest>,
) -> Result<Json<ImportBody>, Problem> {
    let BlockRequest { users, external_ids, csv, reason } = body.value;
    let mut given: Vec<GivenUser> = users.into_iter().map(GivenUser::Id).collect();
    given.extend(external_ids.into_iter().map(GivenUser::External));
    given.extend(sheet(&csv)?);
    Ok(Json(flow::block_list_import(&app.world, operator.sign(&app, &reason), id, given).await?.into()))
}

/// The block list
#[utoipa::path(get, path = "/activities/{id}/block-list", tag = "activities",
    params(PageQuery), responses((status = 200, body = PageBody<BlockedBody>)))]
pub async fn block_list(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
    Paged(page): Paged,
) -> Result<Json<PageBody<BlockedBody>>, Problem> {
    let found = flow::block_list_page(&app.world, id, page).await?;
    Ok(Json(PageBody::of(found, BlockedBody::from)))
}

/// Take somebody off the block list
#[utoipa::path(delete, path = "/activities/{id}/block-list/{user}", tag = "activities",
    params(("id" = String, Path), ("user" = String, Path)), responses((status = 204)))]
pub async fn block_list_remove(
    State(app): State<App>,
    operator: Operator,
    Path((id, user)): Path<(ActivityId, UserId)>,
) -> Result<StatusCode, Problem> {
    flow::block_list_remove(&app.world, operator.sign(&app, ""), id, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The users of a CSV text; every line that is none is told. An empty text has nobody.
fn sheet(text: &str) -> Result<Vec<GivenUser>, Rejection> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut table =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let heading = |table: &mut csv::Reader<&[u8]>| -> Option<Vec<String>> {
        Some(table.headers().ok()?.iter().map(str::to_owned).collect())
    };
    let wrong = || Rejection::invalid("csv", FieldProblem::NotOneOf { allowed: "user_id, external_id" });
    let make: fn(String) -> GivenUser = match heading(&mut table).ok_or_else(wrong)?.as_slice() {
        [column] if column == "user_id" => GivenUser::Id,
        [column] if column == "external_id" => GivenUser::External,
        _ => return Err(wrong()),
    };
    let (mut users, mut flaws) = (Vec::new(), Vec::new());
    for (place, record) in table.records().enumerate() {
        match record.as_ref().map(|record| (record.len(), record.get(0))) {
            Ok((1, Some(id))) if !id.is_empty() => users.push(make(id.to_owned())),
            Ok(_) | Err(_) => {
                flaws.push(Flaw::from(Rejection::invalid(&format!("csv[{place}]"), FieldProblem::Malformed)));
            }
        }
    }
    Rejection::of_flaws(flaws)?;
    Ok(users)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets() {
        let ids = |ids: &[&str]| Ok(ids.iter().map(|&id| GivenUser::Id(id.into())).collect::<Vec<_>>());
        let shop = |ids: &[&str]| Ok(ids.iter().map(|&id| GivenUser::External(id.into())).collect());
        for (text, expected) in [
            ("", ids(&[])),
            ("user_id\n", ids(&[])),
            ("user_id\n5\r\n\n6", ids(&["5", "6"])),
            ("\u{feff}external_id\n\"a,b\"\n 5 \n", shop(&["a,b", "5"])),
            ("5\n6\n", Err("invalid_field")),
            ("user_id,external_id\n5,a\n", Err("invalid_field")),
            ("user_id\n5,6\n7\n\"\"\n", Err("flawed")),
        ] {
            assert_eq!(sheet(text).map_err(|rejection| rejection.code()), expected, "{text:?}");
        }
        let Err(Rejection::Flawed { flaws }) = sheet("user_id\n5,6\n7\n\"\"\n") else { panic!("refused") };
        let fields: Vec<_> = flaws.listed().iter().map(|flaw| flaw.field.as_str()).collect();
        assert_eq!(fields, ["csv[0]", "csv[2]"]);
    }
}
