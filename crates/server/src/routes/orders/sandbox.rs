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

/// The colours of the players' pages, by day and by night. Without any script.
const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#fdf6ec;--sheet:#fffdf9;--ink:#2a1c16;--soft:#6a5648;--line:#ecdfcb;\
--accent:#c2361f;--on:#fff;--gold:#fcf0d0;--gold-ink:#7a5100}\
@media(prefers-color-scheme:dark){:root{--paper:#17110f;--sheet:#231b18;--ink:#f7ede3;--soft:#c2afa0;--line:#3b2e28;\
--accent:#ff8e6e;--on:#2b0d05;--gold:#362a14;--gold-ink:#f2c967}}\
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;\
background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'PingFang SC','Noto Sans CJK SC',sans-serif}\
main{width:100%;max-width:26rem;padding:1.5rem 1.25rem;border:1px solid var(--line);border-radius:20px;\
background:var(--sheet);text-align:center}\
h1{margin:0 0 .25rem;font-size:1.25rem}p{margin:.35rem 0}.note{padding:.5rem .8rem;border-radius:12px;\
background:var(--gold);color:var(--gold-ink);font-size:.92rem}.sum{font-size:2.2rem;font-weight:750;\
font-variant-numeric:tabular-nums}.soft{color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}\
form{display:grid;gap:.6rem;margin-top:1rem}button{min-height:48px;padding:.6rem 1rem;border:1px solid var(--line);\
border-radius:999px;background:none;color:inherit;font:inherit;cursor:pointer}\
button[value=pay]{border-color:transparent;background:var(--accent);color:var(--on);font-weight:650}\
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}\
fieldset{display:grid;gap:.6rem;margin:.4rem 0 0;padding:.8rem;border:1px dashed var(--line);border-radius:16px}\
legend{padding:0 .4rem;color:var(--soft);font-size:.9rem}a{color:inherit}";

/// Without a text that somebody else wrote.
fn html(order: &SaleOrder, lang: Lang) -> Response {
    let say = |en: &'static str, zh: &'static str| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let open = order.state == OrderState::Unpaid && order.payment.is_none();
    let button =
        |press: &str, text: &str| format!("<button name=\"press\" value=\"{press}\">{text}</button>");
    let text = format!(
        "<!doctype html><html lang=\"{tongue}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1><p class=\"note\">{about}</p><p class=\"sum\">{total}</p>\
         <p class=\"soft\">{named} {id}</p><p>{stands}</p><form method=\"post\">{pay}\
         <fieldset><legend>{tries}</legend>{others}</fieldset></form>\
         <p><a href=\"/orders/{id}\">{back}</a></p></main></body></html>",
        tongue = say("en", "zh-CN"),
        title = say("Sandbox payment", "沙箱支付"),
        about = say("For trying things out: no money moves here.", "仅供体验，不会发生真实扣款。"),
        total = order.total,
        named = say("Order", "订单"),
        id = order.id,
        stands = if open {
            say("Waiting for your payment.", "等待付款。")
        } else {
            say("This order is paid, or its time is over.", "订单已付款或已结束。")
        },
        pay = button("pay", say("Pay now", "立即支付")),
        tries = say("Try what can go wrong", "模拟其他情况"),
        others = [
            button("decline", say("Decline", "放弃支付")),
            button("late", say("Pay after the order has expired", "订单超时后再支付")),
            button("twice", say("Pay twice", "重复支付")),
        ]
        .concat(),
        back = say("Back to the order", "返回订单"),
    );
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")], text)
        .into_response()
}
