"""Restores names, arguments and printing of NumPy 1 in the process of an old program.

>>> import numpy
>>> complete(numpy)
>>> numpy.float is float
True
>>> float(numpy.percentile([1, 2], 50, interpolation="lower"))
1.0

Only missing names are added. A name that this NumPy still has is unchanged. Some functions accept
their old arguments in addition.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import inspect
import math
import sys
import types
from collections.abc import Callable
from typing import Any

from legacy.names import numpy_1
from legacy.reading import callers

# Removed names that are neither names of Python nor of NumPy today, with their values.
_VALUES: dict[str, object] = {
    "asscalar": lambda array: array.item(),
    "math": math,
    "safe_eval": ast.literal_eval,
    "NINF": -math.inf,
    "NZERO": -0.0,
    "PZERO": 0.0,
}
# Removed names that `numpy.exceptions` has.
_EXCEPTIONS = (
    *("AxisError", "ComplexWarning", "ModuleDeprecationWarning", "RankWarning", "TooHardError"),
    "VisibleDeprecationWarning",
)


def complete(numpy: types.ModuleType) -> None:
    """Adds the names that NumPy has removed, and restores old arguments and printing.

    Args:
      numpy: The module.
    """
    if int(numpy.__version__.partition(".")[0]) >= 2:
        from legacy.shim import arrays

        arrays.restore_conversion(numpy)
        _print_as_numpy_1(numpy)
        _replace(numpy, "array", _with_old_array_arguments)
        _replace(numpy, "asarray", _with_ragged_lists)
        _replace(numpy, "fromstring", functools.partial(_with_binary_strings, numpy.frombuffer))
    for name, today in numpy_1.NAMES.items():
        # Not `hasattr`: for some names, NumPy would issue a warning.
        if name not in vars(numpy):
            owner = numpy if today.startswith(".") else builtins
            vars(numpy)[name] = getattr(owner, today.removeprefix("."))
    for name, value in {**_VALUES, **_functions(numpy)}.items():
        if name not in vars(numpy):
            vars(numpy)[name] = value
    for name in _EXCEPTIONS:
        if name not in vars(numpy) and hasattr(getattr(numpy, "exceptions", None), name):
            vars(numpy)[name] = getattr(numpy.exceptions, name)
    for name, (old, new) in numpy_1.ARGUMENTS.items():
        if not _takes(getattr(numpy, name), old):
            _replace(numpy, name, functools.partial(_with_renamed_argument, old, new))
    for name in numpy_1.STACKING:
        _replace(numpy, name, _with_iterables)
    for owner in (numpy.ndarray, numpy.generic):
        _add_methods(owner, _methods(numpy))


def _takes(function: Callable[..., Any], argument: str) -> bool:
    try:
        return argument in inspect.signature(function).parameters
    except ValueError:  # Older NumPy has functions in C without a signature.
        return False


def _replace(
    numpy: types.ModuleType, name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> None:
    function = getattr(numpy, name)
    setattr(numpy, name, functools.wraps(function)(wrap(function)))


def _print_as_numpy_1(numpy: types.ModuleType) -> None:
    """Prints numbers as NumPy 1 did: `print(estimator.evaluate(...))` shows 0.5.

    NumPy 2 shows `np.float32(0.5)` for a number inside of a dictionary, list or tuple.
    """
    numpy.set_printoptions(legacy="1.25")
    # The options are those of a thread. A new thread starts with the default.
    options = sys.modules.get("numpy._core.printoptions")
    if options is not None:
        options.default_format_options_dict.update(options.format_options.get())


def _with_renamed_argument(old: str, new: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        if old in kwargs:
            kwargs[new] = kwargs.pop(old)
        return function(*args, **kwargs)

    return call


def _with_iterables(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        if not hasattr(arrays, "__getitem__"):  # A generator, or the values of a dictionary.
            arrays = list(arrays)
        return function(arrays, *args, **kwargs)

    return call


def _with_old_array_arguments(array: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `numpy.array`, for which `copy=False` means: copy only where needed."""
    tolerant_array = _with_ragged_lists(array)

    def make(*args: Any, **kwargs: Any) -> Any:
        # Libraries of NumPy 2 rely on its error for `copy=False`.
        if kwargs.get("copy") is False and callers.in_program(sys._getframe(1)):
            kwargs["copy"] = None
        return tolerant_array(*args, **kwargs)

    return make


def _with_ragged_lists(array: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `numpy.array`, which makes an array of objects of lists of different lengths."""

    def make(*args: Any, **kwargs: Any) -> Any:
        try:
            return array(*args, **kwargs)
        except ValueError as error:
            has_type = len(args) != 1 or kwargs.get("dtype") is not None
            if has_type or "inhomogeneous" not in str(error):
                raise
            if not _is_called_by_program(sys._getframe(1)):
                raise
            return array(*args, **{**kwargs, "dtype": object})

    return make


def _is_called_by_program(frame: types.FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return callers.in_program(frame)


def _with_binary_strings(
    frombuffer: Callable[..., Any], fromstring: Callable[..., Any]
) -> Callable[..., Any]:
    def call(string: Any, dtype: Any = float, count: int = -1, sep: str = "", **kwargs: Any) -> Any:
        if sep:
            return fromstring(string, dtype, count, sep=sep, **kwargs)
        data = string.encode("latin1") if isinstance(string, str) else string
        return frombuffer(data, dtype, count).copy()

    return call


def _functions(numpy: types.ModuleType) -> dict[str, Callable[..., Any]]:
    """Returns replacements of removed functions."""

    def find_common_type(array_types: list[Any], scalar_types: list[Any]) -> Any:
        if not array_types or not scalar_types:
            return numpy.result_type(*array_types, *scalar_types)
        array, scalar = numpy.result_type(*array_types), numpy.result_type(*scalar_types)
        kinds = "?buifcSUVO"
        if kinds.index(scalar.kind) > kinds.index(array.kind):
            return numpy.result_type(array, scalar)
        return array

    return {
        "asfarray": lambda a, dtype=numpy.float64: numpy.asarray(a, dtype),
        "find_common_type": find_common_type,
        "issctype": lambda rep: isinstance(rep, type) and issubclass(rep, numpy.generic),
        "msort": lambda a: numpy.sort(a, axis=0),
        "obj2sctype": lambda rep, default=None: numpy.dtype(rep).type,
        "sctype2char": lambda sctype: numpy.dtype(sctype).char,
    }


def _methods(numpy: types.ModuleType) -> dict[str, Callable[..., Any]]:
    """Returns replacements of the removed methods of arrays."""

    def itemset(self: Any, *args: Any) -> None:
        *index, value = args
        # A single integer counts the elements of the flat array.
        owner = self.flat if len(index) == 1 and not isinstance(index[0], tuple) else self
        owner[index[0] if len(index) == 1 else tuple(index)] = value

    return {
        "itemset": itemset,
        "newbyteorder": lambda self, new_order="S": self.view(self.dtype.newbyteorder(new_order)),
        "ptp": lambda self, *args, **kwargs: numpy.ptp(self, *args, **kwargs),
        "tostring": lambda self, order="C": self.tobytes(order),
    }


def _add_methods(owner: type, methods: dict[str, Callable[..., Any]]) -> None:
    """Adds missing methods to a class of NumPy, which Python does not allow by `setattr`."""
    import ctypes  # Programs that do not import NumPy start without it.

    (names,) = gc.get_referents(vars(owner))
    for name, method in methods.items():
        if name not in names:
            names[name] = method
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))
