//! Rules to try out: a check-in is worth a chance at the wheel a day, an invitation some points.

use domain::grants::{GrantKind, Period, RuleDraft};
use domain::ids::ActivityId;
use domain::page::PageRequest;
use engine::points::grants::rule_make;
use store::model::Actor;

use crate::node::Node;

/// Makes what is missing; running it again changes nothing.
pub async fn seed(node: &Node, wheel: ActivityId) -> anyhow::Result<()> {
    let rule = |name: &str, behaviour: &str, gives, amount| RuleDraft {
        name: name.to_owned(),
        campaign: None,
        behaviour: behaviour.to_owned(),
        gives,
        amount,
        period: Period::Day,
        zone: "Asia/Shanghai".to_owned(),
        times: 1,
        cap_user: None,
        cap_total: None,
        from: None,
        until: None,
        on: true,
    };
    let chance = rule("每日签到 Daily check-in", "check_in", GrantKind::Chances { activity: wheel }, 1);
    let invite = rule("邀请好友 Invite a friend", "invite", GrantKind::Points { expiry: None }, 50);
    let invite = RuleDraft { times: 3, ..invite };
    for draft in [RuleDraft { campaign: Some(wheel), ..chance }, invite] {
        let world = &node.world;
        let of_kind = Some(draft.behaviour.clone());
        if world.db.grant_rule_list(of_kind, PageRequest::first(1)).await?.items.is_empty() {
            let signed = world.audit_stamp(Actor::System, "demo data", "demo");
            rule_make(world, signed, None, draft).await?;
        }
    }
    Ok(())
}
