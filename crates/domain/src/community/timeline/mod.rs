//! Timelines: the posts of the people somebody follows, and their own, newest first by (time, id).
//!
//! A timeline is a cache of keys and may be lost: what a page shows is read from the rows. These are the parts that need no
//! IO; ports keep timelines, the engine reads and fills them.
//!
//! | module | decides |
//! | --- | --- |
//! | [`kept`] | what one kept timeline holds, and from where on the database has to be asked |
//! | [`alive`] | which timelines are delivered to |
//! | [`merge`] | several lists of keys as one |
//! | [`pull`] | which keys of which authors have to be read for the newest of all |
//! | [`scan`] | when a page is full, and where the next one begins |
//! | [`walk`] | whether a post is delivered by its author's followers or by the timelines that are alive |

pub mod alive;
pub mod kept;
pub mod merge;
pub mod pull;
pub mod scan;
pub mod walk;
