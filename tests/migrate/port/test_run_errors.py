"""Tests for the sentences on runs that failed."""

import pytest

from migrate.port import run_errors
from migrate.same_run.recording import Recording

OUTPUT = """Traceback (most recent call last):
  File "/ported/runs/2-modern/first/work/job/task.py", line 30, in <module>
    main()
ValueError: no data
Exception ignored in: <function>
"""


def test_the_error_of_a_run_has_its_place_in_the_program():
    assert run_errors.of_run(Recording(exit_code=1, output=OUTPUT.partition("Exception")[0])) == (
        "the program ended with exit code 1: ValueError: no data (job/task.py:30)"
    )


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (
            "tensorflow.errors.OperatorNotAllowedInGraphError: Using a `tf.Tensor` as a Python "
            f"`bool` is not allowed. You can attempt: {'switch to another mode or ' * 20}",
            "tensorflow.errors.OperatorNotAllowedInGraphError: Using a `tf.Tensor` as a Python "
            "`bool` is not allowed. You can attempt ...",
        ),
        (
            f"migrate.bridge.BridgeError: {'advice ' * 60}",
            f"migrate.bridge.BridgeError: {('advice ' * 60).strip()}",
        ),
        (f"KeyError: {'name_' * 100}", f"KeyError: {'name_' * 38} ..."),
        (f"ValueError: {'a word ' * 100}", f"ValueError: {('a word ' * 26 + 'a word')} ..."),
    ],
)
def test_a_long_error_is_cut_to_a_line(message, shown):
    output = OUTPUT.partition("ValueError")[0] + message + "\n"
    sentence = run_errors.of_run(Recording(exit_code=1, output=output))
    assert sentence == f"the program ended with exit code 1: {shown} (job/task.py:30)"


def test_a_run_that_did_not_end():
    assert run_errors.of_run(Recording(exit_code=None, not_recorded=("too slow",))) == "too slow"


@pytest.mark.parametrize(("count", "more"), [(2, ""), (4, "; and 2 more")])
def test_two_problems_of_a_conversion_are_named(count, more):
    error = "no map" + "".join(f"\n  - problem {number}." for number in range(count))
    sentence = run_errors.of_conversion(error)
    assert sentence.startswith("the initial weights do not fit: ")
    assert "problem 1" in sentence
    assert sentence.endswith(f"problem 1{more}")


def test_advice_for_a_program_that_asks_for_input(tmp_path):
    (tmp_path / "record").mkdir()
    sentence = run_errors.of_unmodified_run(
        Recording(exit_code=1, output="EOFError: EOF when reading a line"), str(tmp_path)
    )
    assert "give its answers as arguments" in sentence
