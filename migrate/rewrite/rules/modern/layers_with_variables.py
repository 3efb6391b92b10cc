"""Replaces layers of tf.layers with variables by Keras layers, if no other code depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile

_VARIABLES = (
    "the layer has its variables for itself: tf.variable_scope, the collections of losses and "
    "UPDATE_OPS do not see them"
)


def _find(file: SourceFile) -> Iterator[Change]:
    yield from layer_calls.changes(file, RULE, layer_calls.WITH_VARIABLES, _VARIABLES)


RULE = Rule(
    __name__,
    _find,
    message="Layers with variables are those of Keras, which keeps them in a model of its own.",
    source="https://www.tensorflow.org/guide/migrate/model_mapping",
    symbols=tuple(f"tf.layers.{name}" for name in layer_calls.WITH_VARIABLES),
    recipe="layers_and_losses",
    examples=(
        Example(
            "import tensorflow.compat.v1 as tf\n"
            "a = tf.ones([2, 3])\n"
            "ones = tf.ones_initializer()\n"
            "x = tf.layers.dense(a, 2, activation=tf.nn.relu, kernel_initializer=ones)\n"
            "y = tf.layers.batch_normalization(a * 3, momentum=0.9, training=False)\n"
            "z = tf.layers.conv2d(tf.ones([1, 3, 3, 1]), 1, 2, kernel_initializer=ones, "
            "name='first')\n",
            "import tensorflow.compat.v1 as tf\n"
            "import tf_keras\n"
            "a = tf.ones([2, 3])\n"
            "ones = tf.ones_initializer()\n"
            "x = tf_keras.layers.Dense(2, activation=tf.nn.relu, kernel_initializer=ones)(a)\n"
            "y = tf_keras.layers.BatchNormalization(momentum=0.9)(a * 3, training=False)\n"
            "z = tf_keras.layers.Conv2D(1, 2, kernel_initializer=ones, "
            "name='first')(tf.ones([1, 3, 3, 1]))\n",
            unsafe=True,
        ),
    ),
    unchanged=(
        "import tensorflow.compat.v1 as tf\n"
        "def f(a):\n    return tf.layers.dense(a, 3, reuse=True)\nx = 1\n",
        "import tf_keras\nx = tf_keras.layers.Dense(3).units\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(a):\n    b = tf.layers.dense(a, 3, kernel_regularizer=g)\n"
        "    return b, tf.losses.get_regularization_loss()\nx = 1\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(a):\n    b = tf.layers.batch_normalization(a, training=True)\n"
        "    return b, tf.get_collection(tf.GraphKeys.UPDATE_OPS)\nx = 1\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(a):\n    with tf.variable_scope('b', initializer=g):\n"
        "        return tf.layers.dense(a, 3)\nx = 1\n",
        "from legacy import estimator as tf_estimator\n"
        "import tensorflow.compat.v1 as tf\n"
        "def model_fn(features, labels, mode):\n"
        "    loss = tf.reduce_mean(tf.layers.dense(features, 1) - labels)\n"
        "    return tf_estimator.EstimatorSpec(mode, loss=loss)\nx = 1\n",
        "from legacy import contrib\n"
        "import tensorflow.compat.v1 as tf\n"
        "def model_fn(features, labels, mode):\n"
        "    head = contrib.estimator.regression_head()\n"
        "    with tf.variable_scope('tower'):\n"
        "        out = tf.layers.dense(features, 1)\n"
        "    return head.create_estimator_spec(features, mode, out, labels)\nx = 1\n",
    ),
    safe=False,
)
