//! What people are called: for tables with many of them, in one question.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use engine::people::names;
use engine::people::names::NAMES_AT_ONCE_MAX;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use crate::app::App;
use crate::auth::Reader;
use crate::problem::Problem;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NamesQuery {
    /// Ids of people, with commas between them; 1 to 400.
    ids: String,
}

/// What somebody is called.
#[derive(Serialize, ToSchema)]
pub struct PersonNameBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// Absent for somebody who is not there, or has no name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct PersonNamesBody {
    /// In the order of the question.
    pub items: Vec<PersonNameBody>,
}

/// What people are called
///
/// For tables that show many people: one question for all of them.
#[utoipa::path(get, path = "/admin/names", tag = "admin",
    params(NamesQuery), responses((status = 200, body = PersonNamesBody)))]
pub async fn name_list(
    State(app): State<App>,
    _: Reader,
    Query(query): Query<NamesQuery>,
) -> Result<Json<PersonNamesBody>, Problem> {
    let ids = ids(&query.ids)?;
    let names = names::names_of(&app.world, &ids).await?;
    let named = |(id, name): (UserId, Option<String>)| PersonNameBody { id: id.to_string(), name };
    Ok(Json(PersonNamesBody { items: ids.into_iter().zip(names).map(named).collect() }))
}

fn ids(text: &str) -> Result<Vec<UserId>, Rejection> {
    let malformed = || Rejection::invalid("ids", FieldProblem::Malformed);
    let ids: Result<Vec<UserId>, Rejection> =
        text.split(',').map(|id| id.parse().map_err(|_| malformed())).collect();
    let ids = ids?;
    if ids.len() > NAMES_AT_ONCE_MAX {
        return Err(Rejection::invalid("ids", FieldProblem::TooLong { max: NAMES_AT_ONCE_MAX as u64 }));
    }
    Ok(ids)
}
