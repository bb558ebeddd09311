//! Who writes in the demo's community. Nobody signs in as them: they have no password, and their phones are not printed.

use domain::access::Roles;
use domain::ids::UserId;
use engine::community::people::follow as follow_person;
use engine::people::profile::profile_edit;
use engine::people::user_admin::user_create;
use engine::sales::pictures::picture_upload;
use store::model::Actor;

use super::face::{Face, Hair, draw};
use crate::node::Node;

struct DemoMember {
    phone: &'static str,
    name: &'static str,
    face: Face,
}

/// The demo's player, who is the first of the people in lists.
pub const PLAYER: usize = 0;
const PLAYER_FACE: Face = Face {
    wall: 0xf6_c4_53,
    shirt: 0xd9_48_41,
    skin: 0xf5_d0_b0,
    hair: 0x2b_21_1d,
    cut: Hair::Bob,
    glasses: false,
};

const MEMBERS: [DemoMember; 8] = [
    DemoMember {
        phone: "13800000011",
        name: "阿舟",
        face: Face {
            wall: 0x9a_d1_d4,
            shirt: 0x1f_5f_8b,
            skin: 0xf0_c5_9f,
            hair: 0x1c_1a_19,
            cut: Hair::Short,
            glasses: true,
        },
    },
    DemoMember {
        phone: "13800000012",
        name: "林小夏",
        face: Face {
            wall: 0xf9_d5_e5,
            shirt: 0xe0_6c_9f,
            skin: 0xf7_d6_bf,
            hair: 0x3a_26_1b,
            cut: Hair::Long,
            glasses: false,
        },
    },
    DemoMember {
        phone: "13800000013",
        name: "Maya",
        face: Face {
            wall: 0xc3_e6_b2,
            shirt: 0x3c_7a_4e,
            skin: 0x9c_67_43,
            hair: 0x15_10_0e,
            cut: Hair::Curly,
            glasses: false,
        },
    },
    DemoMember {
        phone: "13800000014",
        name: "老周",
        face: Face {
            wall: 0xd8_d3_c8,
            shirt: 0x55_5b_6e,
            skin: 0xe8_bd_98,
            hair: 0x8c_8c_8c,
            cut: Hair::Short,
            glasses: true,
        },
    },
    DemoMember {
        phone: "13800000015",
        name: "Tom",
        face: Face {
            wall: 0xb8_c8_f0,
            shirt: 0xf2_a5_41,
            skin: 0xf6_cf_b5,
            hair: 0xb0_6a_2c,
            cut: Hair::Short,
            glasses: false,
        },
    },
    DemoMember {
        phone: "13800000016",
        name: "糯米团子",
        face: Face {
            wall: 0xff_e6_a7,
            shirt: 0x7a_5a_c0,
            skin: 0xf8_d9_c4,
            hair: 0x23_1a_2e,
            cut: Hair::Bob,
            glasses: false,
        },
    },
    DemoMember {
        phone: "13800000017",
        name: "陈一一",
        face: Face {
            wall: 0xa8_df_c9,
            shirt: 0xf5_f5_f0,
            skin: 0xf1_c8_a6,
            hair: 0x20_1c_1a,
            cut: Hair::Long,
            glasses: true,
        },
    },
    DemoMember {
        phone: "13800000018",
        name: "Lena",
        face: Face {
            wall: 0xf4_b6_a0,
            shirt: 0x2e_4a_62,
            skin: 0xf8_d7_c0,
            hair: 0xe3_b8_5f,
            cut: Hair::Curly,
            glasses: false,
        },
    },
];

/// Who follows whom, by their places in the list.
const FOLLOWS: [(usize, &[usize]); 9] = [
    (PLAYER, &[1, 2, 3]),
    (1, &[0, 2, 4]),
    (2, &[1, 3, 6, 7]),
    (3, &[0, 5, 8]),
    (4, &[1, 7]),
    (5, &[3, 8]),
    (6, &[0, 2, 7]),
    (7, &[1, 2, 6]),
    (8, &[3, 5]),
];

/// The player, and everybody else; whoever is missing is made.
pub async fn seed(node: &Node, player: UserId) -> anyhow::Result<Vec<UserId>> {
    let world = &node.world;
    let mut people = vec![player];
    for member in &MEMBERS {
        let signed = world.audit_stamp(Actor::System, "demo data", "demo");
        let made = user_create(world, signed, member.phone, Some(member.name), None, Roles::of(&[])).await?;
        people.push(made.user);
    }
    let faces = [PLAYER_FACE].into_iter().chain(MEMBERS.iter().map(|member| member.face));
    for (user, face) in people.iter().zip(faces) {
        let has_one =
            world.db.account(*user).await?.is_some_and(|account| !account.profile.avatar.is_empty());
        if !has_one {
            let signed = world.audit_stamp(Actor::System, "demo data", "demo");
            let (picture, _) = picture_upload(world, signed, draw(face)?).await?;
            let address = format!("/api/v1/pictures/{}", picture.id);
            profile_edit(world, *user, None, Some(&address)).await?;
        }
    }
    Ok(people)
}

pub async fn follow(node: &Node, people: &[UserId]) -> anyhow::Result<()> {
    for (who, whom) in FOLLOWS {
        for other in whom {
            follow_person(&node.world, people[who], people[*other]).await?;
        }
    }
    Ok(())
}
