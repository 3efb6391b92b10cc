"""Restores names that Python has removed since, in the process of an old program.

>>> import collections
>>> complete_python()
>>> collections.Mapping is collections.abc.Mapping
True

Only missing names are added.
"""

from __future__ import annotations

import collections
import collections.abc
import functools
import importlib.util
import math
import sys
import time
import types
from collections.abc import Callable
from typing import Any


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

# Removed functions and methods, by module, with the names of the module that replace them.
_RENAMED = {
    "base64": {"decodestring": "decodebytes", "encodestring": "encodebytes"},
    "threading": {"Thread.isAlive": "Thread.is_alive"},
}


def complete_python() -> None:
    """Adds the names that Python up to 3.10 removed, to modules that Python itself has loaded."""
    for name in collections.abc.__all__:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    if not hasattr(time, "clock"):
        time.clock = time.perf_counter  # type: ignore[attr-defined]


def complete_renamed(module: types.ModuleType) -> None:
    """Adds the old names of functions and methods.

    Args:
      module: One of the modules `base64` and `threading`.
    """
    for old, new in _RENAMED[module.__name__].items():
        *owners, name = old.split(".")
        owner = functools.reduce(getattr, owners, module)
        if not hasattr(owner, name):
            setattr(owner, name, getattr(owner, new.rpartition(".")[2]))


def complete_fractions(fractions: types.ModuleType) -> None:
    """Adds gcd to `fractions`, which Python 3.9 removed.

    Args:
      fractions: The module.
    """
    if not hasattr(fractions, "gcd"):
        fractions.gcd = math.gcd


def complete_json(json: types.ModuleType) -> None:
    """Lets `json.loads` ignore `encoding`, which Python 3.9 removed.

    Args:
      json: The module.
    """
    loads = json.loads

    @functools.wraps(loads)
    def tolerant_loads(*args: Any, encoding: str | None = None, **kwargs: Any) -> Any:
        return loads(*args, **kwargs)

    json.loads = tolerant_loads


def complete_xml(etree: types.ModuleType) -> None:
    """Adds the module cElementTree, which Python 3.9 removed.

    Args:
      etree: The package `xml.etree`.
    """
    name = f"{etree.__name__}.cElementTree"
    if importlib.util.find_spec(name) is None:
        etree.cElementTree = sys.modules[name] = importlib.import_module(
            f"{etree.__name__}.ElementTree"
        )


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
