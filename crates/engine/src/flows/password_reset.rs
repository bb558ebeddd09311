//! Sets a new password with a code. The code is verified in the same step that sets it, and every session
//! ends.

use domain::account::{Code, Phone, Purpose, check_password};

use super::Caller;
use super::entry::{code_try, count_sign_in, phone_index};
use crate::failure::Outcome;
use crate::ports::PasswordReset;
use crate::world::World;

pub async fn password_reset(
    world: &World,
    caller: &Caller,
    phone: &str,
    code: &str,
    password: &str,
) -> Outcome<()> {
    let (phone, code) = (Phone::parse(phone)?, Code::parse(code)?);
    check_password(password, &phone)?;
    let index = phone_index(world, &phone);
    count_sign_in(world, caller, &index).await?;
    let password_hash = world.passwords.hash(password, world.bytes()).await?;
    let try_ = code_try(world, index, Purpose::ResetPassword, &code);
    let user = world.accounts.password_reset(PasswordReset { try_, password_hash }).await?;
    world.sessions.forget_user(user);
    Ok(())
}
