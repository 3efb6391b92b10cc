"""Replaces tf.contrib.data by tf.data.experimental, or by newer parts of tf.data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.names import modern_names

# Functions that only have a new name.
_MOVED = {
    f"tf.contrib.data.{name}": f"data.experimental.{name}"
    for name in [
        "Counter",
        "CsvDataset",
        "RandomDataset",
        "bucket_by_sequence_length",
        "choose_from_datasets",
        "copy_to_device",
        "dense_to_sparse_batch",
        "get_single_element",
        "group_by_reducer",
        "group_by_window",
        "ignore_errors",
        "make_csv_dataset",
        "parallel_interleave",
        "prefetch_to_device",
        "rejection_resample",
        "sample_from_datasets",
        "scan",
        "shuffle_and_repeat",
        "take_while",
        "unbatch",
        "unique",
        "AUTOTUNE",
    ]
}
_FUSED = ("tf.contrib.data.map_and_batch", "tf.data.experimental.map_and_batch")
_PARAMETERS = (
    "map_func",
    "batch_size",
    "num_parallel_batches",
    "drop_remainder",
    "num_parallel_calls",
)


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        if match.name in _FUSED:
            yield from _map_and_batch(file, match)
        else:
            tf, imports = modern_names.tensorflow(file, match)
            yield file.replacement(match.node, f"{tf}.{_MOVED[match.name]}", imports)


def _map_and_batch(file: SourceFile, match: Match) -> Iterator[Change]:
    """Rewrites dataset.apply(map_and_batch(f, n)) as dataset.map(f).batch(n)."""
    call = match.call
    apply = _apply_call(file, call) if call is not None else None
    args = arguments.bind(call, _PARAMETERS) if call is not None else None
    if apply is None or args is None or not {"map_func", "batch_size"} <= set(args):
        yield file.suggestion(match.node, "map_and_batch is not used as an argument of apply")
        return
    tf, imports = modern_names.tensorflow(file, match)
    parallel = args.get("num_parallel_calls")
    calls = file.segment(parallel) if parallel is not None else f"{tf}.data.experimental.AUTOTUNE"
    batch = file.segment(args["batch_size"])
    if "drop_remainder" in args:
        batch += f", drop_remainder={file.segment(args['drop_remainder'])}"
    start, end = file.span(apply.func)
    attribute_start = end - len("apply")
    text = f"map({file.segment(args['map_func'])}, num_parallel_calls={calls}).batch({batch})"
    _, apply_end = file.span(apply)
    change = file.replacement(apply, "", imports)
    edit = change.edits[0]._replace(start=attribute_start, end=apply_end, text=text)
    unsafe = modern_names.problem_of_seeds(file)
    yield change._replace(edits=(edit,), unsafe=unsafe)


def _apply_call(file: SourceFile, call: ast.Call) -> ast.Call | None:
    """Returns the call of `apply` whose only argument is `call`, or None."""
    apply = file.parent(call)
    if not isinstance(apply, ast.Call) or not isinstance(apply.func, ast.Attribute):
        return None
    is_only_argument = apply.func.attr == "apply" and len(apply.args) == 1 and not apply.keywords
    return apply if is_only_argument else None


RULE = Rule(
    __name__,
    _find,
    message="tf.data replaces tf.contrib.data, with separate calls of map and batch.",
    source="https://www.tensorflow.org/api_docs/python/tf/data/experimental/map_and_batch",
    symbols=(*_MOVED, *_FUSED),
    recipe="input_functions",
)
