//! Every route of the API, in one list.

pub mod activities;
pub mod addresses;
pub mod admin_users;
pub mod approvals;
pub mod attention;
pub mod audit;
pub mod auth;
pub mod backups;
pub mod block_list;
pub mod code_stock;
pub mod codes;
pub mod community;
pub mod fulfilment;
pub mod gate;
pub mod grants;
pub mod health;
mod imprint;
pub mod inventory;
pub mod jobs;
pub mod keys;
pub mod ledger;
pub mod me;
pub mod meta;
pub mod names;
pub mod orders;
pub mod people;
pub mod pictures;
pub mod play;
pub mod points;
pub mod quarantine;
pub mod reminders;
pub mod sales;
pub mod search;
pub mod second_factor;
pub mod shop;
pub mod simulate;
mod site;
mod statistics;
pub mod support;
pub mod trees;
pub mod webhooks;

use axum::extract::FromRequestParts;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::http::request::Parts;
use domain::Rejection;
use domain::rejection::{FieldProblem, MissingThing};
use serde::de::DeserializeOwned;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::openapi::signature::describe;
use crate::problem::Problem;

/// Adds handlers to the API, each with its operation in the document and what its signature says about it.
macro_rules! api {
    ($($($handler:ident)::+,)+) => {
        // Each in a function of its own: in a debug build one expression for all of them fills a thread's stack.
        let steps: &[fn(OpenApiRouter<App>) -> OpenApiRouter<App>] =
            &[$(|router| router.routes(describe(&$($handler)::+, routes!($($handler)::+)))),+];
        steps.iter().fold(OpenApiRouter::new(), |router, add| add(router))
    };
}

pub fn api() -> OpenApiRouter<App> {
    api! {
        auth::code_send,
        auth::sign_in_code,
        auth::sign_in_password,
        auth::register,
        auth::password_reset,
        auth::link_redeem,
        auth::sign_out,
        auth::sign_out_everywhere,
        me::me_get,
        me::me_edit,
        me::my_code_send,
        me::password_change,
        me::phone_change,
        me::account_delete,
        me::session_list,
        second_factor::second_factor,
        second_factor::second_factor_begin,
        second_factor::second_factor_confirm,
        second_factor::second_factor_remove,
        second_factor::second_factor_reset,
        me::session_end,
        addresses::address_list,
        addresses::address_add,
        addresses::address_replace,
        addresses::address_remove,
        points::my_points,
        points::my_statement,
        people::profile,
        people::link_create,
        people::external_user_delete,
        people::facts_of_external,
        people::facts_put_external,
        admin_users::user_list,
        names::name_list,
        admin_users::user_create,
        admin_users::user,
        admin_users::user_ban,
        admin_users::user_unban,
        admin_users::user_sign_out,
        admin_users::roles_ask,
        support::user_support,
        points::user_points,
        points::user_points_adjust,
        points::user_statement,
        points::user_points_reverse,
        admin_users::facts_of,
        admin_users::facts_put,
        keys::key_list,
        keys::key_create,
        keys::key_rotate,
        keys::key_revoke,
        approvals::approval_list,
        approvals::approval_get,
        approvals::approval_approve,
        approvals::approval_refuse,
        approvals::approval_withdraw,
        attention::attention_list,
        audit::audit_list,
        jobs::job_list,
        jobs::job,
        jobs::job_edit,
        jobs::job_runs,
        jobs::job_run_now,
        ledger::ledger,
        ledger::ledger_reconcile,
        backups::backup_status,
        backups::backup_create,
        quarantine::quarantine,
        quarantine::quarantined_messages,
        quarantine::quarantine_move,
        quarantine::code_pool_release,
        inventory::pools::pool_list,
        inventory::pools::pool_open,
        inventory::pools::pool_get,
        inventory::pools::pool_movements,
        inventory::events::pool_events,
        inventory::changes::pool_restock,
        inventory::changes::pool_adjust,
        inventory::changes::pool_limit,
        inventory::changes::pool_freeze,
        inventory::changes::pool_thaw,
        inventory::changes::pool_close,
        inventory::changes::pool_reopen,
        inventory::holds::hold_list,
        inventory::holds::hold_reserve,
        inventory::holds::hold_get,
        inventory::holds::hold_confirm,
        inventory::holds::hold_cancel,
        inventory::holds::hold_extend,
        inventory::batch::inventory_batch,
        play::about::play_activity_list,
        play::about::play_activity_get,
        play::draws::draw_create,
        play::draws::route_by_tree,
        play::draws::tree_draw_create,
        play::draws::entry_create,
        play::draws::my_chances,
        play::raffle::raffle,
        play::raffle::raffle_winners,
        play::raffle::raffle_roll,
        play::raffle::raffle_beacon,
        play::mine::my_draws,
        play::mine::my_proof,
        play::mine::my_wins,
        fulfilment::mine::my_win_claim,
        fulfilment::queue::fulfilment_list,
        fulfilment::queue::fulfilment_get,
        fulfilment::download::fulfilments_csv,
        fulfilment::steps::fulfilment_release,
        fulfilment::steps::fulfilment_ship,
        fulfilment::steps::fulfilment_deliver,
        fulfilment::steps::fulfilment_redrive,
        fulfilment::steps::fulfilment_void,
        fulfilment::steps::fulfilment_report,
        fulfilment::letters::letter_list,
        fulfilment::letters::letters_redrive,
        fulfilment::letters::letter,
        fulfilment::letters::letter_redrive,
        play::winners::winners,
        play::winners::winners_events,
        play::winners::leader_list,
        activities::look::activity_list,
        activities::write::activity_create,
        activities::look::activity_get,
        activities::write::activity_edit,
        activities::write::activity_clone,
        activities::write::activity_discard,
        activities::timeline::activity_timeline,
        activities::review::activity_submit,
        activities::review::activity_withdraw,
        activities::review::activity_approve,
        activities::review::activity_refuse,
        activities::run::activity_close,
        activities::run::activity_pause,
        activities::run::activity_resume,
        activities::run::activity_reopen,
        activities::look::version_list,
        activities::look::version,
        activities::look::version_diff,
        activities::look::activity_secrets,
        activities::prizes::prize_restock,
        activities::prizes::prize_withdraw,
        activities::prizes::prize_restore,
        activities::prizes::halt_get,
        activities::prizes::halt_set,
        activities::report::activity_report,
        activities::report::activity_live,
        activities::report::activity_grant,
        activities::downloads::draws_csv,
        activities::winners::winner_list,
        activities::winners::winners_publish,
        activities::winners::winners_whole,
        activities::downloads::activity_export,
        trees::kept::tree_list,
        trees::kept::tree_create,
        trees::dry_run::tree_dry_run_draft,
        trees::kept::tree,
        trees::kept::tree_save,
        trees::kept::tree_uses,
        trees::kept::tree_version,
        trees::dry_run::tree_dry_run,
        block_list::block_list,
        block_list::block_list_import,
        block_list::block_list_remove,
        codes::code_pool_list,
        codes::code_pool_make,
        codes::code_pool,
        codes::code_pool_edit,
        codes::codes_import,
        code_stock::codes_preview,
        code_stock::codes_retire,
        codes::fulfilment_code_get,
        grants::rules::grant_rule_list,
        grants::rules::grant_rule_make,
        grants::rules::grant_rule,
        grants::rules::grant_rule_edit,
        grants::given::grant_list,
        grants::given::grant_reverse,
        grants::given::my_grants,
        grants::behaviours::behaviour_record,
        grants::behaviours::behaviour_undo,
        shop::orders::shop_offer_list,
        shop::offers::offer_list,
        shop::offers::offer_make,
        shop::offers::offer_edit,
        shop::offers::offer_restock,
        shop::orders::shop_offer_get,
        shop::orders::shop_order_create,
        shop::orders::my_shop_orders,
        shop::orders::shop_orders,
        shop::orders::shop_order_refund,
        gate::sale_captcha_create,
        gate::sale_token_create,
        gate::room_join,
        gate::room_get,
        gate::room_live,
        orders::attempts::sale_attempt,
        orders::attempts::cart_attempt,
        orders::attempts::attempt_get,
        orders::attempts::attempt_live,
        orders::mine::my_sale_orders,
        orders::mine::my_items,
        orders::mine::sale_order,
        orders::mine::sale_order_address,
        orders::mine::sale_order_cancel,
        orders::mine::sale_order_pay,
        orders::operators::sale_orders,
        orders::operators::sale_orders_csv,
        orders::operators::sale_order_staff,
        orders::operators::sale_order_refund,
        orders::payments::payment_callback,
        sales::look::sale_list,
        sales::look::sale,
        sales::look::sale_live,
        sales::report::sale_units,
        sales::report::sale_report,
        sales::report::sale_report_live,
        sales::run::sale_restock,
        sales::run::sale_extend,
        pictures::picture_upload,
        pictures::picture,
        reminders::reminder_set,
        reminders::reminder_drop,
        reminders::my_reminders,
        search::search,
        community::posts::post_create,
        community::posts::post_preview,
        community::posts::post_list,
        community::posts::featured_posts,
        community::posts::hot_posts,
        community::posts::posts_of,
        community::posts::my_posts,
        community::posts::my_timeline,
        community::posts::post_get,
        community::posts::post_edit,
        community::posts::post_delete,
        community::posts::post_like,
        community::posts::post_unlike,
        community::posts::post_likers,
        community::posts::post_vote,
        community::comments::comment_create,
        community::comments::comment_list,
        community::comments::top_comments,
        community::comments::reply_list,
        community::comments::comment_delete,
        community::comments::comment_like,
        community::comments::comment_unlike,
        community::comments::comment_moderate,
        community::people::member_get,
        community::people::user_follow,
        community::people::user_unfollow,
        community::people::user_block,
        community::people::user_unblock,
        community::people::followers,
        community::people::following,
        community::check_ins::my_check_ins,
        community::check_ins::check_in,
        community::check_ins::check_in_make_up,
        community::tasks::my_tasks,
        community::invites::my_invites,
        community::invites::invite_code_make,
        community::invites::inviter,
        community::invites::invite_accept,
        community::people::my_blocks,
        community::notifications::notification_list,
        community::notifications::unread_get,
        community::notifications::notifications_read,
        community::notifications::notification_settings,
        community::notifications::notification_settings_update,
        community::notifications::mute_create,
        community::notifications::mute_delete,
        community::live::my_events,
        community::messages::message_send,
        community::messages::message_list,
        community::messages::messages_read,
        community::messages::conversation_list,
        community::reports::report_create,
        community::reports::report_list,
        community::reports::report_decide,
        community::reports::report_disclose,
        community::moderation::post_moderate,
        community::moderation::post_history,
        community::words::words_list,
        community::words::words_change,
        community::words::words_changes,
        community::words::words_try,
        community::appeals::held_list,
        community::appeals::my_decisions,
        community::appeals::appeal_create,
        community::appeals::appeal_list,
        community::appeals::appeal_decide,
        statistics::days::statistics_days,
        statistics::days::statistics_days_csv,
        statistics::days::statistics_range,
        statistics::retention::statistics_retention,
        statistics::funnel::campaign_funnel,
        simulate::activity_simulate,
        webhooks::kept::webhook_list,
        webhooks::kept::webhook_create,
        webhooks::kept::webhook,
        webhooks::kept::webhook_edit,
        webhooks::kept::webhook_remove,
        webhooks::kept::webhook_rotate,
        webhooks::kept::webhook_on,
        webhooks::kept::webhook_off,
        webhooks::delivered::webhook_test,
        webhooks::delivered::delivery_list,
        webhooks::delivered::delivery_replay,
        webhooks::delivered::webhook_replay,
        meta::time,
        site::site,
        meta::problems,
    }
}

/// A path parameter; one that cannot be what it should be names nothing that exists.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        match axum::extract::Path::<T>::from_request_parts(parts, app).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(PathRejection::FailedToDeserializePathParams(error)) => match error.kind() {
                ErrorKind::InvalidUtf8InPathParam { key } => {
                    Err(Rejection::invalid(key, FieldProblem::Malformed).into())
                }
                _ => Err(Rejection::NotFound { what: MissingThing::Page }.into()),
            },
            Err(_) => Err(Rejection::NotFound { what: MissingThing::Page }.into()),
        }
    }
}

/// The query string; a malformed part is named. An unknown one has been refused at the edge, by the API document.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Query<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        match axum::extract::Query::<T>::from_request_parts(parts, app).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => {
                let text = rejection.to_string();
                // "Failed to deserialize query string: name: …" names the part; without a part it is the query itself.
                let part = text.split(": ").nth(1).filter(|part| !part.contains(' ')).unwrap_or("query");
                let field = part.chars().take(60).collect();
                Err(Rejection::Invalid { field, problem: FieldProblem::Malformed }.into())
            }
        }
    }
}
