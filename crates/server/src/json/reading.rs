//! A tree as serde reads it, with every error told where it was found.

use serde::Deserializer;
use serde::de::value::{StrDeserializer, StringDeserializer};
use serde::de::{
    DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::node::Node;
use super::wrong::{Step, Wrong, cut};

/// How `serde_json` asks for a value as the text that it is. What it says is of no matter here: nothing is wrong with it.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Node::Null => visitor.visit_unit(),
            Node::Flag(flag) => visitor.visit_bool(*flag),
            Node::Unsigned(number) => visitor.visit_u64(*number),
            Node::Signed(number) => visitor.visit_i64(*number),
            Node::Float(number) => visitor.visit_f64(*number),
            Node::Text(text) => visitor.visit_borrowed_str(text),
            Node::List(nodes) => visitor.visit_seq(Places { nodes: nodes.iter().enumerate() }),
            Node::Object(members) => visitor.visit_map(Members { members: members.iter(), value: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        if name == RAW_VALUE {
            return visitor.visit_map(Raw { told: false });
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self {
            Node::Text(variant) => visitor.visit_enum(variant.as_str().into_deserializer()),
            Node::Object(members) if members.len() == 1 => {
                let (variant, value) = &members[0];
                visitor.visit_enum(Variant { variant, value })
            }
            _ => Err(Wrong::invalid_type(self.kind(), &"a name, or an object with one member")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

impl Node {
    fn kind(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Flag(flag) => Unexpected::Bool(*flag),
            Self::Unsigned(number) => Unexpected::Unsigned(*number),
            Self::Signed(number) => Unexpected::Signed(*number),
            Self::Float(number) => Unexpected::Float(*number),
            Self::Text(text) => Unexpected::Str(text),
            Self::List(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
        }
    }
}

/// What stands in a list.
struct Places<'de> {
    nodes: std::iter::Enumerate<std::slice::Iter<'de, Node>>,
}

impl<'de> SeqAccess<'de> for Places<'de> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        let Some((at, node)) = self.nodes.next() else { return Ok(None) };
        seed.deserialize(node).map(Some).map_err(|wrong| wrong.within(Step::Place(at)))
    }
}

/// What stands in an object.
struct Members<'de> {
    members: std::slice::Iter<'de, (String, Node)>,
    value: Option<&'de (String, Node)>,
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some(member) = self.members.next() else { return Ok(None) };
        self.value = Some(member);
        let name: StrDeserializer<'de, Wrong> = member.0.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        let (name, value) = self.value.take().ok_or_else(|| Wrong::custom("a value before its name"))?;
        seed.deserialize(value).map_err(|wrong| wrong.within(Step::Field(cut(name))))
    }
}

/// A variant that is more than its name.
struct Variant<'de> {
    variant: &'de str,
    value: &'de Node,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Wrong;
    type Variant = Content<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'de>), Wrong> {
        let name: StrDeserializer<'de, Wrong> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, Content { name: self.variant, value: self.value }))
    }
}

struct Content<'de> {
    name: &'de str,
    value: &'de Node,
}

impl Content<'_> {
    fn within(&self) -> impl FnOnce(Wrong) -> Wrong {
        let step = Step::Field(cut(&self.name));
        move |wrong| wrong.within(step)
    }
}

impl<'de> VariantAccess<'de> for Content<'de> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        serde::Deserialize::deserialize(self.value).map_err(self.within())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Wrong> {
        seed.deserialize(self.value).map_err(self.within())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.value.deserialize_any(visitor).map_err(self.within())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.value.deserialize_any(visitor).map_err(self.within())
    }
}

/// A value as text, the way `serde_json` hands one over.
struct Raw {
    told: bool,
}

impl<'de> MapAccess<'de> for Raw {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        if std::mem::replace(&mut self.told, true) {
            return Ok(None);
        }
        let name: StrDeserializer<'de, Wrong> = RAW_VALUE.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        let text: StringDeserializer<Wrong> = "null".to_owned().into_deserializer();
        seed.deserialize(text)
    }
}
