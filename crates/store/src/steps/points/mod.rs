//! Points. Whatever changes an account goes through [`post`] or [`post_all`], inside the transaction of whoever asks:
//! a prize that is points, a grant, the shop, an adjustment.

pub(crate) mod adjust;
mod book;
mod columns;
mod expire;
pub(crate) mod forfeit;
mod level;
mod methods;
pub(crate) mod post;
mod read;
