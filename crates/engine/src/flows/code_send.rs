//! Sends a verification code. The answer is the same for known and unknown phones.

use std::sync::Arc;

use domain::Rejection;
use domain::account::{CODE_LIFE_MS, CODE_RESEND_MS, Code, Phone, Purpose, code_from_bytes};
use domain::ids::UserId;
use domain::rejection::{FieldProblem, Subject};
use domain::time::SECOND_MS;

use super::entry::{code_hash, count_sign_in, phone_index};
use super::{Caller, profile};
use crate::failure::Outcome;
use crate::ports::CodeIssue;
use crate::world::World;

#[derive(Clone, Debug)]
pub struct CodeSent {
    pub expires_in_s: i64,
    pub resend_in_s: i64,
    /// The digits, in demo mode only.
    pub shown: Option<Code>,
}

/// For people who are not signed in: `sign_in`, `register`, `reset_password`.
pub async fn code_send(world: &Arc<World>, caller: &Caller, phone: &str, purpose: &str) -> Outcome<CodeSent> {
    let phone = Phone::parse(phone)?;
    match Purpose::parse(purpose)? {
        purpose @ (Purpose::SignIn | Purpose::Register | Purpose::ResetPassword) => {
            send(world, caller, phone, purpose).await
        }
        Purpose::ConfirmPhone | Purpose::NewPhone => {
            let allowed = "sign_in, register, reset_password";
            Err(Rejection::invalid("purpose", FieldProblem::NotOneOf { allowed }).into())
        }
    }
}

/// For a signed-in person: to the number they have (no `phone`), or to the number they want.
pub async fn code_send_to_me(
    world: &Arc<World>,
    caller: &Caller,
    user: UserId,
    new_phone: Option<&str>,
) -> Outcome<CodeSent> {
    match new_phone {
        Some(phone) => send(world, caller, Phone::parse_as("new_phone", phone)?, Purpose::NewPhone).await,
        None => {
            let account =
                world.accounts.account(user).await?.ok_or(Rejection::NotFound { what: Subject::User })?;
            let phone = profile::phone_of(world, &account)?
                .ok_or_else(|| Rejection::invalid("phone", FieldProblem::Missing))?;
            send(world, caller, phone, Purpose::ConfirmPhone).await
        }
    }
}

async fn send(world: &Arc<World>, caller: &Caller, phone: Phone, purpose: Purpose) -> Outcome<CodeSent> {
    let index = phone_index(world, &phone);
    count_sign_in(world, caller, &index).await?;
    let code = code_from_bytes(world.bytes());
    let now = world.now();
    let known = world
        .accounts
        .code_issue(CodeIssue {
            phone: index,
            purpose,
            code: code_hash(world, &index, purpose, &code),
            ip: caller.ip.clone(),
            day: world.site_day(now),
            caps: world.settings.codes,
            now,
        })
        .await?;
    // Nobody resets the password of an account that is not there; the caller must not notice.
    if known || purpose != Purpose::ResetPassword {
        dispatch(world, phone, purpose, code.clone());
    }
    Ok(CodeSent {
        expires_in_s: CODE_LIFE_MS / SECOND_MS,
        resend_in_s: CODE_RESEND_MS / SECOND_MS,
        shown: world.settings.demo.then_some(code),
    })
}

/// Off the request's path: a slow gateway must not tell known phones from unknown ones by time.
fn dispatch(world: &Arc<World>, phone: Phone, purpose: Purpose, code: Code) {
    let world = Arc::clone(world);
    tokio::spawn(async move {
        if let Err(fault) = world.sender.send(&phone, purpose, &code).await {
            tracing::error!(phone = %phone.masked(), purpose = purpose.name(), fault = fault.story(), "code not sent");
        }
    });
}
