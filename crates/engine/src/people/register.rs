//! Registers with a verified phone, a name and a password.

use domain::Rejection;
use domain::account::{CodePurpose, Name, Phone, PhoneCode, check_password};
use domain::ids::UserId;

use crate::caller::{Caller, Repeat};
use crate::failure::Result;
use crate::people::entry::{
    SignedInUser, code_try, consent, enter, new_session, new_user, once_for_phone, phone_index,
};
use crate::people::tries::{Guesser, begin_try, code_holder};
use crate::people::words::check_name;
use crate::world::World;

#[derive(Clone, Debug)]
pub struct RegistrationForm<'a> {
    pub phone: &'a str,
    pub code: &'a str,
    pub name: &'a str,
    pub password: &'a str,
    /// The name of the terms that were agreed to.
    pub agreed: Option<&'a str>,
}

pub async fn register(
    world: &World,
    caller: &Caller,
    repeat: Option<Repeat>,
    wish: RegistrationForm<'_>,
) -> Result<SignedInUser> {
    let phone = Phone::parse(&world.settings.phone_country, wish.phone)?;
    let (code, name) = (PhoneCode::parse(wish.code)?, Name::parse(wish.name)?);
    check_password(wish.password, &phone)?;
    check_name(world, name.as_str()).await?;
    let consent = consent(world, wish.agreed);
    if consent.terms.is_some() && !consent.given {
        return Err(Rejection::ConsentNeeded.into());
    }
    let index = phone_index(world, &phone);
    let tried = begin_try(world, caller, Guesser::Stranger(&index)).await?;
    let hash = world.people.passwords.hash(wish.password, world.bytes()).await?;
    let holder = code_holder(world, caller, &index).await?;
    let (cookies, mut session) = new_session(world, caller);
    session.consent = consent;
    let step = store::model::Register {
        try_: code_try(world, caller, holder, index, CodePurpose::Register, &code),
        user: new_user(world, &phone, Some(name.as_str().to_owned()), Some(hash)),
        session,
        once: once_for_phone(world, &index, repeat, &cookies.token),
    };
    let made = world.db.register(step).await?;
    tried.succeed(world).await?;
    // The account may have come back from a deletion.
    world.people.sessions.forget_user(UserId(made.id));
    enter(world, &made, cookies)
}
