"""SGD, Adagrad, Ftrl and ByLayer of the chosen Keras (`modern.process.chosen_keras`).

    optimizer = chosen.Adagrad(0.1)

They compute the same with either Keras, and update a variable in one operation of TensorFlow. The
default optimizers of Keras take several operations, which matters on a parameter server. Those of
Keras 3 also update whole tables for a few rows.
"""

from typing import TYPE_CHECKING

from modern.process import chosen_keras

if TYPE_CHECKING or chosen_keras.version() == 2:
    from tf_keras.optimizers.legacy import SGD, Adagrad, Ftrl, Optimizer

    from modern.optimizers.combined import ByLayer
else:
    from modern.optimizers.keras3 import SGD, Adagrad, ByLayer, Ftrl, Optimizer

__all__ = ["SGD", "Adagrad", "ByLayer", "Ftrl", "Optimizer"]
