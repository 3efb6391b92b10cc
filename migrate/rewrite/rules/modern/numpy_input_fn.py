"""Turns numpy_input_fn and pandas_input_fn into functions that return a tf.data.Dataset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        if match.call is None:
            continue
        args = arguments.bind(match.call, input_functions.OF_ARRAYS)
        reason = input_functions.stays(args)
        if reason or args is None:
            yield file.suggestion(match.call, reason)
            continue
        tf, imports = modern_names.tensorflow(file, match)
        is_pandas = match.name.endswith("pandas_input_fn")
        text = _dataset(file, tf, args, is_pandas)
        unsafe = input_functions.problem_of_arrays(file, args)
        text = f"lambda: {text}"
        if not isinstance(file.parent(match.call), (ast.Assign, ast.Call, ast.keyword, ast.Return)):
            text = f"({text})"
        yield file.replacement(match.call, text, imports, unsafe)


def _dataset(file: SourceFile, tf: str, args: dict[str, ast.expr], is_pandas: bool) -> str:
    features = file.segment(args["x"])
    features = f"dict({features})" if is_pandas else features
    labels = args.get("y")
    if labels is not None and not modern_names.is_constant(labels, None):
        features = f"({features}, {file.segment(labels)})"
    epochs = file.segment(args["num_epochs"]) if "num_epochs" in args else "1"
    batch = file.segment(args["batch_size"]) if "batch_size" in args else "128"
    text = f"{tf}.data.Dataset.from_tensor_slices({features})"
    if not modern_names.is_constant(args.get("shuffle"), False):
        text += f".shuffle({_buffer(file, args)})"
    # repeat comes before batch, because the batches of numpy_input_fn spanned epochs.
    text += f".repeat({epochs})" if epochs != "1" else ""
    return f"{text}.batch({batch})"


def _buffer(file: SourceFile, args: dict[str, ast.expr]) -> str:
    """Returns the size of the shuffle buffer. A buffer of one keeps the order."""
    capacity, shuffle = args.get("queue_capacity"), args.get("shuffle")
    size = file.segment(capacity) if capacity is not None else "1000"
    if shuffle is None or modern_names.is_constant(shuffle):
        return size
    return f"{size} if {file.segment(shuffle)} else 1"


RULE = Rule(
    __name__,
    _find,
    message="Input functions for arrays return a tf.data.Dataset.",
    source="https://www.tensorflow.org/guide/data#consuming_numpy_arrays",
    symbols=(
        "tf.estimator.inputs.numpy_input_fn",
        "tf.estimator.inputs.pandas_input_fn",
    ),
    recipe="input_functions",
    safe=False,
)
