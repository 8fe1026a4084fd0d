//! The families that fontconfig replaces others by, from its configuration files.
//!
//! fontconfig edits the list of families that a program asks for, and takes the first one that is
//! installed. Its aliases are the edits for names, such as `sans-serif`. Other edits and the
//! language of the text do not count here.

#[cfg(feature = "system-fonts")]
use std::env;
#[cfg(feature = "system-fonts")]
use std::path::PathBuf;

use fontconfig_parser::Alias;
#[cfg(feature = "system-fonts")]
use fontconfig_parser::FontConfig;

/// The families that the configuration itself takes for generic. `49-sansserif.conf` adds
/// `sans-serif` to every list without one of them.
const GENERIC: [&str; 3] = ["sans-serif", "serif", "monospace"];

/// The configuration of the system's fontconfig, empty on a system without it.
#[cfg(feature = "system-fonts")]
pub(super) fn configuration() -> FontConfig {
    let file = env::var_os("FONTCONFIG_FILE").map_or("/etc/fonts/fonts.conf".into(), PathBuf::from);
    let mut config = FontConfig::default();
    // What was read before an error counts, as it does for fontconfig.
    let _ = config.merge_config(&file);
    config
}

/// The families to look for instead of one family, in order of preference.
pub(super) fn substitutes(family: &str, aliases: &[Alias]) -> Vec<String> {
    let mut families = vec![family.to_owned()];
    if !GENERIC.contains(&family) {
        families.push(GENERIC[0].to_owned());
    }
    for Alias { alias, prefer, accept, default } in aliases {
        if let Some(at) = families.iter().position(|known| known.eq_ignore_ascii_case(alias)) {
            families.extend_from_slice(default);
            families.splice(at + 1..at + 1, accept.iter().cloned());
            families.splice(at..at, prefer.iter().cloned());
        }
    }
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_edit_the_list_of_families_in_order() {
        let alias = |alias: &str, [prefer, accept, default]: [&[&str]; 3]| {
            let owned = |families: &[&str]| families.iter().map(|family| (*family).to_owned()).collect();
            Alias {
                alias: alias.to_owned(),
                prefer: owned(prefer),
                accept: owned(accept),
                default: owned(default),
            }
        };
        let aliases = [
            alias("Sans-Serif", [&["a", "b"], &["c"], &["d"]]),
            alias("fantasy", [&["e"], &[], &["monospace"]]),
            alias("b", [&[], &["f"], &[]]),
            alias("serif", [&["g"], &[], &[]]),
        ];
        assert_eq!(substitutes("sans-serif", &aliases), ["a", "b", "f", "sans-serif", "c", "d"]);
        assert_eq!(
            substitutes("fantasy", &aliases),
            ["e", "fantasy", "a", "b", "f", "sans-serif", "c", "d", "monospace"]
        );
        assert_eq!(substitutes("serif", &[]), ["serif"]);
    }
}
