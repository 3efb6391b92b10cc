"""Checks that Keras layers and models of a model_fn behave the same in a Keras model.

    for call in inference_calls(file, node, calls):
        add_training_false(call)
    maker(file, call, local)

TensorFlow 1 did not run the updates of Keras layers, and their calls trained only with
`training=True` or after `set_learning_phase`. In a Keras model, they follow the mode of the model.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks

_WITHOUT_VARIABLES = frozenset(
    (
        *("Activation", "ActivityRegularization", "Add", "AlphaDropout", "Average", "Concatenate"),
        *("Cropping1D", "Cropping2D", "Cropping3D", "Dot", "Dropout", "ELU", "Flatten"),
        *("GaussianDropout", "GaussianNoise", "LeakyReLU", "Masking", "Maximum", "Minimum"),
        *("Multiply", "Permute", "ReLU", "RepeatVector", "Reshape", "Softmax"),
        *("SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "Subtract"),
        *("ThresholdedReLU", "UpSampling1D", "UpSampling2D", "UpSampling3D", "ZeroPadding1D"),
        *("ZeroPadding2D", "ZeroPadding3D"),
    )
)
LAYERS = ("tf.keras.layers.", "tf_keras.layers.")
MODELS = tuple(
    f"{keras}{name}"
    for keras in ("tf.keras.", "tf_keras.")
    for name in ("Model", "Sequential", "applications.VGG", "layers.", "models.")
)
SET_PHASE = tuple(f"{keras}backend.set_learning_phase" for keras in ("tf.keras.", "tf_keras."))
# Parts of the names of layers that differ in training, other than batch normalization.
_TRAINS = ("dropout", "noise")


def inference_calls(file: SourceFile, node: ast.AST, calls: Iterable[ast.Call]) -> list[ast.Call]:
    """Returns the calls that need `training=False`, because they never trained in TensorFlow 1.

    Args:
      file: The file.
      node: Node that makes the layers.
      calls: Calls of the layers.

    Raises:
      NotUnderstood: The node makes layers that Keras trains differently from TensorFlow 1.
    """
    is_idle = has_idle_averages(file, node)
    if not is_idle and any(_is_normalization(match.name) for match in checks.names_in(file, node)):
        raise NotUnderstood(
            "TensorFlow 1 never updated the averages of Keras' batch normalization, but Keras does"
        )
    if not is_idle and not any(word in file.segment(node).lower() for word in _TRAINS):
        return []
    calls = [*calls]
    function = next((part for part in map(file.function, calls) if part is not None), None)
    if function is not None and any(
        match.name in SET_PHASE for match in checks.names_in(file, function)
    ):
        return []
    return [
        call
        for call in calls
        if not any(keyword.arg in ("training", None) for keyword in call.keywords)
    ]


def has_idle_averages(file: SourceFile, node: ast.AST) -> bool:
    """Says whether a node makes batch normalization of Keras, which TensorFlow 1 never updated.

    Args:
      file: The file.
      node: The node.
    """
    return isinstance(node, ast.Call) and _is_normalization(file.name_of(node.func) or "")


def _is_normalization(name: str) -> bool:
    # Only names of `tf.` count: the rule for tf.layers has written those of tf_keras.
    return name.startswith("tf.") and name.endswith(".BatchNormalization")


def maker(file: SourceFile, call: ast.Call, local: Collection[str]) -> ast.stmt | None:
    """Returns the function or class of the file that makes a Keras model. None for other calls.

    Args:
      file: The file.
      call: Call that makes the model.
      local: Names of the function that contains the call.
    """
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    definitions = [
        statement
        for statement in file.tree.body
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == name
    ]
    if len(definitions) != 1 or name in local:
        return None
    names = [match.name for match in checks.names_in(file, definitions[0])]
    others = [
        used_name for used_name in names if not used_name.startswith(("tf.keras.", "tf_keras."))
    ]
    is_model = any(used_name.startswith(MODELS) for used_name in names)
    return definitions[0] if is_model and not any(map(checks.is_refused, others)) else None


def is_without_variables(name: str) -> bool:
    """Says whether a class of Keras layers is known to make no variables.

    Args:
      name: Name of the class.
    """
    return name in _WITHOUT_VARIABLES or "Pooling" in name
