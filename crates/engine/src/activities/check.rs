//! Whether a version can work, asked when it is submitted: every reason why not, at once.

use domain::Rejection;
use domain::activity::{Configuration, Content, FieldNames, diff, flaws};
use domain::flaw::Flaw;
use domain::ids::TreeId;
use domain::rejection::FieldProblem;
use domain::time::Timestamp;
use domain::tree::TreePurpose;
use jiff::tz::TimeZone;
use store::model::VersionRow;

use crate::activities::goods;
use crate::failure::Result;
use crate::world::World;

/// Answers the version of the tree that is pinned by submitting.
pub(crate) async fn check(
    world: &World,
    draft: &VersionRow,
    live: Option<&VersionRow>,
    names: FieldNames,
) -> Result<Option<u32>> {
    let content = &draft.content;
    let configuration = &content.configuration;
    let mut found: Vec<Flaw> = window_over(configuration, world.now()).into_iter().collect();
    found.extend(flaws(content, names));
    found.extend(goods::missing(world, draft).await?);
    if TimeZone::get(configuration.zone()).is_err() {
        found.push(Rejection::invalid("zone", FieldProblem::ZONE).into());
    }
    let tree = match configuration.tree() {
        None => None,
        Some(tree) => match admission_tree(world, TreeId(tree)).await? {
            Ok(newest) => Some(newest),
            Err(flaw) => {
                found.push(flaw);
                None
            }
        },
    };
    if let Some(live) = live {
        found.extend(check_kind(&live.content, content));
        found.extend(check_zone(&live.content, content));
    }
    Rejection::of_flaws(found)?;
    match live {
        Some(live) if diff(&live.content, content).is_empty() => Err(Rejection::VersionUnchanged.into()),
        Some(_) | None => Ok(tree),
    }
}

/// Nothing could run in a window that has passed. Said with everything else that is wrong, and not only by the step.
fn window_over(configuration: &Configuration, now: Timestamp) -> Option<Flaw> {
    let at = configuration.window().until;
    (now >= at).then(|| Flaw::from(Rejection::WindowOver { at }).within("until"))
}

/// The newest version of the tree that says who may take part; or why it cannot say so.
async fn admission_tree(world: &World, tree: TreeId) -> Result<Result<u32, Flaw>> {
    Ok(match world.db.tree_find(tree, None).await? {
        None => Err(Flaw::new("tree", "tree_unknown", "There is no such rule tree.", "没有这个规则树。")),
        Some(tree) => match tree.draft.purpose {
            TreePurpose::Admission => Ok(tree.version),
            TreePurpose::Routing => Err(Flaw::new(
                "tree",
                "tree_routes",
                "This rule tree sends players to activities. Name one that allows or denies.",
                "该规则树用于分流到活动，此处需要准入类（允许或拒绝）的规则树。",
            )),
        },
    })
}

/// In another zone it would be another day at once, with chances of its own.
fn check_zone(live: &Content, next: &Content) -> Option<Flaw> {
    (live.configuration.zone() != next.configuration.zone()).then(|| {
        Flaw::new(
            "zone",
            "zone_changed",
            "A new version keeps the time zone of its activity.",
            "新版本不能改变活动的时区。",
        )
    })
}

/// Who entered a raffle did not draw, and who bought did neither: no version makes one of the other.
fn check_kind(live: &Content, next: &Content) -> Option<Flaw> {
    (live.configuration.kind().is() != next.configuration.kind().is()).then(|| {
        Flaw::new(
            "kind",
            "kind_changed",
            "A new version keeps the kind of its activity.",
            "新版本不能改变活动的类型。",
        )
    })
}
