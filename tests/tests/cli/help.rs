//! The help, the manual page, completions, and the colours of messages.

use std::process::Command;

use crate::run::{Folder, end_of};

const COMMANDS: [&str; 12] = [
    "query",
    "explain",
    "audit",
    "batches",
    "diff",
    "crop",
    "render",
    "view",
    "check",
    "info",
    "completions",
    "man",
];

#[test]
fn the_help_is_short_or_long() {
    let folder = Folder::new();
    let (short, long) = (folder.run(&["-h"]), folder.run(&["--help"]));
    assert_eq!((short.code, long.code), (0, 0));
    assert!(short.text().lines().count() < 24 && !short.text().contains("Examples"), "{}", short.text());
    assert!(long.text().contains("Examples") && long.text().contains("Exit codes"), "{}", long.text());
    for command in COMMANDS {
        assert!(short.text().contains(command), "{}", short.text());
        let help = folder.run(&[command, "--help"]);
        assert_eq!((help.code, help.stderr.as_str()), (0, ""));
        assert!(help.text().contains("\nExamples:\n"), "{}", help.text());
        assert_eq!(folder.run(&["help", command]).text(), help.text());
    }
    assert_eq!(folder.run(&[]).code, 2);
    assert_eq!(folder.run(&["draw"]).code, 2);
}

#[test]
fn completions_are_printed_for_each_shell() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = folder.run(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(COMMANDS.iter().all(|command| run.text().contains(command)), "{}", run.text());
        assert!(run.text().contains("overlay"), "{}", run.text());
    }
    assert_eq!(folder.run(&["completions", "cmd"]).code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_commands_options_and_values() {
    let folder = Folder::new();
    let script = folder.run(&["completions", "bash"]);
    let folder = folder.with("boxwood.bash", &script.stdout);
    let completed = |words: &str| {
        let script = format!(
            "source ./boxwood.bash; COMP_WORDS=({words} \"\"); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _boxwood boxwood \"\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let run = end_of(Command::new("bash").args(["-c", &script]).current_dir(folder.path()));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.text().to_owned()
    };
    assert!(COMMANDS.iter().all(|command| completed("boxwood").contains(command)));
    assert!(completed("boxwood query").contains("--include"));
    assert_eq!(completed("boxwood query --format").trim_end(), "table csv json jsonl svg");
}

#[test]
fn the_manual_page_has_the_help_of_every_command() {
    let run = Folder::new().run(&["man"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let page = run.text();
    assert!(page.contains(".TH boxwood 1") && page.contains("boxwood \\- Compute"), "{page}");
    assert!(page.contains(".SH COMMANDS\n.TP\n\\fBquery\\fR\nPrint the boxes"), "{page}");
    for command in COMMANDS {
        let heading = format!(".SH \"BOXWOOD {}\"\n", command.to_uppercase());
        let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("no {heading} in {page}"));
        assert!(section.contains(&format!("boxwood {command}")), "{section}");
    }
    assert_eq!(page.matches(".SS EXAMPLES").count(), page.matches(".SH \"BOXWOOD ").count());
    assert_eq!((page.matches(".SH EXAMPLES").count(), page.matches("EXIT CODES").count()), (1, 1));
}

#[test]
fn messages_and_help_have_colours_on_request() {
    let folder = Folder::new();
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = folder.command(args);
        command.env_remove("NO_COLOR").envs(variables.iter().copied());
        let run = end_of(&mut command);
        run.stderr.clone() + run.text()
    };
    let query = ["query", "missing.svg"];
    let error = "boxwood: \u{1b}[1m\u{1b}[31merror:\u{1b}[0m cannot read missing.svg";
    for (args, variables, is_coloured) in [
        (&query[..], &[][..], false),
        (&["--color", "always", "query", "missing.svg"], &[], true),
        (&["query", "missing.svg", "--color=always"], &[("NO_COLOR", "1")], true),
        (&query, &[("CLICOLOR_FORCE", "1")], true),
        (&query, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["query", "missing.svg", "--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ] {
        let text = run(args, variables);
        assert_eq!(text.contains(error), is_coloured, "{args:?}, {variables:?}: {text}");
        assert_eq!(text.contains('\u{1b}'), is_coloured, "{args:?}, {variables:?}: {text}");
    }
    for wrong_or_help in ["--wrong", "--help"] {
        for (color, is_coloured) in [("always", true), ("never", false)] {
            let text = run(&["query", wrong_or_help, "--color", color], &[]);
            assert_eq!(text.contains('\u{1b}'), is_coloured, "{wrong_or_help}: {text}");
        }
    }
    assert!(run(&["query", "--color", "sometimes"], &[]).contains("[possible values: auto, always, never]"));
}
