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

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;
    use crate::context::Connection;

    /// Wherever the work is carried on, and nowhere else.
    #[tokio::test]
    async fn whatever_is_done_for_a_request_knows_its_id() {
        let (parts, ()) = Request::new(()).into_parts();
        let context = Context::new(Connection::Console, &parts, &[], || "ab12".to_owned());
        let work = within(&context, async {
            tokio::task::yield_now().await;
            with_request_id(str::to_owned)
        });
        let elsewhere = tokio::spawn(work);
        assert_eq!(with_request_id(str::to_owned), None);
        assert_eq!(elsewhere.await.unwrap().as_deref(), Some("ab12"));
    }
}
