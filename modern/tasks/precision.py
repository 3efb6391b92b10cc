"""Mixed precision: layers that compute in 16 bits and keep their weights in float32.

>>> from modern.process.chosen_keras import keras
>>> from modern.tasks import precision
>>> with precision.of_layers("mixed_bfloat16"):
...     layer = keras.layers.Dense(1)
>>> layer.compute_dtype, layer.variable_dtype
('bfloat16', 'float32')
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras


class _ScaledHere(keras.mixed_precision.Policy):
    """mixed_float16 for a model whose loss is scaled by `loss_scaling.LossScale`.

    Keras knows the policy by its name. It would scale the loss in the optimizer, and would refuse
    ParameterServerStrategy.
    """

    @property
    def name(self) -> str:
        return f"{super().name}_scaled_here"


@contextlib.contextmanager
def of_layers(name: str, keras_scales: bool = False) -> Iterator[None]:
    """Makes Keras layers that are created in the block compute in this precision.

    Args:
      name: One of `choices.PRECISIONS`.
      keras_scales: Whether Keras scales the loss of a model that is compiled in the block. If not,
        the model needs a `loss_scaling.LossScale` for float16.
    """
    if name == "none":
        yield
        return
    previous_policy = keras.mixed_precision.global_policy()
    # With Keras 3, `compile` is told who scales the loss.
    is_plain = keras_scales or chosen_keras.version() == 3
    policy = keras.mixed_precision.Policy if is_plain else _ScaledHere
    keras.mixed_precision.set_global_policy(policy(name))
    try:
        yield
    finally:
        keras.mixed_precision.set_global_policy(previous_policy)


def rewrite_graphs(name: str) -> None:
    """Makes TensorFlow replace float32 by 16 bits in graphs that know nothing of precision.

    TensorFlow does it for float16 on GPUs, and for bfloat16 on CPUs that compute with it. Elsewhere
    graphs stay as they are. `tf.train.experimental.enable_mixed_precision_graph_rewrite` did the
    same.

    Args:
      name: One of `choices.PRECISIONS`.
    """
    option = {
        "mixed_float16": "auto_mixed_precision",
        "mixed_bfloat16": "auto_mixed_precision_onednn_bfloat16",
    }.get(name)
    if option:
        tf.config.optimizer.set_experimental_options({option: True})
