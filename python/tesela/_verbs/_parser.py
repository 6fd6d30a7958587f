# SPDX-License-Identifier: Apache-2.0
"""Command lines of verbs: options in kebab-case, errors in one line, help with examples."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from .. import _core


class Parser(argparse.ArgumentParser):
    """text: the docstring of the verb's module: what it does in a line, then the text after its options in help."""

    def __init__(self, verb: str, text: str):
        first, _, rest = text.strip().partition("\n")
        super().__init__(prog=f"tesela {verb}", description=first, epilog=rest.strip(), allow_abbrev=False, add_help=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)
        self.verb = verb
        self.add_argument("-h", "--help", action="help", help="Print this help")

    def read(self, words: list[str]) -> argparse.Namespace:
        """The arguments. Errors: UsageError."""
        end = words.index("--") if "--" in words else len(words)
        arguments, rest = self.parse_known_args([*map(_canonical, words[:end]), *words[end:]])
        unknown = [word for word in rest if word.startswith("-") and word not in ("-", "--")]
        if unknown:
            name = unknown[0].partition("=")[0]
            known = [option for action in self._actions for option in action.option_strings]
            near = _core.nearest_name(name, known)
            self.error(f"unknown option '{name}' of {self.verb}" + (f" (did you mean '{near}'?)" if near else ""))
        if rest:
            self.error(f"{self.verb}: unexpected argument '{rest[0]}'")
        return arguments

    def add_output(self) -> None:
        """--json and --quiet."""
        self.add_argument("--json", action="store_true", help="Print JSON")
        self.add_argument("-q", "--quiet", action="store_true", help="Print no progress to the standard error")

    def error(self, message: str) -> NoReturn:
        raise _core.UsageError(f"{message}; see tesela {self.verb} --help")

    def _print_message(self, message: str, file=None) -> None:
        from . import write

        if message and file in (None, sys.stdout):
            write(message)


def _canonical(word: str) -> str:
    """Underscores in the name of an option become hyphens."""
    if not word.startswith("--"):
        return word
    name, equals, value = word.partition("=")
    return name.replace("_", "-") + equals + value
