# SPDX-License-Identifier: Apache-2.0
"""A locale with a decimal comma, which every system can build."""

from __future__ import annotations

import subprocess
from pathlib import Path

COMMA = """LC_NUMERIC
decimal_point "<U002C>"
thousands_sep "<U002E>"
grouping 3;3
END LC_NUMERIC
"""


def build_comma_locale(folder: Path) -> tuple[str, dict[str, str]]:
    """Builds the locale in a folder. Returns its name, and the environment in which it is found."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "comma").write_text(COMMA)
    lines = [f"<U{code:04X}> /x{code:02x}" for code in range(128)]
    charmap = ["<code_set_name> ANSI_X3.4-1968", "<mb_cur_min> 1", "<mb_cur_max> 1"]
    charmap += ["<escape_char> /", "CHARMAP", *lines, "END CHARMAP", ""]
    (folder / "ascii").write_text("\n".join(charmap))
    # It warns about undefined categories and exits with 1.
    subprocess.run(
        ["localedef", "--force", "-i", folder / "comma", "-f", folder / "ascii", folder / "xx_XX"],
        capture_output=True,
        timeout=60,
    )
    return "xx_XX", {"LOCPATH": str(folder)}
