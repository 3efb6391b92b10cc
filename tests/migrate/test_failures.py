"""An error is told with its place: the innermost one."""

import json

from migrate import failures


def test_an_error_is_told_with_the_line_that_raised_it():
    try:
        json.loads("{")
    except ValueError as error:
        assert failures.said(error).startswith("JSONDecodeError: Expecting property name")
        assert failures.place(error).startswith("decoder.py:")
        assert failures.said(error).endswith(f"({failures.place(error)})")
