"""Tests for the line that an error names."""

import functools
import traceback

from migrate.bridge import errors


def model_fn(features):
    return called_by(features)  # the line of the message


def called_by(features):
    return errors.line_in(features["function"])


def test_names_the_running_line_of_the_model_fn_and_its_file():
    first = model_fn.__code__.co_firstlineno
    # Functions of the same file that the model_fn calls are closer to the reason.
    text = model_fn({"function": model_fn})
    assert text.endswith(
        f'test_errors.py, line {first + 5}: return errors.line_in(features["function"])'
    )
    frames = [frame for frame in traceback.extract_stack() if frame.name == "model_fn"]
    assert errors.line_in(model_fn, frames).endswith(f"line {first}: def model_fn(features):")


def test_names_the_definition_of_a_function_that_does_not_run():
    class Callable:
        def __call__(self, features):
            pass

    partial = functools.partial(model_fn, {})
    assert errors.line_in(partial).endswith(": def model_fn(features):")
    assert errors.line_in(Callable()).endswith(": def __call__(self, features):")
