//! What strangers try: names, bodies, connections and heads that cost more than they should, and a stop in the middle of it.

mod bodies;
mod connections;
mod heads;
mod log;
mod names;
mod pictures;
mod raw;
mod shares;
mod stop;
