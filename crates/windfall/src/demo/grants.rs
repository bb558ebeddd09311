//! Rules to try out: a check-in is worth a chance at the wheel a day, an invitation and what people do in the community some
//! points.

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
    let points = |name: &str, behaviour: &str, amount, times| RuleDraft {
        times,
        ..rule(name, behaviour, GrantKind::Points { expiry: None }, amount)
    };
    let social = [
        points("点赞好内容 Like what you enjoy", "like", 2, 5),
        points("关注新朋友 Follow somebody", "follow", 5, 3),
        points("参与讨论 Join a conversation", "comment", 5, 3),
        points("发布帖子 Write a post", "post", 10, 1),
        points("给好文投票 Vote for a good read", "vote", 2, 5),
    ];
    for draft in [RuleDraft { campaign: Some(wheel), ..chance }, invite].into_iter().chain(social) {
        let world = &node.world;
        let of_kind = Some(draft.behaviour.clone());
        if world.db.grant_rule_list(of_kind, PageRequest::first(1)).await?.items.is_empty() {
            let signed = world.audit_stamp(Actor::System, "demo data", "demo");
            rule_make(world, signed, None, draft).await?;
        }
    }
    Ok(())
}
