//! A file of codes: a list, one per line, or a CSV sheet with the one column `code`.
//!
//! It is read whole or refused whole, with the lines that are wrong. White space around a code is not part of it, and
//! empty lines at the end are nothing. Lines are counted from 1, the heading with them.

use std::borrow::Cow;

use crate::Rejection;
use crate::flaw::{FLAWS_MAX, Flaw};
use crate::rejection::FieldProblem;

/// The longest code.
pub const CODE_BYTES_MAX: usize = 200;

/// The heading of a sheet.
const HEADING: &str = "code";

/// What people write above a column of codes. As the first line of a list it is refused: it would be given to somebody.
const HEADINGS: [&str; 20] = [
    HEADING,
    "codes",
    "coupon",
    "coupons",
    "coupon code",
    "coupon_code",
    "redeem code",
    "redeem_code",
    "voucher",
    "voucher code",
    "voucher_code",
    "promo code",
    "promo_code",
    "gift code",
    "serial",
    "serial number",
    "兑换码",
    "券码",
    "卡密",
    "序列号",
];

/// How the file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// One code per line, as it is.
    List,
    /// The heading `code`, then one code per line, in quotes where it has commas or quotes.
    Csv,
}

/// One code: not empty, at most [`CODE_BYTES_MAX`] long, nothing that cannot be seen in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RedeemCode(Box<str>);

impl RedeemCode {
    pub fn parse(text: &str) -> Result<Self, FieldProblem> {
        let text = text.trim();
        if text.is_empty() {
            return Err(FieldProblem::Missing);
        }
        if text.len() > CODE_BYTES_MAX {
            return Err(FieldProblem::TooLong { max: CODE_BYTES_MAX as u64 });
        }
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        // A byte order mark at the beginning of a file is not part of its first code, so no code begins with one.
        if !plain && text.chars().any(|letter| letter.is_control() || letter == '\u{feff}') {
            return Err(FieldProblem::Malformed);
        }
        Ok(Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    pub number: u32,
    pub code: RedeemCode,
}

/// Whether a line is what people write above codes, and so surely none itself.
pub fn is_heading(line: &str) -> bool {
    let line = line.trim().trim_matches('"').trim();
    HEADINGS.iter().any(|heading| line.eq_ignore_ascii_case(heading))
}

/// The lines of a sheet that are codes, and the numbers of those that cannot be, with why.
pub type SiftedLines = (Vec<CodeLine>, Vec<(u32, FieldProblem)>);

pub fn sift(text: &str, kind: SheetKind) -> Result<SiftedLines, Rejection> {
    let text = text.trim_start_matches('\u{feff}').trim_end();
    let mut lines = (1..).zip(text.lines());
    if kind == SheetKind::Csv {
        let heading = lines.next().and_then(|(_, line)| field(line));
        if !heading.is_some_and(|name| name.trim().eq_ignore_ascii_case(HEADING)) {
            return Err(Rejection::invalid("lines.1", FieldProblem::NotOneOf { allowed: HEADING }));
        }
    }
    let (mut codes, mut wrong) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let text = match kind {
            // Somebody would win it.
            SheetKind::List if number == 1 && is_heading(line) => None,
            SheetKind::List => Some(Cow::Borrowed(line)),
            SheetKind::Csv => field(line),
        };
        match text.ok_or(FieldProblem::Malformed).and_then(|text| RedeemCode::parse(&text)) {
            Ok(code) => codes.push(CodeLine { number, code }),
            Err(problem) => wrong.push((number, problem)),
        }
    }
    Ok((codes, wrong))
}

/// Every line, or what is wrong with them.
pub fn read(text: &str, kind: SheetKind) -> Result<Vec<CodeLine>, Rejection> {
    let (read, wrong) = sift(text, kind)?;
    // A file of the wrong kind is wrong in every line: nobody reads on.
    let flaws = wrong
        .into_iter()
        .take(FLAWS_MAX)
        .map(|(number, problem)| Flaw::from(Rejection::invalid(&format!("lines.{number}"), problem)));
    let flaws: Vec<Flaw> = flaws.collect();
    Rejection::of_flaws(flaws)?;
    if read.is_empty() {
        return Err(Rejection::invalid("lines", FieldProblem::Missing));
    }
    Ok(read)
}

/// The one field of a line; nothing where there are several, or a quote is left open.
fn field(line: &str) -> Option<Cow<'_, str>> {
    let line = line.trim();
    let Some(quoted) = line.strip_prefix('"') else {
        return (!line.contains([',', '"'])).then_some(Cow::Borrowed(line));
    };
    let inner = quoted.strip_suffix('"')?;
    if !inner.contains('"') {
        return Some(Cow::Borrowed(inner));
    }
    let single = inner.replace("\"\"", "");
    (!single.contains('"')).then(|| Cow::Owned(inner.replace("\"\"", "\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes with their lines, or the fields to blame.
    fn told(text: &str, kind: SheetKind) -> String {
        match read(text, kind) {
            Ok(lines) => {
                let lines = lines.iter().map(|line| format!("{}={}", line.number, line.code.as_str()));
                lines.collect::<Vec<_>>().join(" ")
            }
            Err(rejection) => {
                let field = rejection.field().map(str::to_owned).into_iter();
                let fields = rejection.flaws().iter().map(|flaw| format!("{} {}", flaw.field, flaw.code));
                format!("{}: {}", rejection.code(), field.chain(fields).collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn files_are_read_or_refused_with_their_lines() {
        use SheetKind::{Csv, List};
        let (longest, too_long) = ("x".repeat(200), "茶".repeat(67));
        for (kind, text, expected) in [
            (List, "A-1\nB-2", "1=A-1 2=B-2"),
            (List, "\u{feff}A-1 \r\n\tB 2\r\n\r\n \n", "1=A-1 2=B 2"),
            (List, "兑换-1", "1=兑换-1"),
            (List, "a,b\n\"c\"", "1=a,b 2=\"c\""),
            (List, "code\nA", "flawed: lines.1 malformed"),
            (List, "兑换码\nA", "flawed: lines.1 malformed"),
            (List, "\"Coupon Code\"\r\nA", "flawed: lines.1 malformed"),
            (List, "A\ncode", "1=A 2=code"),
            (List, &longest, &format!("1={longest}")),
            (List, &too_long, "flawed: lines.1 too_long"),
            (List, "A\n\n \nB\u{7}B\nC", "flawed: lines.2 missing, lines.3 missing, lines.4 malformed"),
            (List, "A\u{85}B\nC\n\u{feff}D", "flawed: lines.1 malformed, lines.3 malformed"),
            (List, "", "invalid_field: lines"),
            (List, " \n\n", "invalid_field: lines"),
            (Csv, "code\nA-1\nB-2\n", "2=A-1 3=B-2"),
            (Csv, "\u{feff}\"Code\"\r\n\"a,b\"\r\n \"say \"\"x\"\"\" \r\n", "2=a,b 3=say \"x\""),
            (Csv, "A-1\nB-2\n", "invalid_field: lines.1"),
            (Csv, "code,pool\nA,1\n", "invalid_field: lines.1"),
            (Csv, "", "invalid_field: lines.1"),
            (Csv, "code\n", "invalid_field: lines"),
            (
                Csv,
                "code\nA,1\n\"B\nC\n\"\"\nD\"x\"\n\"E\"F\"\n",
                "flawed: lines.2 malformed, lines.3 malformed, lines.5 missing, lines.6 malformed, lines.7 malformed",
            ),
        ] {
            assert_eq!(told(text, kind), expected, "{kind:?} {text:?}");
        }
    }

    #[test]
    fn flaws_are_bounded() {
        let text = format!("{}A", "\n".repeat(100_000));
        let Err(rejection) = read(&text, SheetKind::List) else { panic!("refused") };
        assert_eq!(rejection.flaws().len(), FLAWS_MAX);
    }
}
