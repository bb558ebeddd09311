//! Demo data: people with well-known sign-ins, and activities to play. It lives in a folder of its own, marked, so that nobody opens a
//! real installation with a password that everybody knows.

mod activities;
mod community;
mod grants;
mod sales;
mod shop;

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use anyhow::bail;
use domain::access::{Role, Roles};
use engine::people::user_admin::user_create;
use store::model::Actor;

use self::activities::DemoStaff;
use crate::config::Config;
use crate::node::Node;

/// Where `windfall demo` keeps its data unless told otherwise.
pub const FOLDER: &str = "data-demo";
pub const PASSWORD: &str = "windfall-demo";
const MARK: &str = "DEMO";

#[derive(Debug)]
pub struct DemoPerson {
    pub phone: &'static str,
    pub name: &'static str,
    pub role: Role,
}

pub const PEOPLE: &[DemoPerson] = &[
    DemoPerson { phone: "13800000001", name: "小满 Player", role: Role::Player },
    DemoPerson { phone: "13800000002", name: "立夏 Operator", role: Role::Operator },
    DemoPerson { phone: "13800000003", name: "秋分 Reviewer", role: Role::Reviewer },
    DemoPerson { phone: "13800000004", name: "冬至 Admin", role: Role::Admin },
    // The second pair of eyes.
    DemoPerson { phone: "13800000005", name: "谷雨 Admin", role: Role::Admin },
];

/// Refuses to mix demo data with real data, in either direction.
pub fn check_folder(config: &Config) -> anyhow::Result<()> {
    let folder = &config.data.dir;
    let (marked, used) =
        (folder.join(MARK).exists(), folder.join("windfall.db").metadata().is_ok_and(|file| file.len() > 0));
    match (config.demo, marked, used) {
        (true, false, true) => {
            bail!("demo_refused: {} has real data; name another folder with --data", folder.display())
        }
        (false, true, _) => bail!(
            "demo_refused: {} has demo data with public passwords; serve it with `windfall demo`",
            folder.display()
        ),
        // The mark comes before the data, so that a start cut short leaves nothing unmarked.
        (true, _, false) => mark(folder),
        (true, true, true) | (false, false, _) => Ok(()),
    }
}

/// Makes what is missing; running it again changes nothing.
pub async fn seed(node: &Node) -> anyhow::Result<()> {
    let mut made = Vec::with_capacity(PEOPLE.len());
    for person in PEOPLE {
        let signed = node.world.audit_stamp(Actor::System, "demo data", "demo");
        let roles = Roles::of(&[person.role]);
        let (phone, name) = (person.phone, Some(person.name));
        made.push((person.role, user_create(&node.world, signed, phone, name, Some(PASSWORD), roles).await?));
    }
    let with = |role| made.iter().find(|(has, _)| *has == role).map(|(_, made)| made.user);
    if let (Some(operator), Some(reviewer)) = (with(Role::Operator), with(Role::Reviewer)) {
        if let Some(player) = with(Role::Player) {
            community::seed(node, player).await?;
        }
        let wheel = activities::seed(node, DemoStaff { operator, reviewer }).await?;
        grants::seed(node, wheel).await?;
        shop::seed(node, wheel).await?;
        sales::seed(node, DemoStaff { operator, reviewer }).await?;
    }
    Ok(())
}

fn mark(folder: &Path) -> anyhow::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    std::fs::write(folder.join(MARK), "Demo data. Never use it in production.\n")?;
    Ok(())
}
