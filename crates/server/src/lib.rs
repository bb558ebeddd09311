//! HTTP: routes, wire types, authorization, the API document and the pages.
//!
//! The only crate that knows HTTP. A handler translates: it extracts, calls one flow, maps the result; who
//! may call it shows in its signature as an extractor of [`auth`]. What goes wrong becomes a
//! [`problem::Problem`], rendered once at the edge in the caller's language.

mod address;
mod app;
pub mod auth;
mod body;
mod body_room;
mod context;
mod cookies;
mod current;
mod deliverer;
mod dist;
mod download;
mod edge;
mod feed_page;
pub mod forms;
mod forwarder;
mod front;
mod given;
mod gone;
mod http_client;
mod json;
mod listen;
mod metrics;
mod network;
mod openapi;
mod outbound;
mod page;
mod pages;
mod patterns;
mod payments;
mod percent;
mod picture_body;
mod present;
pub mod problem;
mod requests;
mod routes;
mod share_card;
mod shared_body;
mod shares;
mod sheet_body;
mod streams;
mod timed_body;
mod to_the_end;
mod visits;
mod wire;

pub use app::{App, Health, HttpSettings, Parts};
pub use body_room::BodyRoom;
pub use context::Connection;
pub use current::with_request_id;
pub use deliverer::{Deliverer, DelivererSettings};
pub use edge::{ACCESS_TARGET, Site};
pub use forwarder::{Forwarder, ForwarderSettings};
pub use front::{Front, IsLed, NodeFront};
pub use http_client::http_client;
pub use listen::{ConnectionLimits, ListenError, Listener, TlsFiles, serve};
pub use network::Network;
pub use openapi::document;
pub use outbound::WebhookCodeSender;
pub use payments::{NoPayments, SandboxPayments, WebhookPayments, WebhookPaymentsSettings};
pub use percent::percent;
pub use requests::Requests;
pub use routes::ledger::AuditPassBody;
pub use sheet_body::SHEET_BYTES_MAX;
pub use streams::{SharesMax, Streams};
