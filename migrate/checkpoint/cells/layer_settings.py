"""Finds recurrent layers of a Keras model whose settings no cell of tf.nn.rnn_cell has.

layer_settings.unlike(model)  # {"lstm/lstm_cell": "lstm/lstm_cell has recurrent_activation=..."}
"""

from __future__ import annotations

import re
from typing import Any


def unlike(model: Any) -> dict[str, str]:
    """Returns reasons by the scope of the cell's variables, as `finding.Cell.unlike`."""
    from migrate import keras_models  # Imports TensorFlow and Keras.

    layers = keras_models.module_of(model).layers
    reasons = {}
    for part in keras_models.parts(model):
        if isinstance(part, (layers.LSTMCell, layers.GRUCell)) and hasattr(part, "kernel"):
            reason = _reason(part)
            if reason:
                scope = _scope(part.kernel, model.name)
                reasons[scope] = f"{scope} {reason}"
    return reasons


def _reason(cell: Any) -> str:
    activation = getattr(cell.recurrent_activation, "__name__", str(cell.recurrent_activation))
    if activation != "sigmoid":
        return (
            f"has recurrent_activation={activation!r}, but the gates of tf.nn.rnn_cell are "
            "sigmoids: give the layer recurrent_activation='sigmoid'."
        )
    if getattr(cell, "reset_after", False):
        return (
            "has reset_after=True, the default, but the GRUCell of tf.nn.rnn_cell applies the "
            "reset gate before the product with its kernel: give the layer reset_after=False."
        )
    return ""


def _scope(variable: Any, model_name: str) -> str:
    # In Keras 3, only the path of a variable has its scope.
    path = getattr(variable, "path", "").removeprefix(f"{model_name}/")
    return (path or re.sub(r":\d+$", "", variable.name)).rpartition("/")[0]
