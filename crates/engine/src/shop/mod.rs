//! The shop: offers as operators keep them, and buying.
//!
//! Buying goes in three steps, each of which may be the last before a crash:
//!
//! 1. the ledger holds the units, under the limit per user;
//! 2. one transaction takes the points and writes the order, what is given for it, and a message;
//! 3. the ledger takes the held units, and the order lets go what was bought. Whoever comes first does it: the request
//!    itself, or the relay with the message.
//!
//! A crash after 1 leaves a hold that lapses by itself. After 2 the message is there. If the hold has lapsed by then the
//! units are reserved again; if they are gone, the points come back and nothing is given.
//!
//! What is done can be refunded by two people; what could never be given (chances of an activity that closed in the moment
//! between) is refunded by itself.

mod buy;
mod offers;
mod refund;
pub(crate) mod relay;
mod settle;
mod shelf;

pub use buy::{ShopOrderView, StaffShopOrder, buy, my_orders, order_search, place};
pub(crate) use offers::is_over;
pub use offers::{
    NewOffer, OfferView, offer_edit, offer_list, offer_look, offer_make, offer_restock, on_sale,
    restock_apply,
};
pub use refund::{shop_refund_ask, units_back};
pub use settle::settle;
