//! Texts like those that people write: a few words are in almost everything, and most words are in almost nothing. The same
//! number makes the same text.

/// Words of each language, as a power of two.
const WORD_BITS: u64 = 15;
/// Characters that Chinese words are made of; the first of them are the commonest.
const CHARACTER_BITS: u64 = 11;
const FIRST_CHARACTER: u32 = 0x4E00;
const SYLLABLES: [&str; 24] = [
    "an", "ber", "cal", "do", "en", "fi", "gra", "hol", "in", "jo", "ka", "lu", "mar", "no", "or", "pel",
    "qui", "ra", "sol", "ti", "un", "ver", "wa", "zen",
];

/// Numbers that look like chance, from one number.
#[derive(Debug)]
pub struct Corpus(u64);

impl Corpus {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn below(&mut self, max: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % max.max(1)
    }

    /// A rank below a power of two: half of all are below its root.
    fn rank(&mut self, bits: u64) -> u64 {
        let some = self.below(bits + 1);
        self.below(1 << some)
    }

    fn pick(&mut self, all: &[&'static str]) -> &'static str {
        let at = usize::try_from(self.below(all.len() as u64)).unwrap_or(0);
        all.get(at).copied().unwrap_or_default()
    }

    fn word(&mut self, is_chinese: bool) -> String {
        let rank = self.rank(WORD_BITS);
        // Always the same word under the same rank.
        let mut letters = Self::of(rank + 1);
        if is_chinese {
            let length = 1 + letters.below(3);
            let character = |letters: &mut Self| {
                let at = u32::try_from(letters.rank(CHARACTER_BITS)).unwrap_or(0);
                char::from_u32(FIRST_CHARACTER + at).unwrap_or('一')
            };
            return (0..length).map(|_| character(&mut letters)).collect();
        }
        let length = 1 + letters.below(4);
        (0..length).map(|_| letters.pick(&SYLLABLES)).collect()
    }

    pub fn words(&mut self, is_chinese: bool, from: u64, to: u64) -> String {
        let count = from + self.below(to - from + 1);
        let words: Vec<String> = (0..count).map(|_| self.word(is_chinese)).collect();
        words.join(if is_chinese { "" } else { " " })
    }

    /// What somebody looks for: a part of a text, one word, two words, or a single character.
    pub fn query(&mut self, is_chinese: bool) -> String {
        match self.below(4) {
            0 if is_chinese => self.word(true).chars().take(1).collect(),
            0 => {
                let word = self.word(false);
                word.chars().take(4).collect()
            }
            1 => self.words(is_chinese, 2, 3),
            2 => format!("{} {}", self.word(is_chinese), self.word(is_chinese)),
            _ => self.word(is_chinese),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_makes_the_same_text() {
        for is_chinese in [true, false] {
            let text = |seed| Corpus::of(seed).words(is_chinese, 5, 9);
            assert_eq!(text(1), text(1));
            assert_ne!(text(1), text(2));
            assert_eq!(text(1).is_ascii(), !is_chinese);
        }
    }
}
