//! The words of a Markdown text, for the index and for what is shown of it. It does not render: marks and addresses go, and
//! whatever else was written stays as it is.

/// Blanks stand for ends of lines.
pub fn plain_words(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let line = line.trim_start().trim_start_matches(['#', '>', ' ']);
        let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("+ ")).unwrap_or(line);
        push_words(&mut plain, line);
        plain.push(' ');
    }
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn push_words(plain: &mut String, line: &str) {
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("http://") || rest.starts_with("https://") {
            let is_end = |letter: char| !letter.is_ascii_graphic() || matches!(letter, ')' | '>' | '<' | '"');
            rest = &rest[rest.find(is_end).unwrap_or(rest.len())..];
            continue;
        }
        if let Some(address) = rest.strip_prefix("](")
            && let Some(end) = address.find(')')
        {
            rest = &address[end + 1..];
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        match letter {
            '*' | '`' | '~' | '[' | ']' => {}
            '!' if rest.starts_with('[') => {}
            '|' => plain.push(' '),
            letter => plain.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_addresses_go() {
        for (markdown, expected) in [
            ("", ""),
            ("# Title\n\nSome **bold** text", "Title Some bold text"),
            ("> quoted\n> more", "quoted more"),
            ("- one\n- two", "one two"),
            ("[here](https://example.org/path?q=1) now", "here now"),
            ("![a cat](/api/v1/pictures/7318349394477056)!", "a cat!"),
            ("见https://example.org/a 好", "见 好"),
            ("<https://example.org>", "<>"),
            ("a | b\n--- | ---", "a b --- ---"),
            ("`code` ~~gone~~", "code gone"),
            ("[open](", "open("),
            ("snake_case <b>x</b>", "snake_case <b>x</b>"),
        ] {
            assert_eq!(plain_words(markdown), expected, "{markdown}");
        }
    }
}
