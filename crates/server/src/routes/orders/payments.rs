//! What payment providers tell us.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::Rejection;
use domain::ids::OrderId;
use domain::rejection::{FieldProblem, MissingThing};
use domain::sale::{Currency, Money};
use engine::sales::payments::{IncomingPayment, payment_accept};
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::PaymentBody;
use crate::app::App;
use crate::body::SmallBody;
use crate::json::parse;
use crate::problem::Problem;

/// Money that came for an order.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CallbackRequest {
    /// Your own name for the payment, 1 to 128 bytes: the same again is the same payment.
    #[schema(example = "2026111600001")]
    pub reference: String,
    pub order: String,
    /// In the currency's smallest unit.
    pub amount_minor: i64,
    #[schema(example = "CNY")]
    pub currency: String,
}

/// Money came
///
/// Signed as our own webhooks are: `Windfall-Signature: t=<seconds>,v1=<hex>`, HMAC-SHA256 over `<t>.<body>` with the shared
/// secret, not older than five minutes. It may come before the buyer is back, twice, or late: tell it until it is answered
/// with 200.
#[utoipa::path(post, path = "/payments/{provider}/callback", tag = "sales",
    params(("Windfall-Signature" = String, Header)), request_body = CallbackRequest,
    responses((status = 200, body = PaymentBody)))]
pub async fn payment_callback(
    State(app): State<App>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    SmallBody(body): SmallBody,
) -> Result<Json<PaymentBody>, Problem> {
    if app.world.outside.payments.provider() != Some(provider.as_str()) {
        return Err(Rejection::NotFound { what: MissingThing::PaymentProvider }.into());
    }
    let signature =
        headers.get("windfall-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !app.world.outside.payments.is_signed(&provider, signature, &body, app.world.now()) {
        return Err(Rejection::SignatureWrong.into());
    }
    let given: CallbackRequest = parse(&body)?;
    let malformed = |field: &str| Rejection::invalid(field, FieldProblem::Malformed);
    let order: OrderId = given.order.parse().map_err(|_| malformed("order"))?;
    let range = FieldProblem::OutOfRange { min: 0, max: i64::MAX };
    let minor = u64::try_from(given.amount_minor).map_err(|_| Rejection::invalid("amount_minor", range))?;
    let currency = Currency::parse(&given.currency).ok_or_else(|| malformed("currency"))?;
    let came = IncomingPayment { reference: given.reference, order, money: Money { minor, currency } };
    Ok(Json(payment_accept(&app.world, &provider, came).await?.into()))
}
