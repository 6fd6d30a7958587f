# SPDX-License-Identifier: Apache-2.0
"""The reference of the Python package, from its signatures and docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

FENCE = "```"
# The modules beside tesela, each with the package that it needs, if that is not NumPy alone.
MODULES = {"presets": "", "onnxruntime": "onnxruntime", "openvino": "openvino", "backend": "onnx", "reference_ops": "onnx"}


def is_function(item: Any) -> bool:
    return inspect.isroutine(item) or is_bound(item)


def is_bound(item: Any) -> bool:
    """A function of the extension, whose docstring begins with its signature."""
    return type(item).__name__ == "nb_func"


def documentation(item: Any) -> str:
    """A docstring as Markdown: indented examples and doctests become code."""
    text = (item.__doc__ or "").partition("\n")[2] if is_bound(item) else item.__doc__ or ""
    blocks = re.split(r"\n\s*\n", with_parameters_on_lines(inspect.cleandoc(text), item))
    return "\n\n".join(block_of(block) for block in blocks if block.strip())


def with_parameters_on_lines(text: str, item: Any) -> str:
    """The docstring, with each "name: " of a parameter behind a sentence at the beginning of a line."""
    try:
        names = "|".join(inspect.signature(item).parameters)
    except (TypeError, ValueError):
        return text
    return re.sub(rf"(?<=[.;])\s(?=(?:{names}): \S)", "\n", text) if names else text


def block_of(block: str) -> str:
    lines = re.sub(r"(?<=[.;]) Errors: ", "\nErrors: ", block).splitlines()
    if lines[0].startswith((">>>", "    ")):
        return f"{FENCE}python\n{inspect.cleandoc(block)}\n{FENCE}"
    # A line that begins with a parameter and a colon begins an item.
    named = re.compile(r"^(\w+(?:, \w+| or \w+)*): (?=\S)")
    parts: list[str] = []
    for line in lines:
        if match := named.match(line):
            label = f"**{match[1]}:**" if match[1] in ("Errors", "Source") else f"`{match[1]}`:"
            parts.append(f"- {label} {line[match.end():]}")
        elif parts:
            parts[-1] += " " + line.strip()
        else:
            parts.append(line)
    text = "\n".join(parts)
    return text if text.startswith("- ") else re.sub(r"\n(?=- )", "\n\n", text, count=1)


def signature(name: str, item: Any) -> str:
    if is_bound(item):
        return name.rpartition(".")[0] + "." + item.__doc__.partition("\n")[0]
    try:
        found = inspect.signature(item)
    except (TypeError, ValueError):
        return ""
    kept = [each.replace(annotation=each.empty) for each in found.parameters.values() if each.name not in ("self", "cls", "unknown")]
    name = re.sub(r"(\w+)\.__call__", lambda called: called[1].lower(), name)
    call = f"{name}({', '.join(parameters(kept))})"
    if len(call) <= 88:
        return call
    return f"{name}(\n" + "".join(f"    {each},\n" for each in parameters(kept)) + ")"


def parameters(kept: list[inspect.Parameter]) -> list[str]:
    shown, star = [], False
    for each in kept:
        if each.kind is each.KEYWORD_ONLY and not star:
            shown.append("*")
        star = star or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        shown.append(re.sub(r"<function .*?>|<[^>]* object at [^>]*>", "...", str(each)))
    return shown


def entry(level: int, name: str, item: Any) -> str:
    """The code of a call, and what it does."""
    called = signature(name, item)
    return "\n\n".join(filter(None, [f"{'#' * level} `{name}`", called and f"{FENCE}python\n{called}\n{FENCE}", documentation(item)]))


def class_of(level: int, name: str, item: type) -> str:
    plain = issubclass(item, tuple) or getattr(item, "__init__", None) is object.__init__
    out = [f"{'#' * level} `{name}`" if plain else entry(level, name, item)]
    if plain:
        out.append(documentation(item) if not (item.__doc__ or "").startswith(item.__name__ + "(") else "")
    if issubclass(item, tuple):
        out.append("Fields: " + ", ".join(f"`{field}`" for field in getattr(item, "_fields", ())) + ".")
    for member, value in vars(item).items():
        if member.startswith("_") and member != "__call__" or member in getattr(item, "_fields", ()):
            continue
        if isinstance(value, property) and value.__doc__:
            out.append(f"{'#' * (level + 1)} `{name.rpartition('.')[2]}.{member}`\n\n{documentation(value)}")
        elif inspect.isroutine(value) or isinstance(value, (classmethod, staticmethod)):
            function = getattr(value, "__func__", value)
            if function.__doc__:
                out.append(entry(level + 1, f"{name.rpartition('.')[2]}.{member}", function))
    return "\n\n".join(filter(None, out))


def errors(package: Any) -> str:
    """The exceptions, in one table."""
    found = [item for name in package.__all__ if inspect.isclass(item := getattr(package, name)) and issubclass(item, Exception)]
    rows = []
    for item in found:
        also = [base.__name__ for base in item.__mro__[1:] if base.__module__ == "builtins" and base not in (Exception, BaseException, object)]
        rows.append(f"| `tesela.{item.__name__}` | {', '.join(f'`{name}`' for name in also)} |")
    return "\n".join(["| class | also |", "|---|---|", *rows])


def described(module: Any, prefix: str, names: list[str]) -> list[str]:
    out = []
    for name in names:
        item = getattr(module, name)
        if inspect.isclass(item) and not issubclass(item, Exception):
            out.append(class_of(3, f"{prefix}.{name}", item))
        elif is_function(item):
            out.append(entry(3, f"{prefix}.{name}", item))
    return out


def public(module: Any) -> list[str]:
    own = [name for name, item in vars(module).items()
           if not name.startswith("_") and getattr(item, "__module__", "") == module.__name__ and inspect.getdoc(item)]
    return list(getattr(module, "__all__", own))


def python_reference() -> str:
    import tesela

    names = [name for name in tesela.__all__ if not name.startswith("__")]
    functions = [name for name in names if is_function(getattr(tesela, name))]
    classes = [name for name in names if inspect.isclass(getattr(tesela, name))]
    out = ["# Python reference", "This page is made from the docstrings of the package. [The manual](../python.md) shows how the parts "
           "work together.", "## Functions", *described(tesela, "tesela", functions), "## Classes", *described(tesela, "tesela", classes),
           "`tesela.plan_cache` is the `PlanCache` that the functions use.",
           "## Errors", "Every error is a `tesela.Error` and an exception of Python's.", errors(tesela)]
    for name, needed in MODULES.items():
        module = importlib.import_module(f"tesela.{name}")
        out += [f"## `tesela.{name}`", documentation(module), f"It needs the package `{needed}`." if needed else "",
                *described(module, f"tesela.{name}", public(module))]
    return "\n\n".join(filter(None, out)) + "\n"
