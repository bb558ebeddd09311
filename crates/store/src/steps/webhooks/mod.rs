//! Subscriptions to events, their messages, and the log of attempts.

mod attempts;
mod columns;
mod methods;
mod replay;
mod sweep;
mod write;
