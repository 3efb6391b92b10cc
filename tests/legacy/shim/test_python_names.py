"""Tests of names that Python has removed."""

import collections
import subprocess
import sys
import types
import unittest

import pytest

from legacy.shim import python_names


def test_python():
    inspect = types.SimpleNamespace(getfullargspec=lambda function: tuple(range(7)))
    python_names.complete_inspect(inspect)
    assert inspect.getargspec(None).defaults == 3
    python_names.complete_python()
    assert isinstance(collections.OrderedDict(), collections.Mapping)


OLD_PYTHON = """
from legacy.shim import finder, python_names
import importlib, sys

finds = finder.Finder("v1", "ours")
for name in ("base64", "threading"):
    python_names.complete_renamed(importlib.import_module(name))
finds.after_import["xml.etree"] = python_names.complete_xml
sys.meta_path.insert(0, finds)

import base64, fractions, json, threading
python_names.complete_fractions(fractions)
python_names.complete_json(json)
import xml.etree.cElementTree as tree

assert base64.decodestring(base64.encodestring(b"a")) == b"a"
assert fractions.gcd(4, 6) == 2
assert json.loads("[1]", encoding="utf-8") == [1]
assert not threading.Thread().isAlive()
assert tree.fromstring("<a>1</a>").text == "1"
"""


def test_modules_of_python_have_their_old_names():
    done = subprocess.run(
        [sys.executable, "-c", OLD_PYTHON], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_test_cases_have_their_old_names():
    class TestCase:
        assertAlmostEqual = unittest.TestCase.assertAlmostEqual

        def assertEqual(self, first, second, msg=None):
            assert first == second
            return True

        def assertRaisesRegexp(self):
            return "kept"

    python_names.complete_unittest(types.SimpleNamespace(TestCase=TestCase))
    case = TestCase()
    equal, contains, kept = (
        getattr(case, name)
        for name in ("assertEquals", "assertDictContainsSubset", "assertRaisesRegexp")
    )
    assert equal(1, second=1)
    contains({"a": 1}, {"a": 1, "b": 2})
    with pytest.raises(AssertionError):
        contains({"a": 2}, {"a": 1, "b": 2})
    assert kept() == "kept"
    missing = [method for name in vars(TestCase) if (method := python_names._TEST_CASE.get(name))]
    assert all(hasattr(unittest.TestCase, name) for name in missing if isinstance(name, str))
