//! My address book.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::account::Address;
use domain::ids::AddressId;
use engine::people::address_book;
use engine::people::address_book::BookEntry;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::Player;
use crate::body::Body;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddressRequest {
    pub recipient: String,
    pub phone: String,
    /// Country, province, city, district.
    pub region: String,
    pub street: String,
    #[serde(default)]
    pub postcode: String,
    /// The one to take when none is named; the first becomes it anyway.
    #[serde(default)]
    pub default: bool,
}

impl AddressRequest {
    pub(super) fn check(&self, app: &App) -> Result<Address, Rejection> {
        let home = &app.world.settings.phone_country;
        Address::new(home, &self.recipient, &self.phone, &self.region, &self.street, &self.postcode)
    }
}

#[derive(Serialize, ToSchema)]
pub struct AddressBody {
    pub id: String,
    pub recipient: String,
    pub phone: String,
    pub region: String,
    pub street: String,
    pub postcode: String,
    pub default: bool,
}

impl From<BookEntry> for AddressBody {
    fn from(entry: BookEntry) -> Self {
        let Address { recipient, phone, region, street, postcode } = entry.address;
        Self { id: entry.id.to_string(), recipient, phone, region, street, postcode, default: entry.default }
    }
}

#[derive(Serialize, ToSchema)]
pub struct AddressesBody {
    pub items: Vec<AddressBody>,
}

/// My addresses
#[utoipa::path(get, path = "/me/addresses", tag = "me", responses((status = 200, body = AddressesBody)))]
pub async fn address_list(
    State(app): State<App>,
    Player(user): Player,
) -> Result<Json<AddressesBody>, Problem> {
    let book = address_book::address_list(&app.world, user).await?;
    Ok(Json(AddressesBody { items: book.into_iter().map(AddressBody::from).collect() }))
}

/// Add an address
#[utoipa::path(post, path = "/me/addresses", tag = "me",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = AddressBody)))]
pub async fn address_add(
    State(app): State<App>,
    Player(user): Player,
    body: Body<AddressRequest>,
) -> Result<Response, Problem> {
    let address = body.value.check(&app)?;
    let entry = address_book::address_add(&app.world, user, body.repeat, address, body.value.default).await?;
    Ok((StatusCode::CREATED, Json(AddressBody::from(entry))).into_response())
}

/// Replace an address
#[utoipa::path(put, path = "/me/addresses/{id}", tag = "me", responses((status = 200, body = AddressBody)))]
pub async fn address_replace(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<AddressId>,
    body: Body<AddressRequest>,
) -> Result<Json<AddressBody>, Problem> {
    let address = body.value.check(&app)?;
    let entry = address_book::address_replace(&app.world, user, id, address, body.value.default).await?;
    Ok(Json(entry.into()))
}

/// Remove an address
#[utoipa::path(delete, path = "/me/addresses/{id}", tag = "me", responses((status = 204)))]
pub async fn address_remove(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<AddressId>,
) -> Result<StatusCode, Problem> {
    address_book::address_remove(&app.world, user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
