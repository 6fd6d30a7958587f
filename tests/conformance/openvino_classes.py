"""The ways in which OpenVINO 2026.4.1's CPU plugin differs from the documents of Tile-1 and Interpolate, which
test_openvino.py sorts every difference into and docs/differences.md prints."""

CLASSES = {
    "Three repeats and more":
        "Tile with three or more repeats above 1 on an output of rank 4 or more returns memory that nobody wrote, or ends "
        "the process: often where the repeats are known only when it runs, rarely where they are constant. OpenVINO's "
        "defect.",
    "Refused types":
        "Tile of f8e8m0 on four axes and more is refused where OpenVINO wants another layout.",
    "Wide types become narrow":
        "Tile of i64, u64, u32 and f64 goes through 32 bits: i64 2^40 + 7 becomes 7, or the largest i32 where it is a "
        "constant. OpenVINO's defect.",
    "Types of 2 and 4 bits":
        "Tile of u2 and f4e2m1 returns other bits or ends the process. OpenVINO's defect.",
    "Scalars and empty repeats":
        "Tile of a scalar, or by no repeats at all, returns memory that nobody wrote, or ends the process. OpenVINO's "
        "defect.",
    "NaN loses its bits":
        "Tile of a float type that goes through another one quiets its NaNs. Tesela moves bits.",
    "Axes of version 1 are sorted":
        "Interpolate-1 sorts its `axes` and gives the sizes to them in that order; its document maps them one to one. "
        "OpenVINO's defect, which its own nodes carry: only the extension in C++, which reads IRs itself, mends it.",
    "Cubic on three axes":
        "Interpolate in mode cubic on 3-D data reads memory that is not its own. OpenVINO's defect.",
    "Antialias of mode linear is dropped":
        "The CPU plugin ignores `antialias` in mode linear, or narrows axes that grow; OpenVINO's own reference, which "
        "its constant folding runs, has what the document says, and Tesela's answer. OpenVINO's defect. Where one axis "
        "grows and another shrinks Tesela refuses: the document's triangle, narrowed, misses every input there.",
    "The coefficient of bicubic_pillow":
        "Mode bicubic_pillow computes with -0.5 whatever `cube_coeff` says (only constant folding looks at it), and OpenVINO's "
        "frontend for PyTorch writes the default of -0.75 where it means -0.5. So inside OpenVINO Tesela's nodes compute with "
        "-0.5, too; the library and the command line read `cube_coeff`, as the document has it.",
    "Integers are rounded otherwise":
        "Integers are cut instead of rounded half to even, and the pillow modes round and saturate between their two passes, too.",
    "Positions in float":
        "Mode nearest works out its positions in 32-bit floats, so that one next to a tie or a whole number may fall to "
        "its other side. Tesela's are exact, or doubles where scales are given.",
}


def section() -> str:
    lines = ["## OpenVINO's own operators\n",
             "Tile-1 and Interpolate-1, -4 and -11, from IRs and as models of the runtime: "
             "`tests/conformance/test_openvino.py` compares random cases live, and each difference is one of these. "
             "[openvino.md](openvino.md) says what ends them.\n"]
    for title, text in CLASSES.items():
        lines += [f"### {title}", f"{text}\n"]
    return "\n".join(lines)
