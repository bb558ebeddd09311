//! Tries at a password or a code: counted before they are judged, forgotten when they were right.

use domain::Rejection;
use domain::account::CodeHolder;
use domain::ids::UserId;
use domain::limit::Quota;
use domain::time::SECOND_MS;
use store::model::PhoneIndex;

use crate::caller::Caller;
use crate::failure::Result;
use crate::world::World;

/// Whose tries are counted together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guesser<'a> {
    /// Somebody who wants in: the device they have used before, or else their address.
    Stranger(&'a PhoneIndex),
    /// Somebody with the first factor who wants in: counted by account, wherever they are.
    Second(&'a PhoneIndex),
    /// Somebody who is in and proves it once more.
    SignedIn(UserId),
}

/// A try that was counted.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) struct SignInTry(String);

impl SignInTry {
    /// It was right: nothing of it is remembered.
    pub async fn succeed(self, world: &World) -> Result<()> {
        Ok(world.outside.limits.forget_tries(&self.0).await?)
    }
}

/// Counts a try, or refuses it with the time to wait. A device that its owner has used before has an allowance of its
/// own, so that nobody at the same address and nobody elsewhere keeps the owner out.
pub(crate) async fn begin_try(world: &World, caller: &Caller, guesser: Guesser<'_>) -> Result<SignInTry> {
    let key = match guesser {
        Guesser::SignedIn(user) => format!("user {user}"),
        Guesser::Second(phone) => {
            let account = domain::hex::hex(&phone[..16]);
            let device = find_device(world, caller, phone).await?;
            let device = device.map_or_else(String::new, |device| domain::hex::hex(&device[..16]));
            format!("{account} second {device}")
        }
        Guesser::Stranger(phone) => {
            let account = domain::hex::hex(&phone[..16]);
            match find_device(world, caller, phone).await? {
                Some(device) => format!("{account} device {}", domain::hex::hex(&device[..16])),
                None => {
                    count(world, "sign_in_ip", &caller.ip, world.settings.quotas.sign_in_ip).await?;
                    format!("{account} from {}", caller.ip)
                }
            }
        }
    };
    let free = world.settings.sign_in_tries_free;
    match world.outside.limits.begin_try(&key, free, world.now()).await? {
        Ok(()) => Ok(SignInTry(key)),
        Err(retry_ms) => Err(wait(retry_ms).into()),
    }
}

/// Counts one request for a code, by address. Who is known has a day of their own, whatever others do at their address.
pub(crate) async fn count_code(world: &World, caller: &Caller, holder: CodeHolder) -> Result<()> {
    match holder {
        CodeHolder::Device(_) => Ok(()),
        CodeHolder::Strangers | CodeHolder::User(_) => {
            count(world, "sign_in_ip", &caller.ip, world.settings.quotas.sign_in_ip).await
        }
    }
}

/// Whose code it is that somebody who is not signed in asks for or tries.
pub(crate) async fn code_holder(world: &World, caller: &Caller, phone: &PhoneIndex) -> Result<CodeHolder> {
    let device = find_device(world, caller, phone).await?;
    Ok(device.map_or(CodeHolder::Strangers, CodeHolder::Device))
}

async fn find_device(world: &World, caller: &Caller, phone: &PhoneIndex) -> Result<Option<[u8; 32]>> {
    let Some(device) = &caller.device else { return Ok(None) };
    let hash = device.hash();
    Ok(world.db.is_device_known(*phone, hash).await?.then_some(hash))
}

async fn count(world: &World, class: &'static str, key: &str, quota: Quota) -> Result<()> {
    let allowance = world.outside.limits.take(class, key, quota, world.now()).await?;
    if allowance.allowed { Ok(()) } else { Err(wait(allowance.retry_ms).into()) }
}

fn wait(retry_ms: i64) -> Rejection {
    Rejection::RateLimited { retry_after_s: (retry_ms + SECOND_MS - 1) / SECOND_MS }
}
