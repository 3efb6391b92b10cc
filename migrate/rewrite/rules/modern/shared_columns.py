"""Creates columns that share a table in a graph, because TensorFlow requires one."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import cluster_configs

_EAGER = "TensorFlow rejects it in eager execution, which Keras uses"


def _find(file: SourceFile) -> Iterator[Change]:
    if cluster_configs.has_estimators(file):
        return  # An Estimator takes the function as it is, and other rules look for its name.
    for match in file.matches(RULE):
        name, imports = bridged_configs.module(file, "as_estimator")
        yield file.replacement(match.node, f"{name}.shared_embedding_columns", imports, _EAGER)


RULE = Rule(
    __name__,
    _find,
    message="Columns that share a table are created in a separate graph.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/v1/feature_column/"
    "shared_embedding_columns",
    symbols=("tf.feature_column.shared_embedding_columns",),
    recipe="feature_columns",
    safe=False,
)
