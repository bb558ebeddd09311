//! The API document: generated from the handlers, then completed by rules that hold for all of them.
//!
//! A handler says what is its own: address and bodies; the extractors in its signature say who may call it. What follows
//! from that is written here once: descriptions of answers, the problems every operation may answer with, security,
//! headers, names as enums, examples and the events that are posted to subscribers. So a document that a validator refuses cannot come from one forgotten attribute.

mod complete;
mod enums;
mod examples;
mod names;
pub mod security;
pub mod signature;
#[cfg(test)]
mod tests;
mod webhooks;

use axum::Router;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi, Paths, ServerBuilder};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::routes;

pub const PREFIX: &str = "/api/v1";

const ABOUT: &str = "Prize draws, flash sales and stock reservation: never oversold, never lost, never drawn \
twice, and anyone can check.\n\nEvery write may be repeated: send an `Idempotency-Key` with what creates \
something; commands to stock have an id of their own. Every answer that is a \"no\" is `application/problem+json` with a stable `code` and a text in \
English or Chinese by `Accept-Language`. Ids are strings. Listings are pages: give `next` back as `after`. A request \
without a body is one with the body `{}`.";

/// What each group of operations is about.
const TAGS: [(&str, &str); 20] = [
    ("sign-in", "Codes, passwords, one-time links and sessions."),
    ("me", "What belongs to the person who asks: profile, addresses, wins, orders, points."),
    ("people", "What everybody may see of a person."),
    ("play", "Activities as players see them: draw, enter, look at results and proofs."),
    ("sales", "Sales as buyers see them, and orders with their payments."),
    ("shop", "What can be bought with points."),
    ("community", "Posts, comments, likes, votes, follows and blocks."),
    ("moderation", "What moderators see of posts and comments, and what they do about them."),
    ("activities", "Campaigns for staff: write, review, run, report."),
    ("statistics", "How many came, how many came again, and how far they got in a campaign."),
    ("trees", "Rule trees: who may take part, and who gets which activity."),
    ("inventory", "Pools of stock and holds on them, for a company's own backend."),
    ("fulfilment", "Prizes on their way to their winners, and messages that could not be delivered."),
    ("codes", "Pools of redeem codes."),
    ("grants", "Rules that give points or chances for what users do."),
    ("company", "One-time links and facts about a company's own users."),
    ("webhooks", "Subscriptions to events."),
    ("pictures", "Pictures of prizes and goods."),
    ("admin", "Accounts, keys, approvals, jobs, the audit log and the ledger."),
    ("site", "The clock and the catalogue of problems."),
];

/// The document as `windfall openapi` prints it and as it is kept in `api/openapi.json`: of a site behind TLS.
pub fn document() -> OpenApi {
    document_of(true)
}

/// The document as this site serves it. The session's cookie has another name behind TLS.
pub(crate) fn document_of(secure: bool) -> OpenApi {
    let mut document = raw();
    document.info = InfoBuilder::new()
        .title("Windfall")
        .version("1")
        .description(Some(ABOUT))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()))
        .contact(None::<utoipa::openapi::Contact>)
        .build();
    document.servers = Some(vec![ServerBuilder::new().url(PREFIX).build()]);
    document.tags =
        Some(TAGS.map(|(name, words)| TagBuilder::new().name(name).description(Some(words)).build()).into());
    security::add_schemes(&mut document, secure);
    complete::complete(&mut document);
    webhooks::add(&mut document);
    enums::apply(&mut document);
    names::apply(&mut document);
    examples::add(&mut document);
    document
}

/// What the handlers say, and nothing else.
pub(crate) fn raw() -> OpenApi {
    split(routes::api()).1
}

pub(crate) fn split(router: OpenApiRouter<App>) -> (Router<App>, OpenApi) {
    router.split_for_parts()
}

/// Every operation under these addresses.
fn operations(paths: &mut Paths) -> impl Iterator<Item = &mut Operation> {
    paths.paths.values_mut().flat_map(operations_of)
}

fn operations_of(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten()
}
