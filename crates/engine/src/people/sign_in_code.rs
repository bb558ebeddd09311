//! Signs in with a phone and a code; the first sign-in creates the account.
//!
//! The flow counts the attempt by address and phone and creates the session token. Everything else is one step of the
//! store: the code is judged and spent, the account is found or created, a ban is checked, and the session is written.
//! There is no moment between "the code is right" and "the session exists".

use domain::account::{CodePurpose, Phone, PhoneCode};
use domain::ids::UserId;
use store::model::SignInByCode;

use crate::caller::{Caller, Repeat};
use crate::failure::Result;
use crate::people::entry::{
    SignedInUser, code_try, consent, enter, new_session, new_user, once_for_phone, phone_index,
};
use crate::people::second_factor;
use crate::people::tries::{Guesser, begin_try, code_holder};
use crate::world::World;

pub async fn sign_in_code(
    world: &World,
    caller: &Caller,
    repeat: Option<Repeat>,
    phone: &str,
    code: &str,
    second: Option<&str>,
    agreed: Option<&str>,
) -> Result<SignedInUser> {
    let (phone, code) = (Phone::parse(&world.settings.phone_country, phone)?, PhoneCode::parse(code)?);
    let index = phone_index(world, &phone);
    let tried = begin_try(world, caller, Guesser::Stranger(&index)).await?;
    let (second, second_tried) = second_factor::proof(world, caller, &index, second).await?.unzip();
    let holder = code_holder(world, caller, &index).await?;
    let (cookies, mut session) = new_session(world, caller);
    session.consent = consent(world, agreed);
    let step = SignInByCode {
        try_: code_try(world, caller, holder, index, CodePurpose::SignIn, &code),
        user: new_user(world, &phone, None, None),
        second,
        session,
        once: once_for_phone(world, &index, repeat, &cookies.token),
    };
    let made = world.db.sign_in_by_code(step).await?;
    tried.succeed(world).await?;
    if let Some(second_tried) = second_tried {
        second_tried.succeed(world).await?;
    }
    // The account may have come back from a deletion.
    world.people.sessions.forget_user(UserId(made.id));
    enter(world, &made, cookies)
}
