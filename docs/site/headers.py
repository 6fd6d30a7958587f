# SPDX-License-Identifier: Apache-2.0
"""The reference of C and C++, from the comments of the headers."""

from __future__ import annotations

import re

FENCE = "```"


def prose(comment: str) -> str:
    """The text of a comment; what it says of errors is a paragraph of its own."""
    body = re.sub(r"^/\*+|\*/\s*$", "", comment.strip())
    lines = [re.sub(r"^\s*(\*|///?)( |$)", "", line).strip() for line in body.splitlines()]
    text = " ".join(line for line in lines if line)
    text = re.sub(r"\s*Errors: ", "\n\n**Errors:** ", text)
    return coded(text).strip()


def coded(text: str) -> str:
    """Names of the interface as code, where they are not code already."""
    parts = re.split(r"(`[^`]*`)", text)
    names = r"(?<![\w/.])(tesela_\w+|TESELA_[A-Z]\w*|docs/schemas/\w+\.json)(?!\w)"
    return "".join(part if index % 2 else re.sub(names, r"`\1`", part) for index, part in enumerate(parts))


def without_licence(header: str) -> str:
    """The header from the line below the one that states its licence."""
    return re.sub(r"\A[^\n]*SPDX-License-Identifier[^\n]*\n", "", header)


def bullets(text: str) -> str:
    points = [re.sub(r"\s+", " ", point).strip() for point in re.split(r"^ *- ", text, flags=re.MULTILINE)]
    return "\n".join(f"- {coded(point)}" for point in points if point)


def entry(names: list[str], comment: str, code: str, language: str) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")
    return f"### {shown}\n\n{FENCE}{language}\n{code}\n{FENCE}\n\n{prose(comment)}\n"


# --- C -------------------------------------------------------------------------------------------


def c_names(code: str) -> list[str]:
    flat = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    functions = re.findall(r"\b(tesela_\w+)\(", re.sub(r"\{.*?\}", "", flat, flags=re.DOTALL))
    types = re.findall(r"typedef (?:struct|enum) (tesela_\w+)|typedef \w+ (tesela_\w+);", flat)
    defines = re.findall(r"#define (TESELA_VERSION)\s", flat)
    return [*dict.fromkeys([*("".join(each) for each in types), *functions, *defines])]


def status_table(header: str) -> str:
    rows = re.findall(r'X\((\w+), (\w+), (\d+), (\d+), "(\w+)"\)\s*/\* (.*?) \*/', header)
    lines = [f"| `{name}` | `TESELA_{constant}` | {code} | {exit_code} | `tesela.{python}` | {text} |"
             for name, constant, code, exit_code, python, text in rows]
    return "\n".join(["| name | constant | number | exit status | Python | meaning |", "|---|---|---|---|---|---|", *lines])


def c_sections(header: str) -> list[tuple[str, str]]:
    parts = re.split(r"^/\* ---- (.*?) -+ \*/$", header, flags=re.MULTILINE)
    return [*zip(parts[1::2], parts[2::2])]


def c_entries(section: str) -> list[tuple[str, str]]:
    """Comments with the declarations below them, up to the next comment that begins a line or an empty line."""
    section = re.sub(r'^#ifdef __cplusplus.*?^#endif.*?$|^#endif.*$', "", section, flags=re.MULTILINE | re.DOTALL)
    section = re.sub(r"^#define TESELA_STATUS_TABLE.*?\n\n", "\n", section, flags=re.MULTILINE | re.DOTALL)
    found = []
    for block in re.split(r"\n\s*\n", section.strip()):
        pieces = re.split(r"^(/\*.*?\*/)\s*?$", block, flags=re.MULTILINE | re.DOTALL)
        if pieces[0].strip():
            found.append(("", pieces[0].strip("\n")))
        found += [(comment, code.strip("\n")) for comment, code in zip(pieces[1::2], pieces[2::2]) if code.strip()]
    return found


def c_reference(header: str) -> str:
    manual = re.match(r"/\* (.*?)\*/", without_licence(header), re.DOTALL)
    intro, _, conventions = re.sub(r"^ \* ?", "", manual[1], flags=re.MULTILINE).partition("Conventions")
    out = ["# C reference", intro.strip().replace("This header is the manual.", "").strip(),
           "This page is made from the comments of `tesela/tesela.h`. [Use it in a C program](../howto/embed-c.md) shows how to begin.",
           "## Conventions", bullets(conventions)]
    for title, section in c_sections(header):
        out.append(f"## {title}")
        for comment, code in c_entries(section):
            plain = re.sub(r"\bTESELA_API |\bTESELA_OF_INT ", "", code)
            if "TESELA_STATUS_CONSTANT" in plain:
                plain = re.sub(r"#define TESELA_STATUS_CONSTANT.*?#undef \w+\n", "  /* one for each row of the table below */\n", plain,
                               flags=re.DOTALL)
                out += [entry(["tesela_status"], comment, plain, "c"), status_table(header)]
            elif names := c_names(plain) or re.findall(r"^enum", plain, re.MULTILINE):
                out.append(entry(names, comment, plain, "c"))
    return "\n\n".join(out) + "\n"


# --- C++ -----------------------------------------------------------------------------------------


def end_of(text: str, start: int, opening: str = "{", closing: str = "}") -> int:
    """Behind the bracket that closes the one at start."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == opening) - (text[index] == closing)
        if depth == 0:
            return index + 1
    raise ValueError(f"no {closing} for {text[start:start + 60]!r}")


def declarations(text: str) -> list[tuple[str, str]]:
    """Comments and declarations of a scope, in their order; bodies of functions are left out."""
    found, index = [], 0
    comment: list[str] = []
    while match := re.compile(r"\s*(//[^\n]*|#[^\n]*|[^\s])").match(text, index):
        start = match.start(1)
        if text.startswith(("//", "#"), start):
            comment = [*comment, match[1]] if text.startswith("///", start) else []
            index = match.end(1)
            continue
        index, shown = statement(text, start)
        trailing = re.compile(r"[ ]+(//[^\n]*)").match(text, index)
        if trailing:
            shown, index = f"{shown}  {trailing[1]}", trailing.end()
        found.append(("\n".join(comment), shown))
        comment = []
    return found


def statement(text: str, start: int) -> tuple[int, str]:
    """The end of the statement that begins here, and how it is shown."""
    index, kept = start, start
    scope = re.compile(r"(?:template <[^\n]*>\s*)?(?:class|struct|enum|namespace|inline namespace)\b[^;({=]*\{").match(text, start)
    while True:
        character = text[index]
        if character == "(":
            index = end_of(text, index, "(", ")")
        elif character == "{":
            end = end_of(text, index)
            assigned = text[:index].rstrip()[-1:] == "=" or re.match(r"\s*;", text[end:]) is not None
            if scope or assigned:
                index = end
                if scope and text[end:end + 1] != ";":
                    return end, text[start:end]
                continue
            return end, signature(text[start:index])
        elif character == ";":
            return index + 1, text[start:index + 1]
        elif character == ":" and text[index - 1] != ":" and text[index + 1] != ":" and not scope \
                and re.match(r"(public|private|protected)$", text[start:index].strip()):
            return index + 1, text[start:index + 1]
        else:
            index += 1
        kept = max(kept, index)


def signature(text: str) -> str:
    """A function without the initializers of its members."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character in "(<") - (character in ")>")
        if character == ":" and depth == 0 and text[index - 1] == " " and ")" in text[:index]:
            return text[:index].rstrip() + ";"
    return text.rstrip() + ";"


def interface(text: str) -> str:
    """A class with what its users see."""
    opening = text.index("{")
    head, body = text[:opening].strip(), text[opening + 1:end_of(text, opening) - 1]
    visible, lines = not re.search(r"\bclass\b", head), []
    for comment, shown in declarations(body):
        if re.fullmatch(r"(public|private|protected):", shown):
            visible = shown == "public:"
        elif visible:
            inner = re.match(r"(?:struct|class)\b[^;(]*\{", shown)
            lines += comment.splitlines() + (interface(shown) if inner else shown).splitlines()
    return head + " {\n" + "\n".join("  " + line.strip() if not line.startswith("  ") else line for line in lines) + "\n};"


def cpp_name(shown: str) -> str:
    flat = re.sub(r"^template <.*?>\s*(?=\w)", "", shown.replace("\n", " "))
    if named := re.match(r"(?:class|struct|concept|using)\s+(?:__attribute__\(\(.*?\)\)\s*)?(\w+)", flat):
        return named[1]
    if named := re.search(r"(\w+)(?:<[^>]*>)? ?(?:\(|= )", re.sub(r"__attribute__\(\(.*?\)\)", "", flat)):
        return named[1]
    return ""


def cpp_entries(section: str) -> list[str]:
    section = re.sub(r"^namespace detail \{.*?^\}  // namespace detail$", "", section, flags=re.MULTILINE | re.DOTALL)
    section = re.sub(r"^(inline )?namespace [\w:]+ \{$|^\}  // namespace.*$", "", section, flags=re.MULTILINE)
    found: list[tuple[list[str], str, str]] = []
    for comment, shown in declarations(section):
        names = [name] if (name := cpp_name(shown)) else []
        scope = re.match(r"(?:template <.*?>\s*)?(?:class|struct)\b[^;(]*(?:\(\(.*?\)\))?[^;(]*\{", shown)
        if not comment and found and is_function(shown) and is_function(found[-1][2]):
            before = found.pop()  # without a comment of its own it belongs to the one before
            found.append(([*dict.fromkeys(before[0] + names)], before[1], f"{before[2]}\n{shown}"))
        else:
            found.append((names, comment, interface(shown) if scope else shown))
    return [entry(*each, "cpp") for each in found]


def is_function(code: str) -> bool:
    return code.endswith(");") and not re.match(r"(?:template <.*?>\s*)?(?:class|struct|concept)", code)


def cpp_reference(header: str, images: str, openvino: str) -> str:
    manual = re.sub(r"^// ?", "", without_licence(header).partition("#pragma once")[0], flags=re.MULTILINE)
    intro, _, conventions = manual.partition("Conventions")
    text, _, example = intro.partition("\n\n")
    out = ["# C++ reference", re.sub(r"\s+", " ", text),
           "This page is made from `tesela/tesela.hpp` and `tesela/images.hpp`, which it includes. [Use it in C++ with "
           "CMake](../howto/embed-cpp.md) shows how to begin; the [C reference](c.md) has the errors of each function.",
           f"{FENCE}cpp\n" + re.sub(r"^ {2}", "", example.strip(), flags=re.MULTILINE) + f"\n{FENCE}",
           "## Conventions", bullets(conventions)]
    parts = re.split(r"^// ---- (.*?) -+$", header + images.partition("#pragma once")[2], flags=re.MULTILINE)
    for title, section in zip(parts[1::2], parts[2::2]):
        out += [f"## {title}", *cpp_entries(section)]
    inside = re.sub(r"^// ?", "", without_licence(openvino).partition("#pragma once")[0], flags=re.MULTILINE)
    words, _, example = inside.partition("\n\n")
    out += ["## Inside OpenVINO: `tesela/openvino.hpp`", re.sub(r"\s+", " ", words),
            f"{FENCE}cpp\n" + re.sub(r"^ {2}", "", example.strip(), flags=re.MULTILINE) + f"\n{FENCE}",
            *cpp_entries(openvino.partition("#include <openvino")[2].partition("\n")[2])]
    return "\n\n".join(out) + "\n"
