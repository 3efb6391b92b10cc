"""Feature columns that TensorFlow creates only in graphs, for programs that execute eagerly.

>>> import tensorflow as tf
>>> keys = tf.feature_column.categorical_column_with_identity
>>> [column.name for column in shared_embedding_columns([keys("a", 3), keys("b", 3)], 2)]
['a_shared_embedding', 'b_shared_embedding']
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def shared_embedding_columns(*args: Any, **kwargs: Any) -> list[Any]:
    """Returns columns that share a table, created by tf.compat.v1.feature_column.

    The columns hold no object of the temporary graph. The table is created later, in the graph of
    the model_fn.

    Args:
      *args: Arguments of TensorFlow's function of the same name.
      **kwargs: Keyword arguments of that function.

    Raises:
      ValueError: TensorFlow's function refuses the arguments.
    """
    with tf.Graph().as_default():
        return tf.compat.v1.feature_column.shared_embedding_columns(*args, **kwargs)
