//! Sends a verification code. The answer is the same for known and unknown phones.

use std::sync::Arc;

use domain::Rejection;
use domain::account::{
    CODE_LIFE_MS, CODE_RESEND_MS, CodeHolder, CodePurpose, Phone, PhoneCode, code_from_bytes,
};
use domain::ids::UserId;
use domain::rejection::{FieldProblem, MissingThing};
use domain::time::SECOND_MS;
use store::model::CodeIssue;

use crate::caller::Caller;
use crate::failure::{Failure, Result};
use crate::people::entry::{code_hash, phone_index};
use crate::people::profile;
use crate::people::tries::{code_holder, count_code};
use crate::world::World;

#[derive(Clone, Debug)]
pub struct CodeSent {
    pub expires_in_s: i64,
    pub resend_in_s: i64,
    /// The digits, in demo mode only.
    pub shown: Option<PhoneCode>,
}

/// For people who are not signed in: `sign_in`, `register`, `reset_password`.
pub async fn code_send(world: &Arc<World>, caller: &Caller, phone: &str, purpose: &str) -> Result<CodeSent> {
    let phone = Phone::parse(&world.settings.phone_country, phone)?;
    let unknown = || Rejection::invalid("purpose", FieldProblem::NotOneOf { allowed: CodePurpose::NAMES });
    match CodePurpose::parse(purpose).ok_or_else(unknown)? {
        purpose @ (CodePurpose::SignIn | CodePurpose::Register | CodePurpose::ResetPassword) => {
            let holder = code_holder(world, caller, &phone_index(world, &phone)).await?;
            send(world, caller, holder, phone, purpose).await
        }
        CodePurpose::ConfirmPhone | CodePurpose::NewPhone => {
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
) -> Result<CodeSent> {
    let holder = CodeHolder::User(user);
    match new_phone {
        Some(phone) => {
            let phone = Phone::parse_as("new_phone", &world.settings.phone_country, phone)?;
            send(world, caller, holder, phone, CodePurpose::NewPhone).await
        }
        None => {
            let account =
                world.db.account(user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?;
            let phone = profile::phone_of(world, &account)?
                .ok_or_else(|| Rejection::invalid("phone", FieldProblem::Missing))?;
            send(world, caller, holder, phone, CodePurpose::ConfirmPhone).await
        }
    }
}

async fn send(
    world: &Arc<World>,
    caller: &Caller,
    holder: CodeHolder,
    phone: Phone,
    purpose: CodePurpose,
) -> Result<CodeSent> {
    check_country(world, &phone)?;
    let index = phone_index(world, &phone);
    count_code(world, caller, holder).await?;
    let code = code_from_bytes(world.bytes());
    let now = world.now();
    let issued = world
        .db
        .code_issue(CodeIssue {
            phone: index,
            purpose,
            holder,
            code: code_hash(world, &index, purpose, &code),
            network: caller.network.clone(),
            day: world.site_day(now),
            caps: world.settings.codes,
            now,
        })
        .await;
    if let Err(Failure::Rejected(rejection)) = &issued {
        count_refusal(rejection);
    }
    let known = issued?;
    metrics::counter!("windfall_codes_sent_total").increment(1);
    // Nobody resets the password of an account that is not there; the caller must not notice.
    if known || purpose != CodePurpose::ResetPassword {
        dispatch(world, phone, purpose, code.clone());
    }
    Ok(CodeSent {
        expires_in_s: CODE_LIFE_MS / SECOND_MS,
        resend_in_s: CODE_RESEND_MS / SECOND_MS,
        shown: world.settings.demo.then_some(code),
    })
}

fn check_country(world: &World, phone: &Phone) -> Result<(), Rejection> {
    let countries = &world.settings.code_countries;
    let fits = countries.is_empty() || countries.iter().any(|code| phone.as_str().starts_with(code.as_str()));
    if fits {
        return Ok(());
    }
    count_refusal(&Rejection::PhoneCountry);
    Err(Rejection::PhoneCountry)
}

/// Somebody who makes the site send codes costs money: it is counted, and the site's own cap is told at once.
fn count_refusal(rejection: &Rejection) {
    let why = match rejection {
        Rejection::CodeSiteCap => {
            tracing::error!("the site's daily cap of codes is reached: nobody is sent one until tomorrow");
            "site_cap"
        }
        Rejection::CodeDailyCap => "daily_cap",
        Rejection::PhoneCountry => "country",
        _ => return,
    };
    metrics::counter!("windfall_codes_not_sent_total", "why" => why).increment(1);
}

/// Off the request's path: a slow gateway must not tell known phones from unknown ones by time.
fn dispatch(world: &Arc<World>, phone: Phone, purpose: CodePurpose, code: PhoneCode) {
    let world = Arc::clone(world);
    tokio::spawn(async move {
        if let Err(fault) = world.outside.sender.send(&phone, purpose, &code).await {
            tracing::error!(phone = %phone.masked(), purpose = purpose.name(), fault = fault.story(), "code not sent");
        }
    });
}
