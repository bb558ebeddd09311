//! Webhooks: subscriptions, and what was delivered to them. For admins.

pub mod delivered;
pub mod kept;
