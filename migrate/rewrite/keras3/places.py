"""The names of Keras 3, and those of tf_keras that have moved or that compute something else.

>>> is_in_keras("layers.Dense"), is_in_keras("layers.DenseFeatures")
(True, False)
>>> moved("layers.experimental.preprocessing.Rescaling")
'layers.Rescaling'
"""

from __future__ import annotations

import functools

from migrate.rewrite.names import symbol_index

# Functions of losses and metrics that Keras 3 has under one name.
_FUNCTIONS = {
    "kld": "kl_divergence",
    "kullback_leibler_divergence": "kl_divergence",
    "logcosh": "log_cosh",
    "mae": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error",
    "mse": "mean_squared_error",
    "msle": "mean_squared_logarithmic_error",
}
_MOVED = {
    "callbacks.experimental.BackupAndRestore": "callbacks.BackupAndRestore",
    "experimental.CosineDecay": "optimizers.schedules.CosineDecay",
    "experimental.CosineDecayRestarts": "optimizers.schedules.CosineDecayRestarts",
    "layers.experimental.EinsumDense": "layers.EinsumDense",
    **{
        f"{module}.{spelling}": f"losses.{new}"
        for module in ("losses", "metrics")
        for old, new in _FUNCTIONS.items()
        for spelling in (old, old.upper())
    },
}
_PREPROCESSING = "layers.experimental.preprocessing."
# Names that Keras 3 has too, where they compute something else.
OTHERS = {
    "activations.hard_sigmoid": "Keras 3 has another slope of hard_sigmoid, 1/6 instead of 0.2",
    **{
        f"layers.ConvLSTM{rank}D": "Keras 3 has another default of recurrent_activation, with "
        "another slope of hard_sigmoid"
        for rank in (1, 2, 3)
    },
    "models.load_model": "Keras 3 loads no SavedModel, and no objects of tf_keras",
    "models.save_model": "Keras 3 writes no SavedModel by save_model",
    "saving.load_model": "Keras 3 loads no SavedModel, and no objects of tf_keras",
}
# Layers of tf.compat.v1.keras with other defaults than those of TensorFlow 2.
OF_V1 = frozenset(f"layers.{name}" for name in ("GRU", "GRUCell", "LSTM", "LSTMCell"))


def moved(path: str) -> str | None:
    """Returns the name in Keras 3 of a name of tf_keras that has moved. None for other names.

    Args:
      path: The name within Keras.
    """
    if path in _MOVED:
        return _MOVED[path]
    if path.startswith(_PREPROCESSING):
        new = f"layers.{path.removeprefix(_PREPROCESSING)}"
        return new if is_in_keras(new) else None
    return None


@functools.cache
def is_in_keras(path: str) -> bool:
    """Says whether Keras 3 has a name.

    Args:
      path: The name within Keras, which may end with attributes of a class.
    """
    module = "keras"
    for name in path.split("."):
        if not symbol_index.has(module, name):
            return False
        module = f"{module}.{name}"
        if not symbol_index.is_module(module):
            return True  # A class or a function. Its attributes are not known.
    return True
