# SPDX-License-Identifier: Apache-2.0
"""Help, versions, and invalid command lines."""

import pytest
from cli_program import DONE, REPOSITORY, USAGE, fail, save_npy, succeed, tesela, tile_model

VERBS = ["run", "inspect", "check", "lint", "fix", "test", "resize", "tile", "fill", "ops", "bench", "explain"]


@pytest.fixture
def x(tmp_path):
    return save_npy(tmp_path / "x.npy", [[1.0, 2.0], [3.0, 4.0]])


def test_version_matches_the_repository():
    assert succeed("--version") == f"tesela {(REPOSITORY / 'VERSION').read_text().strip()}\n"


def test_help_names_verbs_and_exit_statuses():
    text = succeed("--help")
    for verb in VERBS:
        assert f"\n  {verb} " in text
    for status in ["0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "6 ", "70", "130"]:
        assert f"\n  {status} " in text


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_each_verb(verb):
    text = succeed(verb, "--help")
    assert f"tesela {verb}" in text
    if verb != "ops":
        assert "Examples:" in text


def test_help_of_resize_lists_every_attribute_with_its_values():
    text = succeed("resize", "--help")
    for option in ["--scales", "--sizes", "--roi", "--axes", "--mode", "--coordinate-transformation-mode",
                   "--nearest-mode", "--antialias", "--exclude-outside", "--cubic-coeff-a", "--extrapolation-value",
                   "--keep-aspect-ratio-policy", "--opset"]:
        assert option in text
    words = " ".join(text.split())
    assert "stretch, not_larger, not_smaller (default stretch)" in words
    for mode in ["half_pixel_symmetric", "tf_half_pixel_for_nn"]:
        assert mode in words


@pytest.mark.parametrize("words", [
    [],
    ["unknown"],
    ["run"],
    ["inspect"],
    ["test"],
    ["ops", "extra"],
    ["ops", "--json", "--markdown"],
    ["fill", "out.npy"],
    ["fill", "--shape", "2"],
    ["resize", "x.npy"],
    ["tile", "x.npy", "y.npy"],
    ["run", "model.onnx", "--unknown"],
    ["inspect", "a.onnx", "b.onnx"],
    ["fill", "out.npy", "--shape"],
    ["fill", "out.npy", "--shape", "2", "--shape", "3"],
])
def test_wrong_words(words):
    fail(USAGE, *words)


@pytest.mark.parametrize("words, message", [
    (["optimize", "model.onnx"], "unknown verb 'optimize'; the verbs are run, inspect, check, lint, "),
    (["chek", "model.onnx"], "unknown verb 'chek' (did you mean 'check'?); the verbs are "),
    (["Resize"], "unknown verb 'Resize' (did you mean 'resize'?)"),
    (["insp"], "unknown verb 'insp' (did you mean 'inspect'?)"),
    (["--quiet", "run"], "unknown option '--quiet'; see tesela --help"),
    (["--versoin"], "unknown option '--versoin' (did you mean '--version'?); see tesela --help"),
    (["run", "m.onnx", "--input=x.npy", "--ouput", "y.npy"],
     "unknown option '--ouput' of run (did you mean '--output'?); see tesela run --help"),
    (["tile", "x.npy", "y.npy", "--repeat", "1,2"], "unknown option '--repeat' of tile (did you mean '--repeats'?)"),
    (["tile", "--repeat=1,2", "x.npy", "y.npy"], "unknown option '--repeat' of tile (did you mean '--repeats'?)"),
    (["resize", "x.npy", "y.npy", "--sizes", "4,4", "--coordinate", "asymmetric"],
     "unknown option '--coordinate' of resize (did you mean '--coordinate-transformation-mode'?)"),
    (["check", "m.onnx", "--frobnicate"], "unknown option '--frobnicate' of check; see tesela check --help"),
    (["check", "m.onnx", "-z"], "unknown option '-z' of check"),
    (["inspect", "a.onnx", "b.onnx"], "inspect: unexpected argument 'b.onnx'; see tesela inspect --help"),
])
def test_unknown_words_are_named_with_a_suggestion(words, message):
    assert message in fail(USAGE, *words)


@pytest.mark.parametrize("threads", ["-1", "1e9", "1000000000", "1025", "abc", "", " 1", "1 ", "0x2", "1.5", "9" * 40])
def test_threads_that_are_wrong(x, tmp_path, threads):
    for verb in (["tile", x, tmp_path / "y.npy", "--repeats", "1,1"], ["run", "model.onnx"]):
        assert "--threads" in fail(USAGE, *verb, "--threads", threads)


@pytest.mark.parametrize("threads", ["0", "1", "7", "1024"])
def test_threads_that_are_right(x, tmp_path, threads):
    assert tesela("tile", x, tmp_path / "y.npy", "--repeats", "1,1", "--threads", threads).returncode == DONE


@pytest.mark.parametrize("option, values", [
    ("--scales", ["1,nan", "1,,2", ",1", "1,", ",", "1,inf", "1,0", "1,-2", "1;2", "1, 2", "1e40,1", "a,b"]),
    ("--sizes", ["1,-2", "1.0,2", "1,,2", "9223372036854775808,1", "x"]),
    ("--axes", ["0,a", "1,,2", "99999999999999999999"]),
    ("--roi", ["0,0,x,1", "0,,1"]),
    ("--antialias", ["2", "yes", "-1", ""]),
    ("--exclude-outside", ["TRUE", "01"]),
    ("--cubic-coeff-a", ["1,5", "--1", "0x", "1e"]),
    ("--extrapolation-value", ["zero", "+-1"]),
    ("--opset", ["0", "-1", "x", "1.0"]),
    ("--max-output", ["0", "-1", "1K", "18446744073709551616"]),
    ("--dtype", ["float99", "", "FLOAT "]),
    ("--format", ["bmp", "PNG ", "."]),
])
def test_values_of_options_that_are_wrong(x, tmp_path, option, values):
    size = [] if option in ("--scales", "--sizes") else ["--sizes", "4,4"]
    for value in values:
        message = fail(USAGE, "resize", x, tmp_path / "y.npy", *size, option, value)
        assert option in message
        assert not (tmp_path / "y.npy").exists()


def test_sizes_and_scales_exclude_each_other(x, tmp_path):
    fail(USAGE, "resize", x, tmp_path / "y.npy")
    fail(USAGE, "resize", x, tmp_path / "y.npy", "--sizes", "4,4", "--scales", "2,2")


@pytest.mark.parametrize("word", [b"x" * 100_000, b"\xff\xfe\xfd", b"\x1b[31m\r\n", "ü" * 200])
def test_hostile_words_give_a_one_line_error(x, tmp_path, word):
    fail(USAGE, word)
    fail(USAGE, "run", tmp_path / "model.onnx", word, word)
    fail(USAGE, "resize", x, tmp_path / "y.npy", "--scales", word)
    done = tesela("inspect", word)
    assert done.returncode in (3, 6) and done.stderr.count(b"\n") == 1 and len(done.stderr) < 330


def test_paths_need_not_be_utf8(tmp_path):
    source = bytes(tmp_path) + b"/\xff\xfe.npy"
    target = bytes(tmp_path) + b"/\xfd.npy"
    assert tesela("fill", source, "--shape", "2").returncode == DONE
    assert tesela("tile", source, target, "--repeats", "2").returncode == DONE
    model = tile_model(tmp_path / "model.onnx", [2], shape=["n"])
    assert b'"outputs"' in tesela("run", model, "-i", b"x=" + source, "--json").stdout


def test_options_take_underscores_and_equals_signs(x, tmp_path):
    y, z = tmp_path / "y.npy", tmp_path / "z.npy"
    succeed("resize", x, y, "--sizes", "3,3", "--mode", "linear", "--coordinate-transformation-mode", "align_corners")
    succeed("resize", x, z, "--sizes=3,3", "--mode=linear", "--coordinate_transformation_mode=align_corners")
    assert y.read_bytes() == z.read_bytes()


def test_quiet_prints_nothing(x, tmp_path):
    loud = tesela("tile", x, tmp_path / "y.npy", "--repeats", "1,2")
    assert loud.stderr.startswith(b"Tile-13: 2x2 -> 2x4 double, ")
    quiet = tesela("tile", x, tmp_path / "y.npy", "--repeats", "1,2", "-q")
    assert quiet.returncode == DONE and not quiet.stderr and not quiet.stdout


def test_numbers_do_not_depend_on_the_locale(x, tmp_path):
    for name in ("C", "de_DE.UTF-8"):
        succeed("resize", x, tmp_path / f"{name}.npy", "--scales", "1.5,1.5", env={"LC_ALL": name})
    assert (tmp_path / "C.npy").read_bytes() == (tmp_path / "de_DE.UTF-8.npy").read_bytes()
