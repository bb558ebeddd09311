//! How rows become rejections.
//!
//! A topic writes `rows! { topic: … }`, one row each: variant, fields, code, English, Chinese. That makes a macro of the
//! topic's name, which hands its rows on to the next topic in the list; the last in the list is [`rejections`], which
//! makes one enum of them all. So a row stands once, in the file of its topic, and what it names (types in its fields,
//! constants in its texts) is imported where the enum is made.

/// The rows of one topic.
macro_rules! rows {
    ($topic:ident: $($row:tt)+) => { rows! { ($) $topic: $($row)+ } };
    (($s:tt) $topic:ident: $($row:tt)+) => {
        macro_rules! $topic {
            ([$s next:ident $s ($s later:ident)*] $s ($s before:tt)*) => {
                $s next! { [$s ($s later)*] $s ($s before)* $($row)+ }
            };
        }
        pub(in crate::rejection) use $topic;
    };
}

/// The enum of all rows, its codes and its texts.
macro_rules! rejections {
    ([] $($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),+ })? = $code:literal, $en:literal, $zh:literal;)+) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Rejection {
            $($(#[$doc])* $name $({ $($field: $type),+ })?),+
        }

        impl Rejection {
            /// The stable name programs branch on. A code once given keeps its meaning.
            pub fn code(&self) -> &'static str {
                match self { $(Self::$name $({ $($field: _),+ })? => $code),+ }
            }

            /// What to tell a person.
            pub fn text(&self, lang: Lang) -> String {
                match self {$(
                    Self::$name $({ $($field),+ })? => {
                        $($(let $field = Worded(lang, $field); let _ = &$field;)+)?
                        match lang { Lang::En => format!($en), Lang::Zh => format!($zh) }
                    }
                )+}
            }

            /// The code and both texts of each, with the names of what is filled in: `{left}`.
            pub const TEXTS: &'static [(&'static str, &'static str, &'static str)] = &[$(($code, $en, $zh)),+];

            /// Every code there is, in the order of the table.
            pub const CODES: &'static [&'static str] = &[$($code),+];
        }
    };
}
