"""Feature columns for purely numeric input.

columns = infer_real_valued_columns_from_input(x_train)
classifier = contrib.learn.DNNClassifier([10], columns, n_classes=3)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy import contrib
from legacy.contrib.learn.inputs import data_feeder


def infer_real_valued_columns_from_input_fn(
    input_fn: Callable[[], tuple[Any, Any]],
) -> list[Any]:
    """Returns a column of contrib.layers for each feature.

    Args:
      input_fn: Function that returns (features, labels). It is called in a temporary graph.
    """
    with tf.Graph().as_default():
        features, _ = input_fn()
        return contrib.layers.infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """Returns a column of contrib.layers for features as arrays.

    Args:
      x: An array of shape [examples, ...], or a dict of such arrays.
    """
    feeder = data_feeder.make_feeder(x, None, None, shuffle=False, epochs=1)
    return infer_real_valued_columns_from_input_fn(feeder.input_builder)
