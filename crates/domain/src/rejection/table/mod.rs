//! The rows, one file per topic, each with what its English text comes to. A new topic is a file, a line in each list
//! here, and its place in the list of `answer.rs`.

mod access;
mod activities;
mod codes;
mod community;
mod credentials;
mod fulfilment;
mod gate;
mod grants;
mod orders;
mod pace;
mod playing;
mod points;
mod raffles;
mod request;
mod running;
mod sales;
mod shop;
mod stock;
mod webhooks;

pub(super) use access::access;
pub(super) use activities::activities;
pub(super) use codes::codes;
pub(super) use community::community;
pub(super) use credentials::credentials;
pub(super) use fulfilment::fulfilment;
pub(super) use gate::gate;
pub(super) use grants::grants;
pub(super) use orders::orders;
pub(super) use pace::pace;
pub(super) use playing::playing;
pub(super) use points::points;
pub(super) use raffles::raffles;
pub(super) use request::request;
pub(super) use running::running;
pub(super) use sales::sales;
pub(super) use shop::shop;
pub(super) use stock::stock;
pub(super) use webhooks::webhooks;

/// A rejection as an example, and the English text that comes of it.
pub(super) type Row = (super::Rejection, &'static str);

/// In the order of the catalogue.
pub(super) fn examples() -> Vec<Row> {
    let topics = [
        request::examples(),
        access::examples(),
        pace::examples(),
        credentials::examples(),
        running::examples(),
        stock::examples(),
        activities::examples(),
        playing::examples(),
        raffles::examples(),
        fulfilment::examples(),
        points::examples(),
        codes::examples(),
        webhooks::examples(),
        grants::examples(),
        shop::examples(),
        sales::examples(),
        gate::examples(),
        orders::examples(),
        community::examples(),
    ];
    topics.into_iter().flatten().collect()
}
