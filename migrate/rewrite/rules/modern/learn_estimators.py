"""Replaces Estimators of contrib.learn by those of tf.estimator, which other rules then rewrite."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import learn_calls


def _find(file: SourceFile) -> Iterator[Change]:
    calls = [match.node for match in file.names() if learn_calls.is_estimator(match.name)]
    try:
        replaced = learn_calls.replaced(file)
    except learn_calls.Refused as error:
        if calls:
            yield file.suggestion(calls[0], f"an Estimator of contrib.learn stays: {error}")
        return
    if replaced is not None and calls:
        unsafe = "fit and evaluate become those of tf.estimator"
        unsafe = "; ".join([unsafe, *replaced.problems])
        yield Change(calls[0].lineno, replaced.edits, replaced.imports, unsafe)


RULE = Rule(
    __name__,
    _find,
    message="tf.estimator.Estimator replaces the Estimator of contrib.learn, with EstimatorSpec.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/v1/estimator/Estimator",
    symbols=(
        "tf.contrib.learn.Estimator",
        "tf.contrib.learn.ModelFnOps",
        "tf.contrib.learn.SKCompat",
    ),
    recipe="custom_model_fn",
    safe=False,
)
