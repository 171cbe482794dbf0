//! Names for the characters that stand in an id by mistake: those that cannot be seen, those that
//! look like others, and combining marks.
//!
//! Not a Unicode database: it knows what keyboards, web pages and word processors put into files.

/// Characters that leave no ink.
const UNSEEN: &[(char, &str)] = &[
    ('\u{a0}', "NO-BREAK SPACE"),
    ('\u{ad}', "SOFT HYPHEN"),
    ('\u{34f}', "COMBINING GRAPHEME JOINER"),
    ('\u{61c}', "ARABIC LETTER MARK"),
    ('\u{1680}', "OGHAM SPACE MARK"),
    ('\u{180e}', "MONGOLIAN VOWEL SEPARATOR"),
    ('\u{2000}', "EN QUAD"),
    ('\u{2001}', "EM QUAD"),
    ('\u{2002}', "EN SPACE"),
    ('\u{2003}', "EM SPACE"),
    ('\u{2004}', "THREE-PER-EM SPACE"),
    ('\u{2005}', "FOUR-PER-EM SPACE"),
    ('\u{2006}', "SIX-PER-EM SPACE"),
    ('\u{2007}', "FIGURE SPACE"),
    ('\u{2008}', "PUNCTUATION SPACE"),
    ('\u{2009}', "THIN SPACE"),
    ('\u{200a}', "HAIR SPACE"),
    ('\u{200b}', "ZERO WIDTH SPACE"),
    ('\u{200c}', "ZERO WIDTH NON-JOINER"),
    ('\u{200d}', "ZERO WIDTH JOINER"),
    ('\u{200e}', "LEFT-TO-RIGHT MARK"),
    ('\u{200f}', "RIGHT-TO-LEFT MARK"),
    ('\u{2028}', "LINE SEPARATOR"),
    ('\u{2029}', "PARAGRAPH SEPARATOR"),
    ('\u{202a}', "LEFT-TO-RIGHT EMBEDDING"),
    ('\u{202b}', "RIGHT-TO-LEFT EMBEDDING"),
    ('\u{202c}', "POP DIRECTIONAL FORMATTING"),
    ('\u{202d}', "LEFT-TO-RIGHT OVERRIDE"),
    ('\u{202e}', "RIGHT-TO-LEFT OVERRIDE"),
    ('\u{202f}', "NARROW NO-BREAK SPACE"),
    ('\u{205f}', "MEDIUM MATHEMATICAL SPACE"),
    ('\u{2060}', "WORD JOINER"),
    ('\u{2066}', "LEFT-TO-RIGHT ISOLATE"),
    ('\u{2067}', "RIGHT-TO-LEFT ISOLATE"),
    ('\u{2068}', "FIRST STRONG ISOLATE"),
    ('\u{2069}', "POP DIRECTIONAL ISOLATE"),
    ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{feff}', "ZERO WIDTH NO-BREAK SPACE"),
];

/// Characters that look like one that an id may have, and which.
const LOOK_ALIKES: &[(char, char, &str)] = &[
    ('а', 'a', "CYRILLIC SMALL LETTER A"),
    ('ь', 'b', "CYRILLIC SMALL LETTER SOFT SIGN"),
    ('с', 'c', "CYRILLIC SMALL LETTER ES"),
    ('ԁ', 'd', "CYRILLIC SMALL LETTER KOMI DE"),
    ('е', 'e', "CYRILLIC SMALL LETTER IE"),
    ('һ', 'h', "CYRILLIC SMALL LETTER SHHA"),
    ('і', 'i', "CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I"),
    ('ј', 'j', "CYRILLIC SMALL LETTER JE"),
    ('к', 'k', "CYRILLIC SMALL LETTER KA"),
    ('ӏ', 'l', "CYRILLIC SMALL LETTER PALOCHKA"),
    ('м', 'm', "CYRILLIC SMALL LETTER EM"),
    ('п', 'n', "CYRILLIC SMALL LETTER PE"),
    ('о', 'o', "CYRILLIC SMALL LETTER O"),
    ('р', 'p', "CYRILLIC SMALL LETTER ER"),
    ('ԛ', 'q', "CYRILLIC SMALL LETTER QA"),
    ('г', 'r', "CYRILLIC SMALL LETTER GHE"),
    ('ѕ', 's', "CYRILLIC SMALL LETTER DZE"),
    ('т', 't', "CYRILLIC SMALL LETTER TE"),
    ('ѵ', 'v', "CYRILLIC SMALL LETTER IZHITSA"),
    ('ԝ', 'w', "CYRILLIC SMALL LETTER WE"),
    ('х', 'x', "CYRILLIC SMALL LETTER HA"),
    ('у', 'y', "CYRILLIC SMALL LETTER U"),
    ('А', 'a', "CYRILLIC CAPITAL LETTER A"),
    ('В', 'b', "CYRILLIC CAPITAL LETTER VE"),
    ('С', 'c', "CYRILLIC CAPITAL LETTER ES"),
    ('Е', 'e', "CYRILLIC CAPITAL LETTER IE"),
    ('К', 'k', "CYRILLIC CAPITAL LETTER KA"),
    ('М', 'm', "CYRILLIC CAPITAL LETTER EM"),
    ('Н', 'h', "CYRILLIC CAPITAL LETTER EN"),
    ('О', 'o', "CYRILLIC CAPITAL LETTER O"),
    ('Р', 'p', "CYRILLIC CAPITAL LETTER ER"),
    ('Т', 't', "CYRILLIC CAPITAL LETTER TE"),
    ('Х', 'x', "CYRILLIC CAPITAL LETTER HA"),
    ('α', 'a', "GREEK SMALL LETTER ALPHA"),
    ('γ', 'y', "GREEK SMALL LETTER GAMMA"),
    ('ι', 'i', "GREEK SMALL LETTER IOTA"),
    ('κ', 'k', "GREEK SMALL LETTER KAPPA"),
    ('ν', 'v', "GREEK SMALL LETTER NU"),
    ('ο', 'o', "GREEK SMALL LETTER OMICRON"),
    ('ρ', 'p', "GREEK SMALL LETTER RHO"),
    ('τ', 't', "GREEK SMALL LETTER TAU"),
    ('υ', 'u', "GREEK SMALL LETTER UPSILON"),
    ('χ', 'x', "GREEK SMALL LETTER CHI"),
    ('ω', 'w', "GREEK SMALL LETTER OMEGA"),
    ('ɑ', 'a', "LATIN SMALL LETTER ALPHA"),
    ('ı', 'i', "LATIN SMALL LETTER DOTLESS I"),
    ('ɡ', 'g', "LATIN SMALL LETTER SCRIPT G"),
    ('‐', '-', "HYPHEN"),
    ('‑', '-', "NON-BREAKING HYPHEN"),
    ('‒', '-', "FIGURE DASH"),
    ('–', '-', "EN DASH"),
    ('—', '-', "EM DASH"),
    ('―', '-', "HORIZONTAL BAR"),
    ('−', '-', "MINUS SIGN"),
    ('﹣', '-', "SMALL HYPHEN-MINUS"),
    ('․', '.', "ONE DOT LEADER"),
    ('·', '.', "MIDDLE DOT"),
    ('。', '.', "IDEOGRAPHIC FULL STOP"),
];

/// Combining marks that keyboards and macOS file names give.
const MARKS: &[(char, &str)] = &[
    ('\u{300}', "COMBINING GRAVE ACCENT"),
    ('\u{301}', "COMBINING ACUTE ACCENT"),
    ('\u{302}', "COMBINING CIRCUMFLEX ACCENT"),
    ('\u{303}', "COMBINING TILDE"),
    ('\u{304}', "COMBINING MACRON"),
    ('\u{306}', "COMBINING BREVE"),
    ('\u{307}', "COMBINING DOT ABOVE"),
    ('\u{308}', "COMBINING DIAERESIS"),
    ('\u{30a}', "COMBINING RING ABOVE"),
    ('\u{30b}', "COMBINING DOUBLE ACUTE ACCENT"),
    ('\u{30c}', "COMBINING CARON"),
    ('\u{327}', "COMBINING CEDILLA"),
    ('\u{328}', "COMBINING OGONEK"),
];

/// Whether a character leaves no ink.
pub fn is_unseen(c: char) -> bool {
    UNSEEN.iter().any(|&(unseen, _)| unseen == c) || ('\u{e0000}'..='\u{e007f}').contains(&c)
}

/// Whether it is a space, but not the plain one.
pub fn is_other_space(c: char) -> bool {
    c != ' ' && c.is_whitespace() && !c.is_control()
}

/// Whether it is a combining mark.
pub fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// The character of an id that this one looks like.
pub fn looks_like(c: char) -> Option<char> {
    if let 'ａ'..='ｚ' | 'Ａ'..='Ｚ' | '０'..='９' | '－' | '．' = c {
        // The full-width forms stand in the order of ASCII, at a distance of 0xFEE0.
        return char::from_u32(u32::from(c) - 0xfee0).map(|c| c.to_ascii_lowercase());
    }
    LOOK_ALIKES.iter().find(|entry| entry.0 == c).map(|entry| entry.1)
}

/// How a message names a character: code point, and its Unicode name where this table has it.
pub fn named(c: char) -> String {
    let unseen = UNSEEN.iter().find(|entry| entry.0 == c).map(|entry| entry.1);
    let alike = LOOK_ALIKES.iter().find(|entry| entry.0 == c).map(|entry| entry.2);
    let mark = MARKS.iter().find(|entry| entry.0 == c).map(|entry| entry.1);
    let name = match c {
        ' ' => "SPACE".to_owned(),
        '\t' => "CHARACTER TABULATION".to_owned(),
        '\n' => "LINE FEED".to_owned(),
        '\r' => "CARRIAGE RETURN".to_owned(),
        'Ａ'..='Ｚ' => format!("FULLWIDTH LATIN CAPITAL LETTER {}", plain(c)),
        'ａ'..='ｚ' => format!("FULLWIDTH LATIN SMALL LETTER {}", plain(c)),
        '０'..='９' => format!("FULLWIDTH DIGIT {}", plain(c)),
        _ => unseen.or(alike).or(mark).unwrap_or_default().to_owned(),
    };
    let code = format!("U+{:04X}", u32::from(c));
    if name.is_empty() { code } else { format!("{code} {name}") }
}

fn plain(full_width: char) -> char {
    looks_like(full_width).unwrap_or(full_width).to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_named() {
        for (c, name) in [
            ('\u{a0}', "U+00A0 NO-BREAK SPACE"),
            ('\u{200b}', "U+200B ZERO WIDTH SPACE"),
            ('а', "U+0430 CYRILLIC SMALL LETTER A"),
            ('ｂ', "U+FF42 FULLWIDTH LATIN SMALL LETTER B"),
            ('–', "U+2013 EN DASH"),
            ('\u{301}', "U+0301 COMBINING ACUTE ACCENT"),
            ('漢', "U+6F22"),
        ] {
            assert_eq!(named(c), name);
        }
    }

    #[test]
    fn look_alikes_are_never_ascii_and_give_characters_of_ids() {
        for &(c, like, _) in LOOK_ALIKES {
            assert!(!c.is_ascii(), "{c}");
            assert!(matches!(like, 'a'..='z' | '0'..='9' | '.' | '-'), "{c}");
        }
        assert_eq!(looks_like('Ｚ'), Some('z'));
        assert_eq!(looks_like('a'), None);
    }
}
