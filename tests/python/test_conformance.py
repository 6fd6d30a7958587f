# SPDX-License-Identifier: Apache-2.0
"""The conformance suite: cases, backends, reports, tests that are written, and interruptions. The defects that it finds are in
tests/conformance/test_planted_defects.py."""

import html.parser
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import jsonschema
import numpy as np
import onnx
import onnx.backend.test.loader
import pytest
import tesela
from cli_program import BAD, DONE, INTERRUPTED, MISMATCH, REPOSITORY, UNSUPPORTED, USAGE, PackageVerb, succeed
from onnx import numpy_helper
from tesela._compare import cases, runtimes
from tesela._conformance import FEATURES, judge, run, torch_nodes
from tesela._conformance.fairness import is_fair

command = PackageVerb("conformance")
fail = command.fail
SCHEMA = json.loads((REPOSITORY / "docs" / "schemas" / "conformance.json").read_text())
BY_NAME = {feature.name: feature for feature in FEATURES}
PROGRAM = '''
    import sys
    import numpy as np, tesela
    model, inputs, output = sys.argv[1:]
    loaded = tesela.load(model)
    import onnx
    from onnx import numpy_helper
    feeds = {}
    for number, entry in enumerate(loaded.inputs):
        feeds[entry.name] = numpy_helper.to_array(onnx.load_tensor(f"{inputs}/input_{number}.pb"))
    [y] = loaded.run(feeds).values()
    if output.endswith(".npy"):
        np.save(output, y)
    else:
        onnx.save_tensor(numpy_helper.from_array(y), output)
'''


def program(folder, text):
    path = folder / "program.py"
    path.write_text(textwrap.dedent(text))
    return f"{sys.executable} {path} {{model}} {{inputs}} {{output}}"


def backend(folder, text):
    path = folder / "runtime.py"
    path.write_text("import os, time\nimport numpy as np\nimport tesela\n\nclass Runtime:\n" + textwrap.indent(textwrap.dedent(text), "    "))
    return f"{path}:Runtime"


# --- Cases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_cases_are_the_same_again_and_say_why(feature):
    one, again = feature.case(7, 3), feature.case(7, 3)
    assert one.line == again.line and one.node.model() == again.node.model() and one.name == f"{feature.name}/3"
    assert one.reason.startswith(feature.rule) and (one.refusal if feature.refused else one.expected is not None)
    if one.expected is not None and one.expected.dtype != object:
        assert one.expected.tobytes() == again.expected.tobytes() == one.node.prepared(1)()[...].tobytes()
    assert re.fullmatch(r"[a-z0-9-]+", feature.name) and feature.rule.endswith(".")


def test_names_are_unique_and_seeds_differ():
    assert len(BY_NAME) == len(FEATURES) > 100
    first, second = (BY_NAME["linear"].case(seed, 0).node.model() for seed in (0, 1))
    assert first != second


@pytest.mark.parametrize("line, fair", [
    ("nearest asymmetric float 1x4 -> 1x8", False),  # ties
    ("nearest float 1x4 -> 1x8", True),
    ("nearest floor asymmetric float 1x4 -> 1x8", True),  # integers that float32 has exactly
    ("nearest floor asymmetric float 14 -> 18", False),  # 9 * 14 / 18 is 7
    ("linear float 10 -> 6 scales=0.7", False),  # 7 in float32
    ("linear float 3 -> 3 scales=1.3", False),
    ("linear uint8 2 -> 4 x=0,2", False),  # 0.5
    ("linear uint8 2 -> 4 x=0,4", True),
    ("linear float 2 -> 4 x=0,2", True),
])
def test_fair_calls_are_decided_by_rules_alone(line, fair):
    node = cases.read(line, 0)
    assert is_fair(node, node.reference()) is fair


def test_words_choose_features_and_cases():
    result = tesela.conformance("reference", features=["tile-order/3", "fill-d*"], cases=2, jobs=1)
    assert [(group.feature.name, group.total) for group in result.groups] == [("tile-order", 1), ("fill-default", 2)]


# --- What answers are worth ----------------------------------------------------------------------


def verdict(feature, array, number=0):
    found = judge.judged(BY_NAME[feature].case(0, number), runtimes.Answer("array", array), "a backend")
    return found.verdict, found.text


def test_an_output_needs_type_shape_and_values():
    right = BY_NAME["linear"].case(0, 0).expected
    assert verdict("linear", right) == verdict("linear", np.nextafter(right, np.float32(9))) == ("passed", "")
    assert verdict("linear", right.astype(np.float64)) == ("failed", "the output is float64; expected float32")
    assert verdict("linear", right[..., :-1])[1].startswith("the output has the shape")
    assert "values differ" in verdict("linear", right + np.float32(0.01))[1]
    copied = BY_NAME["nearest-modes"].case(0, 0).expected
    assert verdict("nearest-modes", np.nextafter(copied, np.float32(9)))[0] == "failed"


def test_zeros_keep_their_sign():
    number = next(k for k in range(99) if np.any(BY_NAME["copied-bits"].case(0, k).expected == 0))
    right = BY_NAME["copied-bits"].case(0, number).expected
    assert verdict("copied-bits", right, number)[0] == "passed"
    assert verdict("copied-bits", np.where(right == 0, -right, right), number) == ("failed", "the sign of a zero is lost")


def test_a_bad_input_must_be_refused():
    case = BY_NAME["bad-axes"].case(0, 0)
    assert judge.judged(case, runtimes.Answer("refused", None, "no"), "a backend").verdict == "passed"
    assert verdict("bad-axes", np.zeros((2, 3), np.float32)) == ("failed", "accepted: it gives float32 [2, 3]")
    assert judge.judged(case, runtimes.Answer("crash", None, "SIGSEGV"), "a backend").verdict == "crashed"


# --- Backends ------------------------------------------------------------------------------------


def test_a_known_runtime_has_rows_of_the_catalogue():
    result = tesela.conformance("onnxruntime", features=["align-corners-length", "double", "linear"], cases=3, jobs=1)
    by_name = {group.feature.name: group for group in result.groups}
    assert by_name["linear"].passed and by_name["align-corners-length"].counts["failed"] == by_name["double"].counts["refused"] == 3
    assert by_name["align-corners-length"].rules[0][0].rule == "onnxruntime/length" and by_name["double"].rules[0][0].rule == "onnxruntime/type"
    smallest = by_name["align-corners-length"].smallest
    drawn = [BY_NAME["align-corners-length"].case(0, number).size for number in range(3)]
    assert smallest.verdict == "failed" and smallest.case.size < min(drawn)
    assert not result and not tesela.conformance("onnxruntime", features=["double"], cases=1, jobs=1)
    assert tesela.conformance("onnxruntime", features=["double", "linear"], cases=1, jobs=1, allow_refused=True)


def test_the_same_seed_gives_the_same_report():
    words = {"features": ["nearest-*", "window-of-integers", "integers", "tile-1", "bad-counts"], "cases": 3}
    reports = [tesela.conformance("reference", jobs=jobs, **words).as_dict() for jobs in (1, 2)]
    assert reports[0] == reports[1] and reports[0]["counts"]["failed"]
    assert tesela.conformance("reference", jobs=2, seed=1, **words).as_dict() != reports[0]


@pytest.mark.parametrize("line, reason", [
    ("linear float 1x1x4x4 -> 1x1x8x2", ""),
    ("nearest asymmetric floor float 1x1x4 -> 1x1x8", ""),
    ("nearest round_prefer_ceil float 1x1x4 -> 1x1x3", ""),
    ("nearest float 1x1x4 -> 1x1x8", "no nearest with half_pixel and round_prefer_floor"),
    ("Resize-10 nearest float 1x1x4 -> 1x1x8 scales=1,1,2", ""),
    ("Resize-10 nearest float 1x1x4 -> 1x1x2 scales=1,1,0.5", "no nearest with asymmetric and ceil"),
    ("linear pytorch_half_pixel float 1x1x4x4 -> 1x1x2x2", ""),
    ("linear pytorch_half_pixel float 1x1x4x4 -> 1x1x1x2", "no pytorch_half_pixel, for one output"),
    ("linear align_corners float 1x1x5 -> 1x1x10 scales=1,1,2", ""),
    ("linear align_corners float 1x1x5 -> 1x1x7 scales=1,1,1.5", "not of extent times scale"),
    ("linear align_corners float 1x1x5 -> 1x1x7 axes=2 scales=1.5", "not of extent times scale"),
    ("cubic float 1x1x5x5 -> 1x1x7x7 cubic_coeff_a=-0.5", "no cubic_coeff_a -0.5 without antialias"),
    ("cubic exclude_outside float 1x1x5x5 -> 1x1x7x7", "no exclude_outside without antialias"),
    ("linear exclude_outside float 1x1x5x5 -> 1x1x7x7", ""),
    ("linear antialias float 1x1x5x5 -> 1x1x3x3", "excludes what lies outside"),
    ("linear antialias exclude_outside float 1x1x5x5 -> 1x1x3x3", ""),
    ("cubic antialias exclude_outside float 1x1x5x5 -> 1x1x3x3", "no cubic_coeff_a -0.75 with antialias"),
    ("cubic antialias exclude_outside float 1x1x5x5 -> 1x1x3x3 cubic_coeff_a=-0.5", ""),
    ("nearest tf_crop_and_resize float 1x1x4 -> 1x1x8 roi=0,0,0,1,1,1", "no tf_crop_and_resize"),
    ("tile float 3 -> 6", ""),
])
def test_pytorch_is_asked_what_it_can_be_asked(line, reason):
    found = torch_nodes.unsupported(cases.read(line, 0))
    assert reason in found and bool(found) == bool(reason), found


def test_what_pytorch_has_no_call_for_is_no_failure():
    """It is not started, so that it need not be there."""
    result = tesela.conformance("torch", features=["crop-linear", "bad-axes"], cases=3, python=sys.executable)
    assert result and result.counts["unsupported"] == 6 and not result.version
    jsonschema.validate(result.as_dict(), SCHEMA)
    assert "PyTorch reads no models" in str(result) and "interpolate has no tf_crop_and_resize" in result.html()


def test_a_runtime_of_another_interpreter(tmp_path):
    other = tmp_path / "python"
    other.write_text(f"#!/bin/sh\necho asked >> '{tmp_path}/log'\nexec '{sys.executable}' \"$@\"\n")
    other.chmod(0o755)
    done = command("--backend", "onnxruntime", "--feature", "linear", "--cases", 1, "--jobs", 1, "--python", other)
    assert done.returncode == DONE and (tmp_path / "log").read_text() == "asked\n", done.stderr


@pytest.mark.parametrize("output", ["{output}", "{output}.npy"])
def test_a_command_reads_and_writes_files(tmp_path, output):
    words = program(tmp_path, PROGRAM).replace("{output}", output)
    features = ["linear", "run-time-inputs", "bad-axes", *(["strings", "fill-packed", "bfloat16"] if output == "{output}" else [])]
    result = tesela.conformance(words, features=features, cases=1, jobs=2, timeout=60)
    assert result and not result.version, str(result)


@pytest.mark.parametrize("text, expected, message", [
    ("import sys; print('first'); sys.exit('no such operator')", "refused", "no such operator"),
    ("import sys; sys.exit(3)", "refused", "the process ended with status 3"),
    ("pass", "refused", "it wrote no output"),
    ("import os; os.abort()", "crashed", "the process ended by SIGABRT"),
    ("import sys; open(sys.argv[3], 'wb').write(b'nonsense')", "failed", "its output cannot be read"),
    ("import time; time.sleep(60)", "timeout", "no result within 2 s"),
])
def test_a_command_that_fails(tmp_path, text, expected, message):
    result = tesela.conformance(program(tmp_path, text), features=["linear"], cases=1, jobs=1, timeout=2 if expected == "timeout" else 60)
    [group] = result.groups
    assert group.counts[expected] == 1 and group.smallest.text.startswith(message), group.smallest


def test_other_braces_are_words(tmp_path):
    text = "import sys; sys.exit(sys.argv[4])"
    [group] = tesela.conformance(program(tmp_path, text) + " '{}{'", features=["linear"], cases=1, jobs=1).groups
    assert group.smallest.text == "{}{"


def test_what_a_command_starts_ends_with_it(tmp_path):
    text = f"import subprocess, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(subprocess.Popen(['sleep', '60']).pid)); time.sleep(60)"
    tesela.conformance(program(tmp_path, text), features=["linear"], cases=1, jobs=1, timeout=2)
    assert is_gone(int((tmp_path / "pid").read_text()))


def is_gone(pid):
    for _ in range(50):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] in "ZX":
                    return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("body, expected", [
    ("def run(self, model, inputs): return list(tesela.load(model).run(inputs).values())", "passed"),
    ("def run(self, model, inputs): return tesela.load(model).run(inputs)", "passed"),
    ("def run(self, model, inputs): return None", "refused"),
    ("def run(self, model, inputs): return [np.zeros(1), np.zeros(1)]", "refused"),
    ("def run(self, model, inputs): os._exit(7)", "crashed"),
    ("def run(self, model, inputs): time.sleep(60)", "timeout"),
    ("def run(self, model, inputs): return np.zeros(1)", "failed"),
])
def test_a_class_runs_models(tmp_path, body, expected):
    name = backend(tmp_path, body)
    result = tesela.conformance(name, features=["linear"], cases=1, jobs=1, timeout=2 if expected == "timeout" else 60)
    assert result.counts[expected] == 1, str(result)


def test_a_class_of_a_module_in_the_working_folder(tmp_path):
    backend(tmp_path, "def run(self, model, inputs): return tesela.load(model).run(inputs)")
    done = command("--backend", "runtime:Runtime", "--feature", "linear", "--cases", 1, cwd=tmp_path)
    assert done.returncode == DONE and done.stdout.endswith("\n1 passed\n")


def test_tesela_itself_passes():
    """The kernels, by ONNX's backend interface."""
    result = tesela.conformance("tesela.backend:TeselaBackend", cases=1)
    assert result, str(result)


# --- The verb ------------------------------------------------------------------------------------


def test_json_html_and_text_agree(tmp_path):
    words = ["--backend", "onnxruntime", "--feature", "extents-exact,linear,bad-modes,double", "--cases", 2, "--jobs", 1]
    done = command(*words, "--json", "--html", tmp_path / "report.html")
    told = json.loads(done.stdout)
    assert done.returncode == MISMATCH and not done.stderr
    jsonschema.validate(told, SCHEMA)
    assert told["counts"] == {"passed": 2, "failed": 4, "refused": 2, "crashed": 0, "timeout": 0, "unreadable": 0,
                              "unsupported": 0} and not told["passed"]
    text = command(*words).stdout
    page = (tmp_path / "report.html").read_text()
    for group in told["groups"]:
        assert f"\n  {group['feature']} " in text and group["rule"] in page
        assert (f'<section id="{group["feature"]}">' in page) == (group["smallest"] is not None)
    assert text.endswith("2 passed, 4 failed, 2 refused\n") and "onnxruntime/extents" in text and "onnxruntime/extents" in page
    html.parser.HTMLParser().feed(page)
    assert "src=" not in page and "<script" not in page


def test_the_list_has_every_feature():
    assert len(command("--list").stdout.splitlines()) == len(FEATURES)
    told = json.loads(command("--list", "--json", "--feature", "crop-*").stdout)
    assert {row["feature"] for row in told["features"]} == {name for name in BY_NAME if name.startswith("crop-")}


@pytest.mark.parametrize("backend, options, kind, message", [
    ("onnxruntme", {}, tesela.InvalidValueError, "did you mean 'onnxruntime'?"),
    ("onnxruntime", {"features": ["crop-axis"]}, tesela.InvalidValueError, "did you mean 'crop-axes'?"),
    ("onnxruntime", {"features": ["linear/x"]}, tesela.InvalidValueError, "NAME, a pattern, or NAME/NUMBER"),
    ("onnxruntime", {"features": "linear"}, tesela.UsageError, "a list of names"),
    ("onnxruntime", {"cases": 0}, tesela.InvalidValueError, "cases is 0"),
    ("onnxruntime", {"seed": -1}, tesela.InvalidValueError, "seed is -1"),
    ("onnxruntime", {"jobs": 0}, tesela.InvalidValueError, "jobs is 0"),
    ("onnxruntime", {"timeout": -1}, tesela.InvalidValueError, "timeout is -1"),
    ("run {model}", {}, tesela.UsageError, "backend lacks {output}"),
    ("run {model} {input} {output}", {}, tesela.UsageError, "backend has {input}"),
    ("no-such-program {model} {output}", {}, tesela.InvalidValueError, "is not a program that can be run"),
    ("run it", {}, tesela.UsageError, "is a command without {model} and {output}"),
    ("onnxruntime", {"python": "no-such-python"}, tesela.InvalidValueError, "python 'no-such-python' is not a program that can be run"),
    ("onnxruntime", {"python": 3}, tesela.UsageError, "python is 3"),
    ("true {model} {output}", {"python": "python3"}, tesela.UsageError, "python is for runtimes and classes"),
    ("onnxruntime", {"python": "true", "features": ["linear"], "jobs": 1}, tesela.UnsupportedError, "the process ended with status 0"),
    ("no_such_module:Runtime", {"features": ["linear"], "jobs": 1}, tesela.UnsupportedError, "does not start: ModuleNotFoundError"),
])
def test_wrong_arguments(backend, options, kind, message):
    with pytest.raises(kind, match=re.escape(message)) as caught:
        tesela.conformance(backend, **options)
    assert str(caught.value).startswith("conformance: ") and len(str(caught.value)) < 300


def test_wrong_words(tmp_path):
    assert "expected one of --backend, --export and --list" in fail(USAGE)
    assert "does not start: ModuleNotFoundError" in fail(UNSUPPORTED, "--backend", "no_such_module:Runtime", "--feature", "linear")
    (tmp_path / "file").write_text("")
    assert "expected a new or an empty folder" in fail(BAD, "--export", tmp_path)


@pytest.mark.parametrize("kind", ["class", "command"])
def test_an_interruption_leaves_nothing(tmp_path, kind):
    """Backends that hang, after they have said who they are."""
    note = f"open({str(tmp_path)!r} + '/pid.' + str(os.getpid()), 'w').close(); time.sleep(60)"
    name = backend(tmp_path, f"def run(self, model, inputs): {note}") if kind == "class" else program(tmp_path, "import os, time; " + note)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    words = [*command.words, "--backend", name, "--feature", "linear", "--jobs", "2"]
    started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(temporary)})
    while len(list(tmp_path.glob("pid.*"))) < 2:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    out, message = started.communicate(timeout=60)
    assert started.returncode == INTERRUPTED and message == b"tesela: interrupted\n" and not out
    assert all(is_gone(int(path.suffix[1:])) for path in tmp_path.glob("pid.*"))
    assert not list(temporary.iterdir())


class SlowPeer:
    """Runs until it is killed, and takes a while to see it. begun: passed by each one's first run."""

    version = ""

    def __init__(self, seconds, begun):
        self.seconds, self.killed, self.begun, self.is_running, self.was_running = seconds, threading.Event(), begun, False, []

    def run(self, task):
        self.is_running = True
        if not self.killed.is_set():
            self.begun.wait(60)
        self.killed.wait(60)
        time.sleep(self.seconds)
        self.is_running = False

    def kill(self):
        self.killed.set()

    def stop(self):
        self.was_running.append(self.is_running)


def test_an_interruption_waits_for_its_threads(monkeypatch):
    """After an interrupted join, Thread.is_alive of Python 3.11 denies a thread that runs. Two threads must not use one process."""
    peers, begun = [], threading.Barrier(2, lambda: os.kill(os.getpid(), signal.SIGINT))
    monkeypatch.setattr(run, "peer", lambda *_: peers.append(SlowPeer(0.1 if peers else 0.5, begun)) or peers[-1])
    with pytest.raises(KeyboardInterrupt), run.Pool(None, run.Settings(0, 1, 2, 20.0, False, "")) as pool:
        pool.map([0, 1, 2], lambda each, task: each.run(task), lambda share: None)
    assert [each.was_running for each in peers] == [[False], [False]] and all(each.killed.is_set() for each in peers)


# --- Tests that are written ----------------------------------------------------------------------


def test_exported_tests_pass_and_are_read_by_onnx(tmp_path):
    folder = tmp_path / "vectors"
    count = tesela.export_conformance(folder, cases=1)
    assert count == sum(not feature.refused for feature in FEATURES)
    assert succeed("test", folder, "--quiet") == f"{count} passed, 0 failed\n"
    read = onnx.backend.test.loader.load_model_tests(str(folder), "tesela")
    assert len(read) == count and all(test.rtol == 0 for test in read)
    test = next(test for test in read if test.name == "test_crop_axes_0")
    onnx.checker.check_model(onnx.load(f"{test.model_dir}/model.onnx"))
    y = numpy_helper.to_array(onnx.load_tensor(f"{test.model_dir}/test_data_set_0/output_0.pb"))
    assert y.tobytes() == BY_NAME["crop-axes"].case(0, 0).expected.tobytes() and 0 < test.atol < 1e-3


def test_export_writes_all_or_nothing(tmp_path, monkeypatch):
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tesela.export_conformance(tmp_path / "vectors", cases=1, features=["linear"], progress=stop)
    assert not list(tmp_path.iterdir())
    assert tesela.export_conformance(tmp_path, cases=1, features=["linear", "bad-axes"]) == 1
    assert [path.name for path in (tmp_path / "tesela").iterdir()] == ["test_linear_0"]
