# SPDX-License-Identifier: Apache-2.0
"""Every function of tesela.h with NULL for each combination of its pointers: an error or nothing, and never a crash."""

import ctypes as c
import itertools
import json
import os
import re
import subprocess
import sys

from cli_program import REPOSITORY, tile_model

HEADER = (REPOSITORY / "include" / "tesela" / "tesela.h").read_text()
LIBRARY = os.environ.get("TESELA_LIBRARY", str(REPOSITORY / "build" / "libtesela.so"))


def declarations() -> dict[str, list[str]]:
    """The parameters of each function."""
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
    found = re.findall(r"^TESELA_API [^;(]*?\b(tesela_\w+)\(([^;]*)\);", text, flags=re.MULTILINE)
    return {name: [] if words.strip() == "void" else [" ".join(word.split()) for word in words.split(",")]
            for name, words in found}


def test_every_declaration_is_parsed():
    assert len(declarations()) == len(re.findall(r"^TESELA_API", HEADER, flags=re.MULTILINE)) > 70
    assert declarations()["tesela_op_since_version"] == ["const tesela_op* op"]


def test_null(tmp_path):
    model = tile_model(tmp_path / "model.onnx")
    job = json.dumps([declarations(), str(model), LIBRARY])
    done = subprocess.run([sys.executable, __file__, job], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, f"after {done.stdout[-100:]}\n{done.stderr[-600:]}"
    assert done.stdout.count("\n") > 500


# ---- In a process of its own ----------------------------------------------------------------------------------------

class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("dtype", c.c_int32), ("rank", c.c_int32), ("extents", c.c_void_p),
                ("strides", c.c_void_p), ("bit_offset", c.c_int64)]


class Values:
    """Something right for each kind of parameter."""

    def __init__(self, library, model_path: str):
        self.library, self.kept = library, []
        self.two = self.keep((c.c_int64 * 2)(2, 2))
        data = c.cast(self.keep((c.c_int64 * 4)(2, 2, 2, 2)), c.c_void_p)
        self.repeats = self.keep(Tensor(data, 7, 1, c.cast(self.two, c.c_void_p), None, 0))
        self.tensor = self.keep(Tensor(data, 7, 2, c.cast(self.two, c.c_void_p), None, 0))
        self.path = self.keep(c.create_string_buffer(model_path.encode()))

    def keep(self, value):
        self.kept.append(value)
        return value

    def made(self, function: str, *arguments) -> c.c_void_p:
        handle, error = c.c_void_p(), c.create_string_buffer(308)
        assert getattr(self.library, function)(*arguments, c.byref(handle), error) == 0, error.raw[4:].rstrip(b"\0")
        return handle

    def handle(self, kind: str) -> c.c_void_p:
        pair = self.pointers(self.tensor, self.repeats)
        no_limits = c.c_void_p()
        if kind == "op":
            return self.made("tesela_op_create", b"", b"Tile", c.c_int64(13), None)
        if kind == "plan":
            return self.made("tesela_plan_create", self.handle("op"), c.c_size_t(2), pair, no_limits)
        if kind == "inferred":
            infos = self.pointers(self.info(7, 2), self.info(7, 1))
            return self.made("tesela_op_infer", self.handle("op"), c.c_size_t(2), infos)
        if kind == "value":
            return self.made("tesela_value_copy", c.byref(self.tensor), no_limits)
        if kind == "blob":
            return self.made("tesela_ops", c.c_int(0))
        if kind == "axis_table":
            return self.made("tesela_plan_axis_table", self.handle("plan"), c.c_int32(0), c.c_int64(0), c.c_int64(2))
        if kind == "plan_cache":
            return self.made("tesela_plan_cache_create", c.c_size_t(2))
        if kind == "model":
            return self.made("tesela_model_load", self.path, no_limits)
        return self.made("tesela_session_create", self.handle("model"), no_limits)

    def pointers(self, *values):
        return self.keep((c.c_void_p * len(values))(*(c.addressof(value) for value in values)))

    def info(self, dtype: int, rank: int):
        dims = self.keep((c.c_int64 * 4)(2, 0, 2, 0))
        info = self.keep((c.c_uint64 * 6)())
        info[0], info[1], info[2] = 48, dtype | rank << 32, c.addressof(dims)
        return info

    def of(self, parameter: str):
        """parameter: its declaration. Pointers to structs that are not read otherwise are to zeros behind a size."""
        kind = parameter.rsplit(" ", 1)[0].replace("const ", "").strip()
        handles = "op|plan|inferred|value|blob|axis_table|plan_cache|model|session"
        if match := re.fullmatch(rf"tesela_({handles})\*", kind):
            return self.handle(match[1])
        if kind == "tesela_tensor*":
            return c.byref(self.tensor)
        if kind == "tesela_tensor* const*":
            return self.pointers(self.tensor, self.repeats)
        if kind == "tesela_tensor_info* const*":
            return self.pointers(self.info(7, 2), self.info(7, 1))
        if kind == "char* const*":
            return self.pointers(self.path, self.path)
        if kind == "char*":
            return self.path
        if kind in ("int64_t*", "void*"):
            return self.keep((c.c_int64 * 64)(1))
        room = self.keep((c.c_uint64 * 64)())
        room[0] = 8 if re.fullmatch(r"tesela_(limits|file_options|load_options|run_options|explain_options|tensor_info|axis_table_view)\*",
                                    kind) else 0
        return room


def main(functions: dict[str, list[str]], model: str, path: str) -> None:
    library, called = c.CDLL(path), c.CDLL(path)
    for name, parameters in functions.items():
        call(library, getattr(called, name), name, parameters, model)


def call(library, function, name: str, parameters: list[str], model: str) -> None:
    is_pointer = ["*" in parameter for parameter in parameters]
    places = [i for i, pointer in enumerate(is_pointer) if pointer]
    function.restype = c.c_void_p
    for count in (0, 1, 2):
        for missing in itertools.product([True, False], repeat=len(places)):
            if name.endswith("_destroy") and not all(missing):
                continue
            values = Values(library, model)
            null = {place for place, is_missing in zip(places, missing) if is_missing}
            print(name, count, sorted(null), flush=True)
            arguments = []
            for i, parameter in enumerate(parameters):
                if is_pointer[i]:
                    arguments.append(None if i in null else values.of(parameter))
                else:
                    arguments.append(c.c_float(1) if parameter.startswith("float") else c.c_int64(count))
            function(*arguments)


if __name__ == "__main__":
    main(*json.loads(sys.argv[1]))
