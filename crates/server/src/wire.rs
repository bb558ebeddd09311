//! Wire types that several routes share, and how the engine's types are written in JSON.

use std::collections::BTreeMap;
use std::fmt;

use domain::account::{Ban, FactValue};
use domain::rejection::BanEnd;
use engine::activity_cache::RefusalCount;
use engine::people::facts::GivenFact;
use engine::people::profile::OpenAccount;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use store::model::{Actor, FactRow, Profile};
use utoipa::ToSchema;

use crate::json::DUPLICATE_NAME;

/// How often players were refused for one reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusalCountBody {
    pub code: &'static str,
    pub count: u64,
}

impl From<RefusalCount> for RefusalCountBody {
    fn from(RefusalCount { code, count }: RefusalCount) -> Self {
        Self { code, count }
    }
}

/// What everybody may see of a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProfileBody {
    /// A 64-bit id, as text.
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub name: String,
    pub avatar: String,
    /// The day of registration in the site's time zone.
    #[schema(example = "2026-11-15")]
    pub sign_up_day: String,
    pub posts: i64,
    pub followers: i64,
    pub following: i64,
}

impl From<Profile> for ProfileBody {
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.id.to_string(),
            name: profile.name,
            avatar: profile.avatar,
            sign_up_day: day(profile.sign_up_day),
            posts: profile.posts,
            followers: profile.followers,
            following: profile.following,
        }
    }
}

/// 20261115 → 2026-11-15.
fn day(number: i64) -> String {
    format!("{:04}-{:02}-{:02}", number / 10_000, number / 100 % 100, number % 100)
}

/// An account, for its owner and for staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountBody {
    #[serde(flatten)]
    pub profile: ProfileBody,
    /// Country and the last two digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "+86*********00")]
    pub phone: Option<String>,
    /// The company's own id of this user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    pub has_password: bool,
    /// Every sign-in asks for a second factor.
    pub second_factor: bool,
    #[schema(example = json!(["player", "operator"]))]
    pub roles: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ban: Option<BanBody>,
    pub deleted: bool,
    /// Milliseconds since 1970.
    pub created_ms: i64,
}

impl From<OpenAccount> for AccountBody {
    fn from(open: OpenAccount) -> Self {
        let account = open.account;
        Self {
            phone: open.phone.map(|phone| phone.masked()),
            external_id: account.external_id,
            has_password: account.password_hash.is_some(),
            second_factor: account.second_factor,
            roles: account.roles.names(),
            ban: account.ban.map(BanBody::from),
            deleted: account.deleted,
            created_ms: account.created.0,
            profile: account.profile.into(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BanBody {
    pub reason: String,
    pub since_ms: i64,
    /// Absent when the ban has no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
}

impl From<Ban> for BanBody {
    fn from(ban: Ban) -> Self {
        let until_ms = match ban.until {
            BanEnd::Never => None,
            BanEnd::At(end) => Some(end.0),
        };
        Self { reason: ban.reason, since_ms: ban.since.0, until_ms }
    }
}

/// Who did something.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActorBody {
    /// `person`, `key`, `console` or `system`.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl From<Actor> for ActorBody {
    fn from(actor: Actor) -> Self {
        let (kind, id) = match actor {
            Actor::Person(user) => ("person", Some(user.to_string())),
            Actor::Key(key) => ("key", Some(key.to_string())),
            Actor::Console => ("console", None),
            Actor::System => ("system", None),
        };
        Self { kind, id }
    }
}

/// A fact's value: a whole number, a text, true or false, or a list of labels. `null` takes it away.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FactBody {
    Flag(bool),
    Number(i64),
    Text(String),
    Tags(Vec<String>),
    Nothing,
}

impl From<FactValue> for FactBody {
    fn from(value: FactValue) -> Self {
        match value {
            FactValue::Flag(flag) => Self::Flag(flag),
            FactValue::Number(number) => Self::Number(number),
            FactValue::Text(text) => Self::Text(text),
            FactValue::Tags(tags) => Self::Tags(tags),
        }
    }
}

/// Facts by name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct FactsUpdateRequest(#[serde(deserialize_with = "each_once")] pub BTreeMap<String, FactBody>);

/// A map in which every name stands once: of two values for a fact neither is known to be meant.
fn each_once<'de, D: Deserializer<'de>>(json: D) -> Result<BTreeMap<String, FactBody>, D::Error> {
    struct Facts;
    impl<'de> Visitor<'de> for Facts {
        type Value = BTreeMap<String, FactBody>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("facts by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut facts = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, FactBody>()? {
                if facts.contains_key(&name) {
                    return Err(A::Error::custom(format_args!("{DUPLICATE_NAME}{name}")));
                }
                facts.insert(name, value);
            }
            Ok(facts)
        }
    }
    json.deserialize_map(Facts)
}

impl FactsUpdateRequest {
    pub fn given(self) -> Vec<(String, GivenFact)> {
        let given = |value| match value {
            FactBody::Flag(flag) => GivenFact::Flag(flag),
            FactBody::Number(number) => GivenFact::Number(number),
            FactBody::Text(text) => GivenFact::Text(text),
            FactBody::Tags(tags) => GivenFact::Tags(tags),
            FactBody::Nothing => GivenFact::Nothing,
        };
        self.0.into_iter().map(|(key, value)| (key, given(value))).collect()
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FactEntry {
    pub value: FactBody,
    pub set_at_ms: i64,
    pub set_by: ActorBody,
}

/// All facts about one user, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct FactsBody {
    pub facts: BTreeMap<String, FactEntry>,
}

impl From<Vec<FactRow>> for FactsBody {
    fn from(rows: Vec<FactRow>) -> Self {
        let entry = |row: FactRow| {
            let value = row.value.into();
            (row.key, FactEntry { value, set_at_ms: row.set_at.0, set_by: row.set_by.into() })
        };
        Self { facts: rows.into_iter().map(entry).collect() }
    }
}

/// Bytes in lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |text, byte| text + &format!("{byte:02x}"))
}
