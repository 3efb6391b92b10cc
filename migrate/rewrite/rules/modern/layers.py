"""Replaces layers of tf.layers without variables by Keras layers."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile


def _find(file: SourceFile) -> Iterator[Change]:
    yield from layer_calls.changes(file, RULE, layer_calls.WITHOUT_VARIABLES)


RULE = Rule(
    __name__,
    _find,
    message="Layers without variables are those of Keras, called on what was the first argument.",
    source="https://www.tensorflow.org/guide/migrate/model_mapping",
    symbols=tuple(f"tf.layers.{name}" for name in layer_calls.WITHOUT_VARIABLES),
    recipe="layers_and_losses",
    examples=(
        Example(
            "import tensorflow.compat.v1 as tf\n"
            "a = tf.reshape(tf.range(32.), [1, 4, 4, 2])\n"
            "x = tf.layers.flatten(tf.layers.max_pooling2d(\n"
            "    a,  # the images\n"
            "    pool_size=2, strides=2))\n"
            "y = tf.layers.average_pooling2d(inputs=a, pool_size=2, strides=1, padding='same')\n"
            "z = tf.layers.dropout(a, 0.4, training=False)\n",
            "import tensorflow.compat.v1 as tf\n"
            "import tf_keras\n"
            "a = tf.reshape(tf.range(32.), [1, 4, 4, 2])\n"
            "# the images\n"
            "x = tf_keras.layers.Flatten()(tf_keras.layers.MaxPooling2D(\n"
            "    pool_size=2, strides=2)(a))\n"
            "y = tf_keras.layers.AveragePooling2D(pool_size=2, strides=1, padding='same')(a)\n"
            "z = tf_keras.layers.Dropout(0.4)(a, training=False)\n",
        ),
    ),
    unchanged=(
        "import tensorflow.compat.v1 as tf\n"
        "x = tf.layers.flatten(tf.ones([2, 3]), *[]) is not None\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(a):\n    return tf.layers.dropout(a, 0.5, None, None, True)\nx = 1\n",
        "import tf_keras\nx = tf_keras.layers.Flatten() is not None\n",
    ),
)
