"""Names that create or use a graph. A program with one of them cannot run as TensorFlow 2 yet.

reason = reason_to_stay(file)
"""

from __future__ import annotations

from collections.abc import Callable

from migrate.rewrite.engine.source_file import Match, SourceFile

_GRAPHS = (
    "tf.ConfigProto",
    "tf.Graph",
    "tf.InteractiveSession",
    "tf.Session",
    "tf.app.",
    "tf.contrib.",
    "tf.estimator.",
    "tf.get_",
    "tf.global_variables",
    "tf.layers.",
    "tf.metrics.",
    "tf.placeholder",
    "tf.summary.",
    "tf.train.",
    "tf.variable_scope",
)
# The names that no rule replaces. The names of other files are known only before their rewrite.
_OF_OTHER_FILES = (
    "tf.ConfigProto",
    "tf.InteractiveSession",
    "tf.Session",
    "tf.get_default_session",
    "tf.global_variables",
    "tf.placeholder",
    "tf.train.Monitored",
    "tf.train.Supervisor",
)
_ESTIMATORS = ("tf.contrib.learn.", "tf.estimator.")


def reason_to_stay(file: SourceFile, stays: Callable[[Match], bool] = lambda match: True) -> str:
    """Returns the reason why a program needs graphs, or "" if none is known.

    Args:
      file: A file of the program.
      stays: Says whether a name stays in the file. By default, all names stay.
    """
    for match in file.names():
        if match.name.startswith(_GRAPHS) and stays(match):
            return f"{match.name} in line {match.node.lineno} needs a graph"
    # Estimators of other files need no graphs if Keras will train in their place.
    estimators = () if file.plan.decisions.trains_keras else _ESTIMATORS
    for name in sorted(file.plan.names_elsewhere):
        if name.startswith((*_OF_OTHER_FILES, *estimators)):
            return f"{name} in another file of the program needs a graph"
    return ""
