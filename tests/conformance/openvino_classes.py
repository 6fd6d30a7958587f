# SPDX-License-Identifier: Apache-2.0
"""How OpenVINO 2026.4.1's CPU plugin differs from the specifications of Tile-1 and Interpolate. test_openvino.py assigns every
difference to one of these classes, and docs/differences.md lists them."""

CLASSES = {
    "Three or more repeats":
        "Tile with three or more repeats above 1 and an output of rank 4 or more returns uninitialised memory or crashes: often "
        "if the repeats are known only at run time, rarely if they are constant. This is a bug in OpenVINO.",
    "Unsupported types":
        "Tile of f8e8m0 with four or more axes fails where OpenVINO needs another layout.",
    "Wide types are narrowed":
        "Tile converts i64, u64, u32 and f64 to 32 bits: i64 2^40 + 7 becomes 7, or the largest i32 if it is a constant. "
        "This is a bug in OpenVINO.",
    "Types of 2 and 4 bits":
        "Tile of u2 and f4e2m1 returns wrong bits or crashes. This is a bug in OpenVINO.",
    "Scalars and empty repeats":
        "Tile of a scalar, or with empty repeats, returns uninitialised memory or crashes. This is a bug in OpenVINO.",
    "NaNs are quieted":
        "Tile quiets NaNs of float types that it converts to another type. Tesela copies bits.",
    "Axes of version 1 are sorted":
        "Interpolate-1 sorts its `axes` but not the sizes; the specification maps them one to one. This is a bug in OpenVINO, "
        "in its nodes themselves. Only the C++ extension, which reads IRs itself, avoids it.",
    "Cubic on three axes":
        "Interpolate in mode cubic on 3-D data reads out of bounds. This is a bug in OpenVINO.",
    "antialias is ignored in mode linear":
        "The CPU plugin ignores `antialias` in mode linear, or narrows the filter on axes that grow. This is a bug in OpenVINO: "
        "its own reference, which constant folding uses, follows the specification and gives Tesela's results. Tesela does not "
        "support the case where one axis grows and another shrinks, because the specified triangle is narrowed until it misses "
        "every input.",
    "The coefficient of bicubic_pillow":
        "Mode bicubic_pillow uses -0.5 whatever the value of `cube_coeff` (only constant folding reads it), and OpenVINO's PyTorch "
        "frontend writes the default of -0.75 where it means -0.5. Inside OpenVINO, Tesela's nodes therefore use -0.5 too; the "
        "library and the command line read `cube_coeff`, as specified.",
    "Integers are rounded differently":
        "Integers are truncated instead of rounded half to even, and the pillow modes also round and saturate between their two "
        "passes.",
    "Positions in float32":
        "Mode nearest computes positions in float32, so one next to a tie or an integer may be rounded to the other side. "
        "Tesela's positions are exact with sizes, and doubles with scales.",
}


def section() -> str:
    lines = ["## OpenVINO's own operators\n",
             "`tests/conformance/test_openvino.py` compares random cases of Tile-1 and Interpolate-1, -4 and -11, in IRs and in "
             "models made at run time. Each difference belongs to one of these classes. [openvino.md](openvino.md) describes how "
             "Tesela avoids them.\n"]
    for title, text in CLASSES.items():
        lines += [f"### {title}", f"{text}\n"]
    return "\n".join(lines)
