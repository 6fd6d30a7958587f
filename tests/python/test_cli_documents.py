# SPDX-License-Identifier: Apache-2.0
"""The manual page and the completions that the program makes. What they must have is read from its help."""

from __future__ import annotations

import re
import subprocess

import pytest
from cli_program import USAGE, fail, succeed
from tesela import _verbs

FORMS = ["man", "bash", "zsh", "fish"]


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    for form in FORMS:
        (folder / form).write_text(succeed("document", form))
    return folder


def verbs() -> list[str]:
    found = re.findall(r"^  ([a-z]+)  ", succeed("--help").split("Exit status:")[0].split("Verbs", 1)[1], re.MULTILINE)
    assert {"run", "resize", "identify"} <= set(found) and "document" not in found
    return found


def options(verb: str) -> list[str]:
    """Of its help, --help among them; verbs of the Python package have none here."""
    if verb in _verbs.VERBS:
        return []
    text = succeed(verb, "--help")
    found = re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)\b", text, re.MULTILINE)
    assert "--help" in found, text
    return found


def ask(shell: list[str], script: str) -> list[str]:
    done = subprocess.run([*shell, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.split("\n")[:-1]


def bash(documents, *words: str) -> list[str]:
    """What bash would offer for the last word."""
    line = " ".join(f"'{word}'" for word in ["tesela", *words])
    return ask(["bash", "--norc", "-c"], f"source {documents}/bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _tesela; "
                                         'for word in "${COMPREPLY[@]}"; do echo "$word"; done')


def test_bash_offers_verbs_and_options(documents):
    assert sorted(bash(documents, "")) == sorted([*verbs(), "-h", "--help", "--version"])
    assert bash(documents, "re") == ["resize"]
    for verb in verbs():
        offered = bash(documents, verb, "-")
        assert set(options(verb)) <= set(offered) and len(offered) == len(set(offered)), verb
    assert bash(documents, "resize", "a.png", "b.png", "--near") == ["--nearest-mode"]
    # The value of an option is no option, nor are files: bash completes those.
    assert bash(documents, "resize", "--sizes", "--") == bash(documents, "run", "mod") == []


def test_fish_offers_verbs_options_and_choices(documents):
    def fish(line: str) -> list[str]:
        return [word.split("\t")[0] for word in ask(["fish", "--no-config", "-c"], f"source {documents}/fish; complete -C '{line}'")]

    assert set(verbs()) <= set(fish("tesela "))
    for verb in verbs():
        assert set(options(verb)) <= {*fish(f"tesela {verb} --")}, verb
    assert fish("tesela resize --antialias ") == ["0", "1"]


def test_zsh_reads_its_completion_and_has_every_option(documents):
    assert ask(["zsh", "-f", "-n", "-c"], f"source {documents}/zsh") == []
    subprocess.run(["zsh", "-f", "-n", documents / "zsh"], check=True)
    text = (documents / "zsh").read_text()
    blocks = dict(re.findall(r"^    ([a-z]+)\)\n(.*?);;$", text, re.MULTILINE | re.DOTALL))
    assert sorted(blocks) == sorted(verbs())
    for verb in verbs():
        for option in options(verb):
            assert re.search(rf"'\*?{option}\[", blocks[verb]), (verb, option)


def test_manual_is_well_formed_and_has_every_option(documents):
    page = documents / "man"
    checked = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
    # The page has no date: builds of the same sources have the same bytes.
    findings = [line for line in checked.stdout.splitlines() if "missing date" not in line]
    assert not findings, findings
    shown = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-P", "cat", "-l", page], capture_output=True, text=True,
                           env={"MANWIDTH": "200", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    assert shown.returncode == 0 and not shown.stderr, shown.stderr
    text = re.sub(".\b", "", shown.stdout)
    sections = re.split(r"^   ([a-z]+)$", text, flags=re.MULTILINE)
    by_verb = dict(zip(sections[1::2], sections[2::2]))
    assert sorted(by_verb) == sorted(verbs())
    for verb in verbs():
        for option in options(verb):
            assert re.search(rf"^ +(-\w, )?{option}\b", by_verb[verb], re.MULTILINE), (verb, option)
    # Examples are shown as they are.
    example = next(line for line in succeed("resize", "--help").splitlines() if line.strip().startswith("tesela resize "))
    assert example.strip() in text
    assert "130  interrupted" in text


def test_unknown_form():
    assert "expected man, bash, zsh or fish" in fail(USAGE, "document", "html")
