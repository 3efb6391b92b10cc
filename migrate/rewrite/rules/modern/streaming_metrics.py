"""Replaces metrics of tf.contrib.metrics by those of tf.metrics, which take labels first."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names, streaming_metrics


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        if match.call is None:
            yield file.suggestion(match.node, f"{match.name} is named, but not called")
            continue
        args = arguments.bind(match.call, streaming_metrics.parameters(match.name))
        if args is None:
            yield file.suggestion(match.node, f"{match.name} is called with *args or **kwargs")
            continue
        tf, imports = modern_names.tensorflow(file, match)
        parts = [f"{key}={file.segment(value)}" for key, value in args.items()]
        function = f"{tf}.metrics.{streaming_metrics.successor(match.name)}"
        yield file.replacement(match.call, f"{function}({', '.join(parts)})", imports)


RULE = Rule(
    __name__,
    _find,
    message="tf.metrics has the metrics of tf.contrib.metrics, with labels before predictions.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/v1/metrics",
    symbols=streaming_metrics.NAMES,
    recipe="metrics_and_optimizers",
)
