"""The C interface of Tesela."""

from collections.abc import Sequence
import types
from typing import Any

from numpy.typing import NDArray


def version() -> str: ...

def dtype_from_name(name: str) -> int:
    """The code of the type with this ONNX, NumPy or OpenVINO name, or 0."""

def dtype_name(dtype: int) -> str:
    """ONNX's name of a type, or None."""

def dtype_numpy_name(dtype: int) -> str:
    """NumPy's or ml_dtypes' name of a type, or None."""

def dtype_bits(dtype: int) -> int:
    """Bits of one element."""

def ops(json: bool) -> str:
    """The operators, versions, types and attributes."""

def doctor(json: bool) -> str:
    """What the library is and what it found."""

class Error(Exception):
    """What every error of Tesela is."""

class UsageError(Error, ValueError):
    status: str = 'usage'

    exit_status: int = 2

class InvalidValueError(Error, ValueError):
    status: str = 'value'

    exit_status: int = 3

class AttributeValueError(Error, ValueError):
    status: str = 'attribute'

    exit_status: int = 3

class CountError(Error, ValueError):
    status: str = 'count'

    exit_status: int = 3

class ElementTypeError(Error, TypeError):
    status: str = 'type'

    exit_status: int = 3

class RankError(Error, ValueError):
    status: str = 'rank'

    exit_status: int = 3

class ShapeError(Error, ValueError):
    status: str = 'shape'

    exit_status: int = 3

class ParseError(Error, ValueError):
    status: str = 'parse'

    exit_status: int = 3

class TruncatedError(Error, ValueError):
    status: str = 'truncated'

    exit_status: int = 3

class PathError(Error, ValueError):
    status: str = 'path'

    exit_status: int = 3

class UnsupportedError(Error, ValueError):
    status: str = 'unsupported'

    exit_status: int = 4

class LimitError(Error, ValueError):
    status: str = 'limit'

    exit_status: int = 5

class NoMemoryError(Error, MemoryError):
    status: str = 'no_memory'

    exit_status: int = 5

class IoError(Error, OSError):
    status: str = 'io'

    exit_status: int = 6

    __str__: types.MethodDescriptorType = ...

class CancelledError(Error, RuntimeError):
    status: str = 'cancelled'

    exit_status: int = 130

class InternalError(Error, RuntimeError):
    status: str = 'internal'

    exit_status: int = 70

class ArgumentError(UsageError, TypeError):
    """
    An argument of a wrong kind, or a parameter that is unknown or missing.
    """

class FileNotFoundIoError(FileNotFoundError, IoError):
    __str__: types.MethodDescriptorType = ...

class PermissionIoError(PermissionError, IoError):
    __str__: types.MethodDescriptorType = ...

class NotADirectoryIoError(NotADirectoryError, IoError):
    __str__: types.MethodDescriptorType = ...

class IsADirectoryPathError(IsADirectoryError, PathError):
    __str__: types.MethodDescriptorType = ...

def since_version(type: str, opset: int) -> int:
    """The version of an operator that an opset has."""

def operator_version(type: str, inputs: int, attributes: Sequence[str]) -> int:
    """
    The newest version whose nodes may have so many inputs and these attributes.
    """

def operator_attributes(type: str) -> list[str]:
    """The attributes that any version of an operator has."""

def attribute_kinds(type: str, opset: int) -> dict:
    """
    The attributes of the version that an opset has, and their kinds: "string", ...
    """

def field_names() -> list[str]:
    """The fields of plans, "tesela.order" say."""

def nearest_name(name: str, known: Sequence[str]) -> str | None:
    """Which of the known names an unknown one is meant for, or None."""

def infer(type: str, opset: int, node: str, attributes: dict, inputs: list) -> object:
    """The extents of the output, from what is known about the inputs."""

class Plan:
    """A plan of the C interface."""

    def __init__(self, type: str, opset: int, node: str, attributes: dict, inputs: object) -> None: ...

    @property
    def since_version(self) -> int: ...

    @property
    def dtype(self) -> int: ...

    @property
    def output_shape(self) -> tuple: ...

    @property
    def input_shape(self) -> tuple: ...

    def run(self, x: object | None, y: object, threads: int) -> None: ...

    def run_reference(self, x: object | None, y: object) -> None:
        """Runs by the reference backend, which defines results."""

    def run_region(self, x: object, x_lo: object, y: object, lo: object, threads: int) -> None: ...

    def run_indices(self, x_extents: object, x_lo: object, y: object, lo: object, threads: int) -> None: ...

    def input_region(self, lo: object, extents: object) -> tuple: ...

    def scratch_bytes(self, lo: object, extents: object) -> int:
        """Scratch memory for a run of this box of the output on one thread."""

    def describe(self, json: bool) -> str: ...

    def explain(self, axes: object, first: int, count: int, width: int, title: str, format: str) -> str: ...

    def axis_table(self, axis: int, lo: int, n: int) -> tuple: ...

class KeptPlans:
    """Plans that are kept for calls like those before: at most `capacity`."""

    def __init__(self, capacity: int) -> None: ...

    def plan(self, type: str, opset: int, node: str, attributes: dict, inputs: list) -> Plan:
        """As Plan of these, whose inputs stand in a list."""

    def clear(self) -> None: ...

    def __len__(self) -> int: ...

def pass_count(plan: object) -> int:
    """The number of passes of a Plan."""

def pass_info(plan: object, index: int) -> tuple:
    """
    The axis, input and output extents, dtypes of input, accumulator and output, and the window of a pass.
    """

def pass_input_region(plan: object, index: int, lo: object, extents: object) -> tuple: ...

def pass_begin(plan: object, index: int, accumulator: object) -> None: ...

def pass_add(plan: object, index: int, x: object, x_lo: object, accumulator: object, lo: object, threads: int) -> None: ...

def pass_finish(plan: object, index: int, accumulator: object, y: object, lo: object, threads: int) -> None: ...

FILE_PNG: int = 4

FILE_JPEG: int = 5

def image_unpack(path: str, memory: int, to: int, progress: object | None = None) -> tuple:
    """
    Decodes a PNG or JPEG file to an open file of elements. Returns their type and extents. progress: called with the share of rows that are decoded.
    """

def image_check(dtype: int, shape: object, format: int) -> None:
    """Raises what image_pack would raise for such a tensor."""

def image_pack(dtype: int, shape: object, from_: int, format: int, to: int, progress: object | None = None) -> None:
    """
    Encodes the elements of an open file to another one. progress: called with the share of rows that are encoded.
    """

class PlanCache:
    """The plans of recent calls: at most `maxsize`, the oldest leaves first."""

    def __init__(self, maxsize: int) -> None: ...

    run: types.MethodDescriptorType = ...

    @property
    def maxsize(self) -> int:
        """
        How many plans are kept, 0 or more. A smaller number drops the oldest. Errors: InvalidValueError.
        """

    @maxsize.setter
    def maxsize(self, arg: int, /) -> None: ...

    def __len__(self) -> int: ...

    def clear(self) -> None:
        """Forgets every plan."""

    def find(self, dtype: object, shape: object, *parameters: object) -> Any:
        """
        The plan that was added for this dtype and shape and these parameters, or None.
        """

    def add(self, plan: object, dtype: object, shape: object, *parameters) -> None:
        """
        Keeps a plan for calls with this dtype and shape and these parameters. If there are more than maxsize, the oldest is dropped.
        """

class Memory:
    """Memory of an array, of undefined contents."""

    def __init__(self, bytes: int) -> None: ...

POOLED_BYTES: int = 2097152

def trim_memory(keep_bytes: int = 0) -> int:
    """
    Gives back to the system what is kept of large arrays' memory beyond keep_bytes; returns what is kept then.
    """

class Model:
    """A model of the C interface."""

    def __init__(self, path: object | None, data: object | None, assume_opset: int, extents: str | None, max_output_bytes: int, max_session_bytes: int) -> None: ...

    def inputs(self) -> list: ...

    def outputs(self) -> list: ...

    def inspect(self, json: bool) -> str: ...

    def plan(self, node: str, shapes: list) -> object: ...

    def check(self, json: bool) -> tuple: ...

    def lint(self, runtimes: Sequence[str], format: int, path: str) -> tuple: ...

    def fix(self, path: object | None, meant: str, opset: int, json: bool) -> tuple: ...

class Session:
    """A session of the C interface."""

    def __init__(self, model: Model) -> None: ...

    def run(self, names: list, inputs: list, output_names: list, threads: int) -> list: ...

def from_dlpack(capsule: object | None) -> tuple: ...

def to_dlpack(array: NDArray, dtype: int) -> object: ...
