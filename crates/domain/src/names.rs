//! One list per enumeration.
//!
//! A value of an enumeration has one stable name: in the database, in the API and in messages. [`names!`](macro@crate::names)
//! makes the enumeration and everything that follows from the names, so that nobody keeps a second list of them. The API
//! document takes its enums from `ALL`, and the pages take theirs from the API document.

#[doc(hidden)]
pub use serde;

/// Makes an enumeration from its values and their names.
///
/// ```
/// windfall_domain::names! {
///     /// Where a lamp stands.
///     #[derive(Default)]
///     pub enum Lamp {
///         #[default]
///         Dark = "dark",
///         /// It can be seen from afar.
///         Lit = "lit",
///     }
/// }
///
/// assert_eq!(Lamp::ALL, [Lamp::Dark, Lamp::Lit]);
/// assert_eq!(Lamp::Lit.name(), "lit");
/// assert_eq!(Lamp::parse("lit"), Some(Lamp::Lit));
/// assert_eq!(Lamp::parse("Lit"), None);
/// assert_eq!(Lamp::NAMES, "dark, lit");
/// ```
#[macro_export]
macro_rules! names {
    (
        $(#[$about:meta])*
        $visible:vis enum $name:ident {
            $($(#[$about_value:meta])* $value:ident = $text:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible enum $name {
            $($(#[$about_value])* $value,)+
        }

        impl $name {
            /// Every value, in the order of this list.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$value),+];

            /// The names in one line, for messages.
            pub const NAMES: &'static str = $crate::names::without_last_comma(concat!($($text, ", "),+));

            /// The stable name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }

            /// The value with this name.
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$value),)+
                    _ => None,
                }
            }
        }

        impl $crate::names::serde::Serialize for $name {
            fn serialize<S: $crate::names::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::names::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::names::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as $crate::names::serde::Deserialize>::deserialize(deserializer)?;
                let unknown = || $crate::names::serde::de::Error::unknown_variant(&name, &[$($text),+]);
                Self::parse(&name).ok_or_else(unknown)
            }
        }
    };
}

#[doc(hidden)]
pub const fn without_last_comma(names: &'static str) -> &'static str {
    names.split_at(names.len() - ", ".len()).0
}
