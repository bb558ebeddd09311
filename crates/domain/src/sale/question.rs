//! A captcha in words, for those who cannot see a picture: a sum, with its numbers written out. A screen reader reads it
//! like any other text. It keeps out as little as a picture does; limits by user and address bound the rest.

use crate::Lang;

/// How many numbers are added.
const TERMS: usize = 3;
/// The largest of them.
const TERM_MAX: u8 = 20;

const ENGLISH: [&str; TERM_MAX as usize] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];
const CHINESE: [&str; TERM_MAX as usize] = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五",
    "十六", "十七", "十八", "十九", "二十",
];

/// A sum that somebody is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumQuestion([u8; TERMS]);

impl SumQuestion {
    /// From random bytes.
    pub fn draw(bytes: [u8; TERMS]) -> Self {
        Self(bytes.map(|byte| byte % TERM_MAX))
    }

    pub fn text(self, lang: Lang) -> String {
        let [first, second, third] = self.0.map(usize::from);
        match lang {
            Lang::En => format!(
                "What is {} plus {} plus {}? Answer in digits.",
                ENGLISH[first], ENGLISH[second], ENGLISH[third]
            ),
            Lang::Zh => {
                format!("{}加{}加{}等于多少？请用数字回答。", CHINESE[first], CHINESE[second], CHINESE[third])
            }
        }
    }

    /// In digits.
    pub fn answer(self) -> String {
        self.0.iter().map(|place| u32::from(*place) + 1).sum::<u32>().to_string()
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn sums_in_words() {
        for (bytes, english, chinese, answer) in [
            ([0, 1, 2], "one plus two plus three", "一加二加三等于多少", "6"),
            ([19, 19, 19], "twenty plus twenty plus twenty", "二十加二十加二十等于多少", "60"),
            ([20, 255, 11], "one plus sixteen plus twelve", "一加十六加十二等于多少", "29"),
        ] {
            let question = SumQuestion::draw(bytes);
            assert!(question.text(Lang::En).contains(english), "{}", question.text(Lang::En));
            assert!(question.text(Lang::Zh).contains(chinese), "{}", question.text(Lang::Zh));
            assert_eq!(question.answer(), answer);
            assert!(!question.text(Lang::En).contains(|c: char| c.is_ascii_digit()));
        }
    }
}
