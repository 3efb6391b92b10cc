"""Changes that make the training steps of a model faster. They change no result.

fast_steps.speed_up(model)
"""

from __future__ import annotations

from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.training.steps import packed_transfers, table_reads


def speed_up(model: keras.Model) -> None:
    """Changes the steps that a model traces from now on. A second call changes nothing.

    Args:
      model: The compiled model, under any strategy.
    """
    if not chosen_keras.is_on_tensorflow():
        return  # There are no graphs of TensorFlow.
    table_reads.avoid(model)
    packed_transfers.pack_steps(model)
