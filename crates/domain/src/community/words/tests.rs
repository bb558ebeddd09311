//! A corpus of spellings, and what must hold for every list and text.

use proptest::prelude::*;

use super::*;

fn filter(words: &[(&str, WordAction)]) -> WordFilter {
    let words = words.iter().map(|(word, action)| FilterWord { word: (*word).to_owned(), action: *action });
    WordFilter::build(1, words.collect())
}

fn is_found(word: &str, text: &str) -> bool {
    filter(&[(word, WordAction::Reject)]).judge(text).action.is_some()
}

#[test]
fn a_word_is_found_however_it_is_spelled() {
    for (word, text) in [
        // As it is, anywhere.
        ("赌博", "一起来赌博吧"),
        ("casino", "Our casino is open"),
        ("casino", "casino"),
        ("casino", "我们的casino开了"),
        // Case, width, compatible forms, accents.
        ("casino", "CaSiNo"),
        ("casino", "ｃａｓｉｎｏ"),
        ("casino", "𝐜𝐚𝐬𝐢𝐧𝐨"),
        ("casino", "ⓒⓐⓢⓘⓝⓞ"),
        ("casino", "cásïnô"),
        ("casino", "c\u{301}a\u{300}sino"),
        ("ＣＡＳＩＮＯ", "casino"),
        ("微信", "㣲微信"),
        ("株式会社", "㍿"),
        // Letters that look alike.
        ("casino", "саsinо"),
        ("viagra", "νιagra"),
        // Invisible characters.
        ("casino", "ca\u{200b}si\u{ad}no"),
        ("赌博", "赌\u{200d}博"),
        ("赌博", "赌\u{fe0f}\u{2060}博"),
        ("casino", "c\u{e0061}asino"),
        // Signs in between.
        ("赌博", "赌 博"),
        ("赌博", "赌\u{3000}博"),
        ("赌博", "赌*博"),
        ("赌博", "赌。。。博"),
        ("赌博", "赌\n博"),
        ("赌博", "赌😀博"),
        ("赌博", "**赌**_博_"),
        ("casino", "c a s i n o"),
        ("casino", "c.a.s.i.n.o"),
        ("casino", "c - a - s - i - n - o"),
        ("casino", "cas.ino"),
        ("casino", "c*sino casi-no"),
        ("buy now", "buy now"),
        ("buy now", "BUY\nNOW!"),
        ("buy now", "buynow"),
        ("buy now", "b u y n o w"),
        // Both kinds of letters in one word.
        ("加v信", "加 V 信"),
        ("加v信", "加.Ｖ.信"),
        ("qq群", "加入Q Q群"),
        ("qq群", "QQ  群"),
        // Traditional forms, either way.
        ("赌博", "賭博"),
        ("賭博", "赌博"),
        ("发票", "發 票"),
        ("代开发票", "代開發票"),
        // Other scripts.
        ("도박", "온라인 도박 사이트"),
        ("カジノ", "ｶｼﾞﾉ"),
        ("カジノ", "オンラインカジノ"),
    ] {
        assert!(is_found(word, text), "{word:?} is in {text:?}");
    }
}

#[test]
fn what_only_contains_the_letters_is_not_the_word() {
    for (word, text) in [
        ("ass", "a first class passage"),
        ("ass", "as sure as I am"),
        ("penis", "the pen is red"),
        ("casino", "casinos"),
        ("casino", "mycasino"),
        ("casino", "casi no"),
        ("123", "41234"),
        ("赌博", "赌一把，再去博物馆"),
        ("赌博", "博赌"),
        ("buy now", "buy nowhere"),
        ("가", "각"),
        ("qq群", "qqq群"),
        ("a", ""),
        ("a", "\u{200b} ..."),
    ] {
        assert!(!is_found(word, text), "{word:?} is not in {text:?}");
    }
}

#[test]
fn the_strictest_word_decides_and_masked_ones_become_stars() {
    use WordAction::*;
    let list = [("傻瓜", Mask), ("damn", Mask), ("加群", Hold), ("赌博", Reject), ("瓜子", Hold)];
    let filter = filter(&list);
    for (text, action, masked, found) in [
        ("今天天气好", None, "今天天气好", vec![]),
        ("你这傻瓜！", Some(Mask), "你这＊＊！", vec!["傻瓜"]),
        ("傻 瓜 Damn it", Some(Mask), "＊ ＊ ＊＊＊＊ it", vec!["傻瓜", "damn"]),
        ("傻瓜子", Some(Hold), "＊＊子", vec!["瓜子", "傻瓜"]),
        ("加群", Some(Hold), "加群", vec!["加群"]),
        ("傻瓜，加群，賭 博", Some(Reject), "＊＊，加群，賭 博", vec!["赌博", "加群", "傻瓜"]),
        ("damn damn", Some(Mask), "＊＊＊＊ ＊＊＊＊", vec!["damn"]),
    ] {
        let verdict = filter.judge(text);
        assert_eq!((verdict.action, verdict.masked.as_str()), (action, masked), "{text}");
        assert_eq!(verdict.found.iter().map(|one| one.word.as_str()).collect::<Vec<_>>(), found, "{text}");
    }
}

#[test]
fn a_passage_is_told_as_it_was_written_and_cut() {
    let filter = filter(&[("赌博", WordAction::Reject)]);
    assert_eq!(filter.judge("来賭 博吧").found[0].passage, "賭 博");
    let long = format!("赌{}博", ".".repeat(10_000));
    assert_eq!(filter.judge(&long).found[0].passage.chars().count(), 40);
}

#[test]
fn what_may_be_a_word() {
    let long = "词".repeat(WORD_CHARS_MAX);
    for (word, folded) in [
        (" 賭 博 ", Some("赌博")),
        ("Buy Now", Some("buynow")),
        (long.as_str(), Some(long.as_str())),
        ("", None),
        ("…!", None),
        ("a\u{7}", None),
        (&format!("{long}词"), None),
        // Three characters that are eighteen letters, fourteen times.
        (&"\u{fdfa}".repeat(14), None),
    ] {
        let parsed = FoldedWord::parse(word).ok();
        assert_eq!(parsed.as_ref().map(|(_, folded)| folded.as_str()), folded, "{word}");
    }
}

/// The slow way: at every place, whether the letters that follow are the word.
fn find_slowly(word: &str, text: &str) -> bool {
    let letters = |text: &str| super::fold::fold(text).iter().map(|one| one.c).collect::<Vec<char>>();
    letters(text).windows(letters(word).len().max(1)).any(|some| some == letters(word))
}

proptest! {
    /// Signs have no word ends, so every word that is there is found, and nothing else is.
    #[test]
    fn all_words_are_found_in_one_pass(
        words in prop::collection::btree_set("[赌博信微]{1,4}", 1..20),
        text in "[赌博信微好 。\u{200b}]{0,60}",
    ) {
        let list: Vec<(&str, WordAction)> =
            words.iter().map(|word| (word.as_str(), WordAction::Hold)).collect();
        let verdict = filter(&list).judge(&text);
        let expected: Vec<&str> = words.iter().map(String::as_str).filter(|word| find_slowly(word, &text)).collect();
        let mut found: Vec<&str> = verdict.found.iter().map(|one| one.word.as_str()).collect();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn what_is_masked_is_not_found_again_and_as_long(
        words in prop::collection::btree_set("[赌博a]{1,3}", 1..6),
        text in "[赌博ab .]{0,40}",
    ) {
        let list: Vec<(&str, WordAction)> =
            words.iter().map(|word| (word.as_str(), WordAction::Mask)).collect();
        let filter = filter(&list);
        let masked = filter.judge(&text).masked;
        prop_assert_eq!(masked.chars().count(), text.chars().count());
        let kept = masked.chars().zip(text.chars()).all(|(new, old)| new == old || new == '＊');
        prop_assert!(kept, "{} {}", masked, text);
        // A star is a gap: what is left may join to another word, which another look would find. It gets less each time.
        let again = filter.judge(&masked).masked;
        prop_assert!(again.matches('＊').count() >= masked.matches('＊').count());
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), word in "\\PC{1,10}") {
        let verdict = filter(&[(word.as_str(), WordAction::Mask)]).judge(&text);
        prop_assert_eq!(verdict.masked.chars().count(), text.chars().count());
    }
}

#[test]
fn a_long_text_and_a_nested_list_take_steps_in_proportion() {
    // Every end of every word is a word too: the worst list for the longest text.
    let words: Vec<String> = (1..=WORD_CHARS_MAX).map(|n| "赌".repeat(n)).collect();
    let list: Vec<(&str, WordAction)> = words.iter().map(|word| (word.as_str(), WordAction::Mask)).collect();
    let verdict = filter(&list).judge(&"赌".repeat(20_000));
    assert_eq!(verdict.masked, "＊".repeat(20_000));
    assert_eq!(verdict.found.len(), 20);
}
