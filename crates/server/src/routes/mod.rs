//! Every route of the API, in one list.

pub mod activities;
pub mod addresses;
pub mod admin_users;
pub mod approvals;
pub mod audit;
pub mod auth;
pub mod backups;
pub mod block_list;
pub mod codes;
pub mod fulfilment;
pub mod gate;
pub mod grants;
pub mod health;
pub mod inventory;
pub mod jobs;
pub mod keys;
pub mod ledger;
pub mod me;
pub mod meta;
pub mod orders;
pub mod people;
pub mod pictures;
pub mod play;
pub mod points;
pub mod quarantine;
pub mod reminders;
pub mod sales;
pub mod second_factor;
pub mod shop;
pub mod simulate;
pub mod support;
pub mod trees;
pub mod webhooks;

use axum::extract::FromRequestParts;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::http::request::Parts;
use domain::Rejection;
use domain::rejection::{FieldProblem, Subject};
use serde::de::DeserializeOwned;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::problem::Problem;

pub fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(auth::code_send))
        .routes(routes!(auth::sign_in_code))
        .routes(routes!(auth::sign_in_password))
        .routes(routes!(auth::register))
        .routes(routes!(auth::password_reset))
        .routes(routes!(auth::link_redeem))
        .routes(routes!(auth::sign_out))
        .routes(routes!(auth::sign_out_everywhere))
        .routes(routes!(me::me, me::me_edit))
        .routes(routes!(me::my_code_send))
        .routes(routes!(me::password_change))
        .routes(routes!(me::phone_change))
        .routes(routes!(me::account_delete))
        .routes(routes!(me::session_list))
        .routes(routes!(second_factor::second_factor, second_factor::second_factor_begin))
        .routes(routes!(second_factor::second_factor_confirm))
        .routes(routes!(second_factor::second_factor_remove))
        .routes(routes!(second_factor::second_factor_reset))
        .routes(routes!(me::session_end))
        .routes(routes!(addresses::address_list, addresses::address_add))
        .routes(routes!(addresses::address_replace, addresses::address_remove))
        .routes(routes!(points::my_points))
        .routes(routes!(points::my_statement))
        .routes(routes!(people::profile))
        .routes(routes!(people::link_create))
        .routes(routes!(people::external_user_delete))
        .routes(routes!(people::facts_of_external, people::facts_put_external))
        .routes(routes!(admin_users::user_list, admin_users::user_create))
        .routes(routes!(admin_users::user))
        .routes(routes!(admin_users::user_ban, admin_users::user_unban))
        .routes(routes!(admin_users::user_sign_out))
        .routes(routes!(admin_users::roles_ask))
        .routes(routes!(support::user_support))
        .routes(routes!(points::user_points, points::user_points_adjust))
        .routes(routes!(points::user_statement))
        .routes(routes!(points::user_points_reverse))
        .routes(routes!(admin_users::facts_of, admin_users::facts_put))
        .routes(routes!(keys::key_list, keys::key_create))
        .routes(routes!(keys::key_rotate))
        .routes(routes!(keys::key_revoke))
        .routes(routes!(approvals::approval_list))
        .routes(routes!(approvals::approval))
        .routes(routes!(approvals::approval_approve))
        .routes(routes!(approvals::approval_refuse))
        .routes(routes!(approvals::approval_withdraw))
        .routes(routes!(audit::audit_list))
        .routes(routes!(jobs::job_list))
        .routes(routes!(jobs::job, jobs::job_edit))
        .routes(routes!(jobs::job_runs))
        .routes(routes!(jobs::job_run_now))
        .routes(routes!(ledger::ledger))
        .routes(routes!(ledger::ledger_reconcile))
        .routes(routes!(backups::backup_status, backups::backup_create))
        .routes(routes!(quarantine::quarantine))
        .routes(routes!(quarantine::quarantined_messages, quarantine::quarantine_move))
        .routes(routes!(quarantine::code_pool_release))
        .routes(routes!(inventory::pools::pool_list, inventory::pools::pool_open))
        .routes(routes!(inventory::pools::pool))
        .routes(routes!(inventory::pools::pool_movements))
        .routes(routes!(inventory::events::pool_events))
        .routes(routes!(inventory::changes::pool_restock))
        .routes(routes!(inventory::changes::pool_adjust))
        .routes(routes!(inventory::changes::pool_limit))
        .routes(routes!(inventory::changes::pool_freeze))
        .routes(routes!(inventory::changes::pool_thaw))
        .routes(routes!(inventory::changes::pool_close))
        .routes(routes!(inventory::changes::pool_reopen))
        .routes(routes!(inventory::holds::hold_list, inventory::holds::hold_reserve))
        .routes(routes!(inventory::holds::hold))
        .routes(routes!(inventory::holds::hold_confirm))
        .routes(routes!(inventory::holds::hold_cancel))
        .routes(routes!(inventory::holds::hold_extend))
        .routes(routes!(inventory::batch::batch))
        .routes(routes!(play::about::play_list))
        .routes(routes!(play::about::play))
        .routes(routes!(play::draws::draw))
        .routes(routes!(play::draws::route_by_tree))
        .routes(routes!(play::draws::draw_by_tree))
        .routes(routes!(play::draws::enter))
        .routes(routes!(play::draws::my_chances))
        .routes(routes!(play::raffle::raffle))
        .routes(routes!(play::raffle::raffle_winners))
        .routes(routes!(play::raffle::raffle_roll))
        .routes(routes!(play::raffle::raffle_beacon))
        .routes(routes!(play::mine::my_draws))
        .routes(routes!(play::mine::my_proof))
        .routes(routes!(play::mine::my_wins))
        .routes(routes!(fulfilment::mine::my_win_claim))
        .routes(routes!(fulfilment::queue::fulfilment_list))
        .routes(routes!(fulfilment::queue::fulfilment))
        .routes(routes!(fulfilment::download::fulfilments_csv))
        .routes(routes!(fulfilment::steps::fulfilment_release))
        .routes(routes!(fulfilment::steps::fulfilment_ship))
        .routes(routes!(fulfilment::steps::fulfilment_deliver))
        .routes(routes!(fulfilment::steps::fulfilment_redrive))
        .routes(routes!(fulfilment::steps::fulfilment_void))
        .routes(routes!(fulfilment::steps::fulfilment_report))
        .routes(routes!(fulfilment::letters::letter_list))
        .routes(routes!(fulfilment::letters::letters_redrive))
        .routes(routes!(fulfilment::letters::letter))
        .routes(routes!(fulfilment::letters::letter_redrive))
        .routes(routes!(play::winners::winners))
        .routes(routes!(play::winners::winners_events))
        .routes(routes!(play::winners::leaders))
        .routes(routes!(activities::look::activity_list, activities::write::activity_create))
        .routes(routes!(activities::look::activity, activities::write::activity_edit))
        .routes(routes!(activities::write::activity_clone))
        .routes(routes!(activities::review::activity_submit))
        .routes(routes!(activities::review::activity_withdraw))
        .routes(routes!(activities::review::activity_approve))
        .routes(routes!(activities::review::activity_refuse))
        .routes(routes!(activities::run::activity_close))
        .routes(routes!(activities::run::activity_pause))
        .routes(routes!(activities::run::activity_resume))
        .routes(routes!(activities::run::activity_reopen))
        .routes(routes!(activities::look::version_list))
        .routes(routes!(activities::look::version))
        .routes(routes!(activities::look::version_diff))
        .routes(routes!(activities::look::activity_secrets))
        .routes(routes!(activities::prizes::prize_restock))
        .routes(routes!(activities::prizes::prize_withdraw))
        .routes(routes!(activities::prizes::prize_restore))
        .routes(routes!(activities::prizes::halted, activities::prizes::halt))
        .routes(routes!(activities::report::activity_report))
        .routes(routes!(activities::report::activity_live))
        .routes(routes!(activities::report::activity_grant))
        .routes(routes!(activities::downloads::draws_csv))
        .routes(routes!(activities::winners::winners_listed))
        .routes(routes!(activities::winners::publish))
        .routes(routes!(activities::winners::winners_whole))
        .routes(routes!(activities::downloads::export))
        .routes(routes!(trees::kept::tree_list, trees::kept::tree_create))
        .routes(routes!(trees::dry_run::tree_dry_run_draft))
        .routes(routes!(trees::kept::tree, trees::kept::tree_save))
        .routes(routes!(trees::kept::tree_version))
        .routes(routes!(trees::dry_run::tree_dry_run))
        .routes(routes!(block_list::block_list, block_list::block_list_import))
        .routes(routes!(block_list::block_list_remove))
        .routes(routes!(codes::code_pool_list, codes::code_pool_make))
        .routes(routes!(codes::code_pool, codes::code_pool_edit))
        .routes(routes!(codes::codes_import))
        .routes(routes!(codes::code_look))
        .routes(routes!(grants::rules::grant_rule_list, grants::rules::grant_rule_make))
        .routes(routes!(grants::rules::grant_rule, grants::rules::grant_rule_edit))
        .routes(routes!(grants::given::grant_list))
        .routes(routes!(grants::given::grant_reverse))
        .routes(routes!(grants::given::my_grants))
        .routes(routes!(grants::behaviours::behaviours))
        .routes(routes!(grants::behaviours::behaviour_undo))
        .routes(routes!(shop::orders::shop))
        .routes(routes!(shop::offers::offer_list, shop::offers::offer_make))
        .routes(routes!(shop::offers::offer_edit))
        .routes(routes!(shop::offers::offer_restock))
        .routes(routes!(shop::orders::offer))
        .routes(routes!(shop::orders::order))
        .routes(routes!(shop::orders::my_orders))
        .routes(routes!(shop::orders::shop_orders))
        .routes(routes!(shop::orders::shop_order_refund))
        .routes(routes!(gate::captcha))
        .routes(routes!(gate::token))
        .routes(routes!(gate::join, gate::place))
        .routes(routes!(gate::live))
        .routes(routes!(orders::attempts::sale_attempt))
        .routes(routes!(orders::attempts::cart_attempt))
        .routes(routes!(orders::attempts::attempt))
        .routes(routes!(orders::attempts::attempt_live))
        .routes(routes!(orders::mine::my_sale_orders))
        .routes(routes!(orders::mine::my_items))
        .routes(routes!(orders::mine::sale_order))
        .routes(routes!(orders::mine::sale_order_cancel))
        .routes(routes!(orders::mine::sale_order_pay))
        .routes(routes!(orders::operators::sale_orders))
        .routes(routes!(orders::operators::sale_orders_csv))
        .routes(routes!(orders::operators::sale_order_staff))
        .routes(routes!(orders::operators::sale_order_refund))
        .routes(routes!(orders::payments::payment_callback))
        .routes(routes!(sales::look::sale_list))
        .routes(routes!(sales::look::sale))
        .routes(routes!(sales::look::sale_live))
        .routes(routes!(sales::report::sale_units))
        .routes(routes!(sales::report::sale_report))
        .routes(routes!(sales::report::sale_report_live))
        .routes(routes!(sales::run::sale_restock))
        .routes(routes!(sales::run::sale_extend))
        .routes(routes!(pictures::picture_upload))
        .routes(routes!(pictures::picture))
        .routes(routes!(reminders::reminder_set, reminders::reminder_drop))
        .routes(routes!(reminders::my_reminders))
        .routes(routes!(simulate::activity_simulate))
        .routes(routes!(webhooks::kept::webhook_list, webhooks::kept::webhook_create))
        .routes(routes!(
            webhooks::kept::webhook,
            webhooks::kept::webhook_edit,
            webhooks::kept::webhook_remove
        ))
        .routes(routes!(webhooks::kept::webhook_rotate))
        .routes(routes!(webhooks::kept::webhook_on))
        .routes(routes!(webhooks::kept::webhook_off))
        .routes(routes!(webhooks::delivered::webhook_test))
        .routes(routes!(webhooks::delivered::delivery_list))
        .routes(routes!(webhooks::delivered::delivery_replay))
        .routes(routes!(webhooks::delivered::webhook_replay))
        .routes(routes!(meta::time))
        .routes(routes!(meta::problems))
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
                _ => Err(Rejection::NotFound { what: Subject::Page }.into()),
            },
            Err(_) => Err(Rejection::NotFound { what: Subject::Page }.into()),
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
