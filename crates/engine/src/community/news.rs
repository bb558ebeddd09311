//! Who follows their own news on this node, and the sign that there is some.
//!
//! A sign has no content: whoever hears it looks at the rows. So none can be lost, and none has to be kept for somebody who is
//! not there. What another node wrote is found by a look from time to time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::ids::UserId;
use tokio::sync::watch;

/// People who follow their news.
#[derive(Clone, Debug, Default)]
pub struct News(Arc<Mutex<HashMap<UserId, watch::Sender<u64>>>>);

/// One open look at somebody's news.
#[derive(Debug)]
pub struct NewsFollower {
    user: UserId,
    news: News,
    /// Nothing only while it is being dropped.
    signs: Option<watch::Receiver<u64>>,
}

impl News {
    pub fn follow(&self, user: UserId) -> NewsFollower {
        let signs = self.lock().entry(user).or_insert_with(|| watch::Sender::new(0)).subscribe();
        NewsFollower { user, news: self.clone(), signs: Some(signs) }
    }

    /// Something changed for this person.
    pub fn announce(&self, user: UserId) {
        if let Some(sender) = self.lock().get(&user) {
            sender.send_modify(|signs| *signs = signs.wrapping_add(1));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, watch::Sender<u64>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NewsFollower {
    /// Waits for the next sign; one that came since the last is heard at once.
    pub async fn changed(&mut self) {
        if let Some(signs) = &mut self.signs {
            // Its sender stays as long as there is a follower.
            let _ = signs.changed().await;
        }
    }
}

impl Drop for NewsFollower {
    fn drop(&mut self) {
        let mut followed = self.news.lock();
        self.signs = None;
        if followed.get(&self.user).is_some_and(|sender| sender.receiver_count() == 0) {
            followed.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sign_reaches_its_person_and_nobody_is_remembered() {
        let news = News::default();
        news.announce(UserId(1));
        let (mut first, mut second) = (news.follow(UserId(1)), news.follow(UserId(1)));
        let other = news.follow(UserId(2));
        news.announce(UserId(1));
        first.changed().await;
        second.changed().await;
        assert!(!other.signs.as_ref().unwrap().has_changed().unwrap());
        drop(first);
        assert_eq!(news.lock().len(), 2);
        drop((second, other));
        assert_eq!(news.lock().len(), 0);
    }
}
