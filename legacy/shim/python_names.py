"""Restores names that Python and NumPy have removed since, in the process of an old program.

>>> import numpy
>>> complete_numpy(numpy)
>>> numpy.float is float
True

Only missing names are added. A name that this NumPy still has is unchanged. NumPy's numbers also
print as they did then.
"""

from __future__ import annotations

import collections
import collections.abc
import functools
import inspect
import time
import types
from collections.abc import Callable
from typing import Any

# Value of each removed name of NumPy. A string is the name that it has today.
_NUMPY: dict[str, object] = {
    "asscalar": lambda array: array.item(),
    "bool": bool,
    "complex": complex,
    "float": float,
    "int": int,
    "long": int,
    "object": object,
    "str": str,
    "unicode": str,
    "Inf": "inf",
    "Infinity": "inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "cast": "asarray",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "in1d": "isin",
    "infty": "inf",
    "product": "prod",
    "row_stack": "vstack",
    "sometrue": "any",
    "string_": "bytes_",
    "trapz": "trapezoid",
    "unicode_": "str_",
}


def _assert_subset(
    case: Any, subset: dict[Any, Any], dictionary: dict[Any, Any], msg: Any = None
) -> None:
    case.assertEqual(dictionary, {**dictionary, **subset}, msg)  # noqa: PT009


# Replacement of each removed name of unittest's TestCase. They were removed in Python 3.12, and
# assertItemsEqual in 3.0.
_TEST_CASE = {
    "assertDictContainsSubset": _assert_subset,
    "assertItemsEqual": "assertCountEqual",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertEquals": "assertEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertNotEquals": "assertNotEqual",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
    "assertRegexpMatches": "assertRegex",
    "assert_": "assertTrue",
    "failIf": "assertFalse",
    "failIfAlmostEqual": "assertNotAlmostEqual",
    "failIfEqual": "assertNotEqual",
    "failUnless": "assertTrue",
    "failUnlessAlmostEqual": "assertAlmostEqual",
    "failUnlessEqual": "assertEqual",
    "failUnlessRaises": "assertRaises",
}


def complete_numpy(numpy: types.ModuleType) -> None:
    """Adds the names that NumPy has removed, and restores its old printing of numbers.

    Args:
      numpy: The module.
    """
    if int(numpy.__version__.partition(".")[0]) >= 2:
        # Otherwise `print(estimator.evaluate(...))` prints np.float32(0.5) instead of 0.5.
        numpy.set_printoptions(legacy="1.25")
    for name, value in _NUMPY.items():
        # Not `hasattr`: for some names, NumPy would issue a warning.
        if name not in vars(numpy):
            vars(numpy)[name] = getattr(numpy, value) if isinstance(value, str) else value
    if "newshape" not in inspect.signature(numpy.reshape).parameters:
        numpy.reshape = _with_new_shape(numpy.reshape)


def _with_new_shape(reshape: Callable[..., Any]) -> Callable[..., Any]:
    """Returns numpy.reshape with the name that its second argument had before NumPy 2.4."""

    @functools.wraps(reshape)
    def reshaped(*args: Any, **kwargs: Any) -> Any:
        if "newshape" in kwargs:
            kwargs["shape"] = kwargs.pop("newshape")
        return reshape(*args, **kwargs)

    return reshaped


def complete_python() -> None:
    """Adds the names that Python up to 3.10 removed, to modules that Python itself has loaded."""
    for name in collections.abc.__all__:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    if not hasattr(time, "clock"):
        time.clock = time.perf_counter  # type: ignore[attr-defined]


def complete_inspect(inspect: types.ModuleType) -> None:
    """Adds getargspec to `inspect`, which Python 3.11 removed.

    Args:
      inspect: The module.
    """
    specification = collections.namedtuple("ArgSpec", "args varargs keywords defaults")
    if not hasattr(inspect, "getargspec"):
        inspect.getargspec = lambda function: specification(*inspect.getfullargspec(function)[:4])


def complete_unittest(unittest: types.ModuleType) -> None:
    """Adds the method names that Python removed to TestCase.

    They look up the new method by name, because a subclass may override it.

    Args:
      unittest: The module.
    """
    for name, method in _TEST_CASE.items():
        if not hasattr(unittest.TestCase, name):
            function = _calling(method) if isinstance(method, str) else method
            setattr(unittest.TestCase, name, function)


def _calling(name: str) -> Callable[..., Any]:
    return lambda case, *args, **kwargs: getattr(case, name)(*args, **kwargs)
