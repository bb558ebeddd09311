//! Activities to play with at once: a wheel, a nine-grid, a blind box, a raffle, and two rule trees.
//!
//! They are the files under `examples/`, moved to now, and go the way of every activity: an operator writes them, a
//! reviewer approves.

use anyhow::Context;
use domain::account::{FactKey, FactKind};
use domain::fulfilment::Grant;
use domain::ids::{ActivityId, TreeId, UserId};
use domain::page::PageRequest;
use domain::time::{DAY_MS, HOUR_MS, Timestamp};
use domain::tree::{Edge, Leaf, NodeId, NodeKind, Operand, TreeDraft, TreeNode, TreePurpose, When};
use engine::activities::{ReviewTarget, activity_approve, activity_create, activity_submit};
use engine::trees::{GivenTree, tree_create};
use server::forms::{ActivityForm, GrantForm, Moment, form_field};
use store::model::{ActivitySearch, Actor, TreeQuery};

use crate::activity_file;
use crate::node::Node as Here;

/// Who writes and who approves.
#[derive(Clone, Copy, Debug)]
pub struct DemoStaff {
    pub operator: UserId,
    pub reviewer: UserId,
}

const WHEEL: &str = include_str!("../../../../examples/wheel.toml");
const NINE_GRID: &str = include_str!("../../../../examples/nine-grid.toml");
const BLIND_BOX: &str = include_str!("../../../../examples/blind-box.toml");
const RAFFLE: &str = include_str!("../../../../examples/raffle.toml");

/// How long the demo's raffle takes entries, so that its drawing can be watched.
const RAFFLE_MS: i64 = HOUR_MS;
const WINDOW_MS: i64 = 30 * DAY_MS;

/// Makes what is missing; running it again changes nothing. Answers the wheel.
pub async fn seed(node: &Here, staff: DemoStaff) -> anyhow::Result<ActivityId> {
    let members =
        tree(node, staff, "会员准入 Members with a phone", TreePurpose::Admission, members()).await?;
    let wheel = activity(node, staff, WHEEL, None).await?;
    let blind_box = activity(node, staff, BLIND_BOX, None).await?;
    activity(node, staff, NINE_GRID, Some(members)).await?;
    activity(node, staff, RAFFLE, None).await?;
    let routing = newcomers(blind_box, wheel);
    tree(node, staff, "新人分流 Newcomers to the blind box", TreePurpose::Routing, routing).await?;
    Ok(wheel)
}

async fn activity(
    node: &Here,
    staff: DemoStaff,
    file: &str,
    tree: Option<TreeId>,
) -> anyhow::Result<ActivityId> {
    let world = &node.world;
    let mut form: ActivityForm = activity_file::parse(file).context("an example")?;
    let search = ActivitySearch { text: form.name.clone(), ..ActivitySearch::default() };
    let known = world.db.activity_list(search, PageRequest::first(1)).await?;
    if let Some(row) = known.items.first() {
        return Ok(row.id);
    }
    begin_now(&mut form, world.now());
    form.tree = tree.map(|tree| tree.to_string());
    // The pools are named anew when the activity has its id.
    let content = form.read(ActivityId(0), 1).map_err(|wrong| anyhow::anyhow!("an example: {wrong:?}"))?;
    let by = |who| world.audit_stamp(Actor::Person(who), "demo data", "demo");
    let id = activity_create(world, by(staff.operator), None, content).await?;
    activity_submit(world, by(staff.operator), None, id, form_field).await?;
    activity_approve(world, by(staff.reviewer), None, ReviewTarget { id, seen: None }).await?;
    Ok(id)
}

/// The same window and schedules, from now on; a raffle shorter, and without waiting for a value from outside.
fn begin_now(form: &mut ActivityForm, Timestamp(now): Timestamp) {
    let earlier = form.from.0;
    for release in form.prizes.iter_mut().flat_map(|prize| &mut prize.release) {
        release.at = Moment(release.at.0 - earlier + now);
    }
    for prize in &mut form.prizes {
        if let Grant::At(at) = prize.grant.0 {
            prize.grant = GrantForm(Grant::At(at - earlier + now));
        }
    }
    form.from = Moment(now);
    form.until = Moment(now + WINDOW_MS);
    if form.draw_at.is_some() {
        form.until = Moment(now + RAFFLE_MS);
        (form.draw_at, form.beacon) = (Some(form.until), None);
    }
}

async fn tree(
    node: &Here,
    staff: DemoStaff,
    name: &str,
    purpose: TreePurpose,
    nodes: Vec<TreeNode>,
) -> anyhow::Result<TreeId> {
    let world = &node.world;
    let query = TreeQuery { name: Some(name.to_owned()), purpose: None };
    let known = world.db.tree_list(query, PageRequest::first(1)).await?;
    if let Some(row) = known.items.first() {
        return Ok(row.id);
    }
    let signed = world.audit_stamp(Actor::Person(staff.operator), "demo data", "demo");
    let given = GivenTree { name: name.to_owned(), draft: TreeDraft { purpose, nodes } };
    Ok(tree_create(world, signed, None, given).await?.tree)
}

/// Whoever has a phone may take part.
fn members() -> Vec<TreeNode> {
    let phone = Edge { when: When::Equal(Operand::Flag(true)), to: NodeId(2) };
    decide("phone_verified", FactKind::Flag, phone, Leaf::Allow, Leaf::Deny)
}

/// Whoever came in the last seven days gets the blind box, everybody else the wheel.
fn newcomers(blind_box: ActivityId, wheel: ActivityId) -> Vec<TreeNode> {
    let new = Edge { when: When::AtMost(Operand::Number(7)), to: NodeId(2) };
    decide("registered_days_ago", FactKind::Number, new, Leaf::Activity(blind_box), Leaf::Activity(wheel))
}

fn decide(fact: &str, kind: FactKind, edge: Edge, yes: Leaf, no: Leaf) -> Vec<TreeNode> {
    let fact = FactKey::parse(fact).expect("a fact's name");
    let otherwise = Edge { when: When::Otherwise, to: NodeId(3) };
    let body = NodeKind::Decide { fact, kind, edges: vec![edge, otherwise] };
    let node = |id, root, name: &str, body| TreeNode { id: NodeId(id), name: name.to_owned(), root, body };
    vec![
        node(1, true, "ask", body),
        node(2, false, "yes", NodeKind::Leaf(yes)),
        node(3, false, "no", NodeKind::Leaf(no)),
    ]
}
