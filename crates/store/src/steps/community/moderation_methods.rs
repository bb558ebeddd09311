//! The steps of the word filter, held texts and appeals as methods of `Db`.

use domain::ids::UserId;
use domain::page::{Page, PageRequest};

use super::{appeals, held, words};
use crate::db::Db;
use crate::failure::Result;
use crate::model::{
    AppealCaseRow, AppealCreate, AppealDecide, AppealsFind, DecisionRow, FeedPage, FeedRequest,
    FilterWordRow, HeldRow, WordChangeRow, WordList, WordsChange, WordsFind,
};

impl Db {
    /// Answers the version after it.
    pub async fn words_change(&self, step: WordsChange) -> Result<i64> {
        self.write(step, |tx, step| Box::pin(words::change(tx, step))).await
    }

    /// The whole list; nothing where its version is the known one.
    pub async fn words_load(&self, known: Option<i64>) -> Result<Option<WordList>> {
        self.read(known, |tx, known| Box::pin(words::load(tx, known))).await
    }

    pub async fn words_find(&self, find: WordsFind, page: PageRequest) -> Result<Page<FilterWordRow>> {
        self.read((find, page), |tx, step| Box::pin(words::find(tx, step))).await
    }

    pub async fn words_changes(&self) -> Result<Vec<WordChangeRow>> {
        self.read((), |tx, step| Box::pin(words::changes(tx, step))).await
    }

    pub async fn held_find(&self, page: FeedRequest) -> Result<FeedPage<HeldRow>> {
        self.read(page, |tx, step| Box::pin(held::find(tx, step))).await
    }

    pub async fn decisions_find(&self, user: UserId) -> Result<Vec<DecisionRow>> {
        self.read(user, |tx, step| Box::pin(appeals::decisions(tx, step))).await
    }

    pub async fn appeal_create(&self, step: AppealCreate) -> Result<()> {
        self.write(step, |tx, step| Box::pin(appeals::create(tx, step))).await
    }

    pub async fn appeal_decide(&self, step: AppealDecide) -> Result<()> {
        self.write(step, |tx, step| Box::pin(appeals::decide(tx, step))).await
    }

    pub async fn appeals_find(&self, step: AppealsFind) -> Result<FeedPage<AppealCaseRow>> {
        self.read(step, |tx, step| Box::pin(appeals::find(tx, step))).await
    }
}
