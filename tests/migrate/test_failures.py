"""Tests for error messages: an error is reported with the innermost line that raised it."""

import json

import pytest

from migrate import failures


def test_an_error_is_told_with_the_line_that_raised_it():
    with pytest.raises(ValueError, match="property name") as caught:
        json.loads("{")
    error = caught.value
    assert failures.message(error).startswith("JSONDecodeError: Expecting property name")
    assert failures.place(error).startswith("decoder.py:")
    assert failures.message(error).endswith(f"({failures.place(error)})")
