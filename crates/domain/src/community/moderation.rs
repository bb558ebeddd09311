//! What moderators may do to a post. Nobody judges a post of their own.

use super::sight::PostState;
use crate::Rejection;
use crate::ids::UserId;
use crate::rejection::MissingThing;

/// Posts that are pinned at a time.
pub const PINNED_MAX: u32 = 5;

crate::names! {
    /// An act of a moderator.
    pub enum ModerationAct {
        Remove = "remove",
        /// Also of what was held.
        Restore = "restore",
        Pin = "pin",
        Unpin = "unpin",
        Feature = "feature",
        Unfeature = "unfeature",
        /// Nobody comments any more.
        Lock = "lock",
        Unlock = "unlock",
    }
}

/// A post as a moderator finds or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeratedPost {
    pub author: UserId,
    pub state: PostState,
    pub pinned: bool,
    pub featured: bool,
    pub locked: bool,
}

/// The post after an act; the same as before where there is nothing to do. `pinned` are those that are pinned now.
pub fn moderate(
    post: ModeratedPost,
    act: ModerationAct,
    moderator: Option<UserId>,
    pinned: i64,
) -> Result<ModeratedPost, Rejection> {
    if moderator == Some(post.author) {
        return Err(Rejection::OwnWork);
    }
    // What its author took back is nobody's to judge.
    if post.state == PostState::Deleted {
        return Err(Rejection::NotFound { what: MissingThing::Post });
    }
    let is_visible = post.state == PostState::Visible;
    Ok(match act {
        ModerationAct::Remove => {
            ModeratedPost { state: PostState::Removed, pinned: false, featured: false, ..post }
        }
        ModerationAct::Restore => ModeratedPost { state: PostState::Visible, ..post },
        ModerationAct::Pin | ModerationAct::Feature if !is_visible => {
            return Err(Rejection::PostHidden { state: post.state });
        }
        ModerationAct::Pin if post.pinned => post,
        ModerationAct::Pin if pinned >= i64::from(PINNED_MAX) => {
            return Err(Rejection::PinsFull { max: PINNED_MAX });
        }
        ModerationAct::Pin => ModeratedPost { pinned: true, ..post },
        ModerationAct::Unpin => ModeratedPost { pinned: false, ..post },
        ModerationAct::Feature => ModeratedPost { featured: true, ..post },
        ModerationAct::Unfeature => ModeratedPost { featured: false, ..post },
        ModerationAct::Lock => ModeratedPost { locked: true, ..post },
        ModerationAct::Unlock => ModeratedPost { locked: false, ..post },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn post(state: PostState, pinned: bool, featured: bool, locked: bool) -> ModeratedPost {
        ModeratedPost { author: UserId(1), state, pinned, featured, locked }
    }

    #[test]
    fn what_becomes_of_a_post() {
        use ModerationAct::*;
        use PostState::*;
        let plain = post(Visible, false, false, false);
        for (before, act, moderator, pinned, expected) in [
            (plain, Remove, 2, 0, Ok(post(Removed, false, false, false))),
            (post(Visible, true, true, true), Remove, 2, 1, Ok(post(Removed, false, false, true))),
            (post(Held, false, false, false), Restore, 2, 0, Ok(plain)),
            (post(Removed, false, false, false), Restore, 2, 0, Ok(plain)),
            (plain, Restore, 2, 0, Ok(plain)),
            (plain, Pin, 2, 4, Ok(post(Visible, true, false, false))),
            (plain, Pin, 2, 5, Err("pins_full")),
            (post(Visible, true, false, false), Pin, 2, 5, Ok(post(Visible, true, false, false))),
            (post(Visible, true, false, false), Unpin, 2, 5, Ok(plain)),
            (post(Removed, false, false, false), Pin, 2, 0, Err("post_hidden")),
            (post(Held, false, false, false), Feature, 2, 0, Err("post_hidden")),
            (plain, Feature, 2, 0, Ok(post(Visible, false, true, false))),
            (post(Visible, false, true, false), Unfeature, 2, 0, Ok(plain)),
            (plain, Lock, 2, 0, Ok(post(Visible, false, false, true))),
            (post(Visible, false, false, true), Unlock, 2, 0, Ok(plain)),
            (plain, Pin, 1, 0, Err("own_work")),
            (post(Deleted, false, false, false), Restore, 2, 0, Err("not_found")),
        ] {
            let got = moderate(before, act, Some(UserId(moderator)), pinned).map_err(|no| no.code());
            assert_eq!(got, expected, "{act:?} {before:?}");
        }
    }
}
