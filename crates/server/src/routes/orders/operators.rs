//! Orders as operators see them: a list, a file, and giving money back.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::OrderId;
use domain::page::PageRequest;
use domain::rejection::MissingThing;
use engine::people::external_ids::external_ids;
use engine::sales::orders::OrderView;
use engine::sales::payments::Refund;
use engine::sales::{orders, payments};
use engine::{Result, World};
use serde::Deserialize;
use store::model::OrderSearch;
use utoipa::{IntoParams, ToSchema};

use super::super::activities::downloads::time;
use super::super::admin_users::ApprovalRequested;
use super::super::fulfilment::steps::asked;
use super::super::{Path, Query};
use super::mine::state;
use super::wire::SaleOrderStaffBody;
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::download::{Rows, table};
use crate::given::maybe_id;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::streams::Audience;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrderFilter {
    /// `unpaid`, `paid`, `fulfilled`, `cancelled`, `expired`, `refund_due` or `refunded`.
    state: Option<String>,
    /// Orders with a line of this sale.
    sale: Option<String>,
    /// Orders of this user.
    user: Option<String>,
}

impl OrderFilter {
    fn search(&self) -> Result<OrderSearch, Rejection> {
        Ok(OrderSearch {
            state: state(self.state.as_deref())?,
            sale: maybe_id("sale", self.sale.as_deref())?,
            user: maybe_id("user", self.user.as_deref())?,
        })
    }
}

/// Orders of sales, newest first
#[utoipa::path(get, path = "/admin/orders", tag = "sales",
    params(OrderFilter, PageQuery), responses((status = 200, body = PageBody<SaleOrderStaffBody>)))]
pub async fn sale_orders(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<OrderFilter>,
) -> Result<Json<PageBody<SaleOrderStaffBody>>, Problem> {
    let page = orders::order_list(&app.world, filter.search()?, page).await?;
    let known = external_ids(&app.world, page.items.iter().map(|told| told.order.user)).await?;
    Ok(Json(PageBody::of(page, |told| SaleOrderStaffBody::of(told, &known))))
}

/// One order
#[utoipa::path(get, path = "/admin/orders/{id}", tag = "sales",
    responses((status = 200, body = SaleOrderStaffBody)))]
pub async fn sale_order_staff(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<OrderId>,
) -> Result<Json<SaleOrderStaffBody>, Problem> {
    let order = orders::order_find(&app.world, id).await?;
    let order = order.ok_or(Rejection::NotFound { what: MissingThing::Order })?;
    whole(&app.world, orders::order_view(&app.world, order, false).await?).await
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefundRequest {
    pub reason: String,
}

/// Give the money of a paid order back
///
/// What its buyer does not have yet is voided; what is under way stays so, and `already_given` says what they have all the
/// same. The units stay taken: restock the sale to sell them again. The same again is the same. Nobody refunds their own
/// order. What goes beyond `alone.refunds_daily_max_minor` of the caller's day is answered with 202 and takes effect when an
/// admin who is somebody else approves.
#[utoipa::path(post, path = "/admin/orders/{id}/refund", tag = "sales",
    responses((status = 200, body = SaleOrderStaffBody), (status = 202, body = ApprovalRequested)))]
pub async fn sale_order_refund(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<OrderId>,
    body: Body<RefundRequest>,
) -> Result<Response, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(match payments::order_refund(&app.world, signed, id).await? {
        Refund::Due(told) => whole(&app.world, *told).await?.into_response(),
        Refund::Waits(approval) => asked(approval),
    })
}

async fn whole(world: &World, told: OrderView) -> Result<Json<SaleOrderStaffBody>, Problem> {
    let known = external_ids(world, [told.order.user]).await?;
    Ok(Json(SaleOrderStaffBody::of(told, &known)))
}

const COLUMNS: [&str; 21] = [
    "id",
    "user",
    "external_id",
    "state",
    "policy",
    "made",
    "due",
    "changed",
    "currency",
    "total_minor",
    "sale",
    "name",
    "item",
    "quantity",
    "price_minor",
    "came_minor",
    "back_minor",
    "back_due_minor",
    "references",
    "reason",
    "lines",
];

/// Orders of sales as a table, newest first
///
/// A row for each line of each order; what is of the whole order stands in its first row only, so that columns add up.
#[utoipa::path(get, path = "/admin/orders.csv", tag = "sales",
    params(OrderFilter), responses((status = 200, body = String, content_type = "text/csv")))]
pub async fn sale_orders_csv(
    State(app): State<App>,
    reader: Reader,
    Query(filter): Query<OrderFilter>,
) -> Result<Response, Problem> {
    let place = app.streams.enter(Audience::Staff(reader.actor))?;
    let (world, search) = (Arc::clone(&app.world), filter.search()?);
    Ok(table(place, "orders.csv", &COLUMNS, move |page| {
        let world = Arc::clone(&world);
        async move { page_rows(&world, search, page).await }
    }))
}

async fn page_rows(world: &World, search: OrderSearch, page: PageRequest) -> Result<(Rows, Option<i64>)> {
    let page = orders::order_list(world, search, page).await?;
    let mut rows = Rows::new();
    let known = external_ids(world, page.items.iter().map(|told| told.order.user)).await?;
    for told in page.items {
        let external_id = known.get(&told.order.user).cloned().unwrap_or_default();
        put(&mut rows, told, &external_id);
    }
    Ok((rows, page.next))
}

fn put(rows: &mut Rows, OrderView { order, payments, .. }: OrderView, external_id: &str) {
    use domain::sale::PaymentState::{Arrived, Back, BackDue, Used};
    let sum = |states: &[domain::sale::PaymentState]| -> String {
        let of = payments.iter().filter(|payment| states.contains(&payment.state));
        of.map(|payment| payment.money.minor).sum::<u64>().to_string()
    };
    let references: Vec<&str> = payments.iter().map(|payment| payment.reference.as_str()).collect();
    for (at, line) in order.lines.iter().enumerate() {
        let once = |text: String| if at == 0 { text } else { String::new() };
        rows.put(&[
            order.id.to_string(),
            order.user.to_string(),
            external_id.to_owned(),
            order.state.name().to_owned(),
            order.policy.name().to_owned(),
            time(order.made),
            time(order.due),
            time(order.changed),
            order.total.currency.to_string(),
            once(order.total.minor.to_string()),
            line.sale.to_string(),
            line.name.clone(),
            line.item.name().to_owned(),
            line.quantity.to_string(),
            line.price_minor.to_string(),
            once(sum(&[Arrived, Used, BackDue, Back])),
            once(sum(&[Back])),
            once(sum(&[BackDue])),
            once(references.join(" ")),
            once(order.note.clone().unwrap_or_default()),
            once(order.lines.len().to_string()),
        ]);
    }
}
