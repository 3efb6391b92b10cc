"""Checks Keras layers and models that a model_fn makes, so that they behave the same when kept.

    for call in untold(file, node, calls):
        add_training_false(call)
    maker(file, call, local)

TensorFlow 1 did not run the updates of Keras layers, and their calls did not train unless they said
so. In a Keras model, they follow the mode of the model.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks

LAYERS = ("tf.keras.layers.", "tf_keras.layers.")
MODELS = tuple(
    f"{keras}{name}"
    for keras in ("tf.keras.", "tf_keras.")
    for name in ("Model", "Sequential", "applications.VGG", "layers.", "models.")
)
# Parts of the names of layers that differ in training, other than batch normalization.
_TRAINS = ("dropout", "noise")


def untold(file: SourceFile, node: ast.AST, calls: Iterable[ast.Call]) -> list[ast.Call]:
    """Returns the calls that need `training=False`, because they never trained in TensorFlow 1.

    Args:
      file: The file.
      node: Node that makes the layers.
      calls: Calls of them.

    Raises:
      NotUnderstood: The node makes layers that Keras trains in another way than TensorFlow 1 did.
    """
    names = [match.name for match in checks.names_in(file, node)]
    # Only names of `tf.` count: the rule for tf.layers has written those of tf_keras.
    if any(one.startswith("tf.") and one.endswith("BatchNormalization") for one in names):
        raise NotUnderstood(
            "TensorFlow 1 never updated the averages of Keras' batch normalization, but Keras does"
        )
    if not any(word in file.segment(node).lower() for word in _TRAINS):
        return []
    return [one for one in calls if not any(kw.arg in ("training", None) for kw in one.keywords)]


def maker(file: SourceFile, call: ast.Call, local: Collection[str]) -> ast.stmt | None:
    """Returns the function or class of the file that makes a Keras model. None for others.

    Args:
      file: The file.
      call: Call of it.
      local: Names of the function that contains the call.
    """
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    made_in = [
        one
        for one in file.tree.body
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)) and one.name == name
    ]
    if len(made_in) != 1 or name in local:
        return None
    found = [match.name for match in checks.names_in(file, made_in[0])]
    others = [one for one in found if not one.startswith(("tf.keras.", "tf_keras."))]
    is_model = any(one.startswith(MODELS) for one in found)
    return made_in[0] if is_model and not any(map(checks.is_refused, others)) else None
