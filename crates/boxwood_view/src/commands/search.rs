//! Finds commands by their names, or by questions such as `why is this slow`.

use std::cmp::Reverse;

use super::{CommandInfo, commands};

/// Words that say nothing about what a question is about.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "at", "be", "by", "can", "do", "does", "for", "how", "i", "in", "is", "it",
    "its", "me", "my", "of", "on", "or", "so", "that", "the", "there", "these", "this", "to", "was", "what",
    "when", "where", "which", "who", "why", "with",
];

/// A shorter word in the text about a command does not stand for longer ones.
const MIN_STEM: usize = 3;

/// The commands that a text finds.
#[derive(Debug)]
pub(crate) struct Found {
    /// The commands. Those come first that have the text as a phrase, then those that are found by
    /// their names, and then those that are found by the shortest phrases. Each has the phrase by
    /// which it is found, if that is neither its name nor its help.
    pub(crate) commands: Vec<(&'static CommandInfo, Option<&'static str>)>,
    /// Whether the commands have all words of the text. Otherwise, they have the most of them.
    pub(crate) is_complete: bool,
}

/// Finds the commands that have the most words of a text in their name, help, or phrases.
/// Without a significant word, finds all.
pub(crate) fn find(text: &str) -> Found {
    let wanted: Vec<String> = words(text).collect();
    let texts = |info: &CommandInfo| [&[info.name, info.help], info.phrases].concat();
    let scored: Vec<_> = commands().map(|info| (count(&texts(info), &wanted), info)).collect();
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or_default();
    if best == 0 && !wanted.is_empty() {
        return Found { commands: Vec::new(), is_complete: false };
    }
    let found = scored.iter().filter(|(score, _)| *score == best);
    let mut commands: Vec<_> = found.map(|(_, info)| (*info, phrase(info, &wanted))).collect();
    // The sort is stable, so equals stay in the order of the help.
    commands.sort_by_key(|(info, phrase)| {
        let is_phrase = info.phrases.iter().any(|phrase| words(phrase).eq(wanted.iter().cloned()));
        let n_words = phrase.map_or(0, |phrase| words(phrase).count());
        (!is_phrase, Reverse(count(&[info.name], &wanted)), n_words)
    });
    Found { commands, is_complete: best == wanted.len() }
}

/// The words of a text in lower case, without stop words.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).filter(|word| !STOP_WORDS.contains(&word.as_str()))
}

/// How many of the words are in the texts.
fn count(texts: &[&str], wanted: &[String]) -> usize {
    let own: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    wanted.iter().filter(|wanted| is_in(wanted, &own)).count()
}

/// The phrase with the most of the words, unless the name and the help have as many.
fn phrase(info: &CommandInfo, wanted: &[String]) -> Option<&'static str> {
    // The first of several phrases with the same count.
    let best = info.phrases.iter().rev().max_by_key(|phrase| count(&[phrase], wanted))?;
    (count(&[best], wanted) > count(&[info.name, info.help], wanted)).then_some(*best)
}

/// Whether a word is one of a text, or the beginning or another form of one, such as `clips` of
/// `clip`.
fn is_in(wanted: &str, own: &[String]) -> bool {
    own.iter().any(|own| own.starts_with(wanted) || own.len() >= MIN_STEM && wanted.starts_with(own.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Command;
    use crate::data_views::DataView;

    fn found(text: &str) -> Vec<Command> {
        find(text).commands.iter().map(|(info, _)| info.command).collect()
    }

    #[test]
    fn questions_find_the_commands_that_answer_them() {
        for (question, answer) in [
            ("why slow", Command::TogglePerformance),
            ("why is this so slow?", Command::ShowData(DataView::Overdraw)),
            ("what clips", Command::ToggleInspector),
            ("What clips this element?", Command::ToggleInspector),
            ("which makes box large", Command::ToggleOrder),
            ("why is it invisible", Command::ShowData(DataView::Occluded)),
            ("what changed", Command::Compare),
            ("heatmap", Command::ShowData(DataView::Overdraw)),
            ("heat map", Command::ShowData(DataView::Overdraw)),
            ("screenshot", Command::Export(crate::export::Export::View)),
            ("shortcuts", Command::ShowHelp),
        ] {
            let found = found(question);
            assert!(found.contains(&answer), "{question}: {found:?}");
            assert!(found.len() <= 8, "{question}: {found:?}");
        }
        assert!(!found("heatmap").contains(&Command::ShowPalette), "it has no such word");
    }

    #[test]
    fn the_command_with_the_best_answer_to_a_question_is_the_first() {
        for (question, answer) in [
            ("why is this box so large", Command::ToggleInspector),
            ("Which element makes this box so large?", Command::ToggleInspector),
            ("what clips this", Command::ToggleInspector),
            ("what clips this element", Command::ToggleInspector),
            ("why slow", Command::TogglePerformance),
            ("why is this so slow?", Command::TogglePerformance),
        ] {
            assert_eq!(found(question)[0], answer, "{question}");
        }
    }

    #[test]
    fn names_are_found_by_the_beginnings_of_their_words() {
        assert_eq!(found("next file")[0], Command::Go(crate::state::Step::Next));
        assert_eq!(found("insp"), [Command::ToggleInspector]);
        assert_eq!(found("why is the").len(), commands().count(), "no word is significant");
    }

    #[test]
    fn a_text_that_no_command_has_in_full_finds_the_closest() {
        assert!(find("performance panel").is_complete);
        let closest = find("performance panel of xylophones");
        assert!(!closest.is_complete);
        assert_eq!(closest.commands[0].0.command, Command::TogglePerformance);
        assert!(find("xylophones").commands.is_empty());
    }

    #[test]
    fn a_command_that_is_found_by_a_question_shows_the_question() {
        let phrase = |text| find(text).commands.first().and_then(|(_, phrase)| *phrase);
        assert_eq!(phrase("takes long"), Some("what takes long"));
        assert_eq!(phrase("performance panel"), None);
        assert_eq!(found("why slow")[0], Command::TogglePerformance, "its phrase has no other word");
    }
}
