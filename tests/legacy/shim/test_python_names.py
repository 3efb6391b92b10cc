"""Tests of names that Python has removed."""

import collections
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
