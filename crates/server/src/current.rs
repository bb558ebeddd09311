//! The request that is being worked on: whatever is logged meanwhile can be told by its id.

use std::future::Future;

use tokio::task::futures::TaskLocalFuture;

use crate::context::Context;

tokio::task_local! {
    static CURRENT: Context;
}

/// Works on a request.
pub(crate) fn within<F: Future>(context: &Context, work: F) -> TaskLocalFuture<Context, F> {
    CURRENT.scope(context.clone(), work)
}

/// The id of the request that is being worked on here, if one is.
pub fn with_request_id<T>(told: impl FnOnce(&str) -> T) -> Option<T> {
    CURRENT.try_with(|context| told(&context.request_id)).ok()
}
