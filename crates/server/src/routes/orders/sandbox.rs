//! The sandbox: a plain page on which one presses pay, decline, pay late, pay twice. No money moves; what it tells is told
//! the way a real provider does. It is there only where the sandbox is the provider.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use domain::ids::OrderId;
use domain::rejection::MissingThing;
use domain::sale::OrderState;
use domain::{Lang, Rejection};
use engine::sales::orders::order_find;
use engine::sales::payments::{IncomingPayment, payment_accept, sandbox_pay_late};
use store::model::{SANDBOX, SaleOrder};

use super::super::Path;
use crate::app::App;
use crate::auth::count_page;
use crate::body::SmallBody;
use crate::context::Context;
use crate::problem::Problem;

pub fn router() -> Router<App> {
    Router::new().route("/sandbox/pay/{order}", get(page).post(press))
}

async fn order(app: &App, id: OrderId) -> Result<SaleOrder, Problem> {
    if app.world.outside.payments.provider() != Some(SANDBOX) {
        return Err(Rejection::NotFound { what: MissingThing::Page }.into());
    }
    let found = order_find(&app.world, id).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::Order })?)
}

async fn page(
    State(app): State<App>,
    context: Context,
    Path(id): Path<OrderId>,
) -> Result<Response, Problem> {
    count_page(&app, &context).await?;
    let order = order(&app, id).await?;
    Ok(html(&order, context.lang))
}

/// The form has one field, and its button says which.
async fn press(
    State(app): State<App>,
    context: Context,
    Path(id): Path<OrderId>,
    SmallBody(form): SmallBody,
) -> Result<Response, Problem> {
    count_page(&app, &context).await?;
    let order = order(&app, id).await?;
    let world = &app.world;
    let pay = |which: &str| IncomingPayment {
        reference: format!("{which} {}", world.next_id()),
        order: id,
        money: order.total,
    };
    match form.strip_prefix(b"press=").unwrap_or_default() {
        b"pay" => drop(payment_accept(world, SANDBOX, pay("pay")).await?),
        b"twice" => {
            payment_accept(world, SANDBOX, pay("first")).await?;
            payment_accept(world, SANDBOX, pay("second")).await?;
        }
        b"late" => {
            sandbox_pay_late(world, id, order.due).await?;
        }
        b"decline" => {}
        _ => return Ok(StatusCode::BAD_REQUEST.into_response()),
    }
    Ok(Redirect::to(&format!("/orders/{id}")).into_response())
}

/// Without any script, and without a text that somebody else wrote.
fn html(order: &SaleOrder, lang: Lang) -> Response {
    let say = |en: &'static str, zh: &'static str| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let open = order.state == OrderState::Unpaid && order.payment.is_none();
    let buttons = [
        ("pay", say("Pay", "支付")),
        ("decline", say("Decline", "放弃支付")),
        ("late", say("Pay late (after the order has expired)", "超时后支付")),
        ("twice", say("Pay twice", "重复支付")),
    ];
    let buttons: String = buttons
        .iter()
        .map(|(press, text)| format!("<p><button name=\"press\" value=\"{press}\">{text}</button></p>"))
        .collect();
    let text = format!(
        "<!doctype html><html lang=\"{tongue}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title></head>\
         <body><main><h1>{title}</h1><p>{about}</p><p>{named} {id}: <strong>{total}</strong></p>\
         <p>{stands}</p><form method=\"post\">{buttons}</form></main></body></html>",
        tongue = say("en", "zh-CN"),
        title = say("Sandbox payment", "沙箱支付"),
        about = say("No money moves here.", "此处不会发生真实扣款。"),
        named = say("Order", "订单"),
        id = order.id,
        total = order.total,
        stands = if open {
            say("It is not paid yet.", "订单尚未支付。")
        } else {
            say("It is paid, or its time is over.", "订单已支付或已结束。")
        },
    );
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")], text)
        .into_response()
}
