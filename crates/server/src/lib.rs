//! HTTP: routes, wire types, authorization, the API document and the pages.
//!
//! The only crate that knows HTTP. A handler translates: it extracts, calls one flow, maps the result; who
//! may call it shows in its signature as an extractor of [`auth`]. What goes wrong becomes a
//! [`problem::Problem`], rendered once at the edge in the caller's language.

mod address;
mod app;
pub mod auth;
mod blame;
mod body;
mod context;
mod cookies;
mod deliverer;
mod dist;
mod download;
mod edge;
pub mod forms;
mod gone;
