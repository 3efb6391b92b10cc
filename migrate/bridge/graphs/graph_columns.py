"""Feature columns that TensorFlow makes in graphs only, for programs that execute eagerly.

>>> import tensorflow as tf
>>> keys = tf.feature_column.categorical_column_with_identity
>>> [one.name for one in shared_embedding_columns([keys("a", 3), keys("b", 3)], 2)]
['a_shared_embedding', 'b_shared_embedding']
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def shared_embedding_columns(*args: Any, **kwargs: Any) -> list[Any]:
    """Returns columns that share a table, as tf.compat.v1.feature_column makes them.

    They hold nothing of a graph: a model_fn's own has the table.

    Args:
      *args: As TensorFlow's function takes them.
      **kwargs: The same.

    Raises:
      ValueError: As there.
    """
    with tf.Graph().as_default():
        return tf.compat.v1.feature_column.shared_embedding_columns(*args, **kwargs)
