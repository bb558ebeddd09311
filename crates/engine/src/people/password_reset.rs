//! Sets a new password with a code. The code is verified in the same step that sets it, and every session
//! ends.

use domain::account::{CodePurpose, Phone, PhoneCode, check_password};
use store::model::PasswordReset;

use crate::caller::Caller;
use crate::failure::Result;
use crate::people::entry::{code_try, phone_index};
use crate::people::tries::{Guesser, begin_try, code_holder};
use crate::world::World;

pub async fn password_reset(
    world: &World,
    caller: &Caller,
    phone: &str,
    code: &str,
    password: &str,
) -> Result<()> {
    let (phone, code) = (Phone::parse(&world.settings.phone_country, phone)?, PhoneCode::parse(code)?);
    check_password(password, &phone)?;
    let index = phone_index(world, &phone);
    let tried = begin_try(world, caller, Guesser::Stranger(&index)).await?;
    let password_hash = world.people.passwords.hash(password, world.bytes()).await?;
    let holder = code_holder(world, caller, &index).await?;
    let try_ = code_try(world, caller, holder, index, CodePurpose::ResetPassword, &code);
    let user = world.db.password_reset(PasswordReset { try_, password_hash }).await?;
    world.people.sessions.forget_user(user);
    tried.succeed(world).await?;
    Ok(())
}
