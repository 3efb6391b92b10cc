"""Tests of the list of long test files."""

import pytest

from tests import long_files


def test_the_tests_of_a_long_file_are_marked(request):
    (item,) = (one for one in request.session.items if one.nodeid == request.node.nodeid)
    long_files.mark([item], ["tests/test_slow_tests.py"])
    assert not item.get_closest_marker("long")
    long_files.mark([item], ["tests/test_long_files.py"])
    assert item.get_closest_marker("long")


def test_a_name_without_a_file_is_an_error():
    with pytest.raises(pytest.UsageError, match="tests/test_gone.py"):
        long_files.mark([], ["tests/test_gone.py"])
