//! The port of grants, one line per method.

use async_trait::async_trait;
use domain::ids::{GrantId, GrantRuleId};
use domain::page::{Page, PageRequest};
use engine::Outcome;
use engine::ports::*;

use super::{look, record, reverse, rules};
use crate::Db;

#[async_trait]
impl Grants for Db {
    async fn grant_rule_make(&self, step: GrantRuleMake) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(rules::make(tx, step))).await
    }

    async fn grant_rule_edit(&self, step: GrantRuleEdit) -> Outcome<GrantRuleRow> {
        self.write(step, |tx, step| Box::pin(rules::edit(tx, step))).await
    }

    async fn grant_rule(&self, id: GrantRuleId) -> Outcome<Option<GrantRuleRow>> {
        self.read(id, |tx, id| Box::pin(rules::find(tx, id))).await
    }

    async fn grant_rule_list(
        &self,
        behaviour: Option<String>,
        page: PageRequest,
    ) -> Outcome<Page<GrantRuleRow>> {
        self.read((behaviour, page), |tx, step| Box::pin(rules::list(tx, step))).await
    }

    async fn behaviour_record(&self, step: BehaviourRecord) -> Outcome<Recording> {
        self.write(step, |tx, step| Box::pin(record::record(tx, step))).await
    }

    async fn behaviour_look(&self, kind: String, key: String) -> Outcome<Option<Recorded>> {
        self.read((kind, key), |tx, step| Box::pin(look::behaviour(tx, step))).await
    }

    async fn behaviour_undo(&self, kind: String, key: String, signed: Signed) -> Outcome<()> {
        self.write((kind, key, signed), |tx, step| Box::pin(reverse::undone(tx, step))).await
    }

    async fn grant(&self, id: GrantId) -> Outcome<Option<GrantRow>> {
        self.read(id, |tx, id| Box::pin(look::find(tx, id))).await
    }

    async fn grant_list(&self, search: GrantSearch, page: PageRequest) -> Outcome<Page<GrantRow>> {
        self.read((search, page), |tx, step| Box::pin(look::list(tx, step))).await
    }

    async fn grant_reverse(&self, step: GrantReverse) -> Outcome<GrantRow> {
        self.write(step, |tx, step| Box::pin(reverse::reverse(tx, step))).await
    }
}
