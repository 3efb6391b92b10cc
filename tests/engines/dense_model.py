"""A model with one hidden layer, which needs much communication and little computing.

Its parameters have 3.3 MB, or as many as the `units` of --model_params make.
"""

import tensorflow as tf
import tf_keras

BATCH_SIZE = 64
_INPUTS = 784


def build_model(params):
    """Returns a compiled model."""
    model = tf_keras.Sequential(
        [
            tf_keras.Input((_INPUTS,)),
            tf_keras.layers.Dense(params.get("units", 1024), "relu"),
            tf_keras.layers.Dense(10),
        ]
    )
    loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf_keras.optimizers.legacy.SGD(0.01), loss)
    return model


def input_fn():
    """Returns endless batches of random numbers."""
    return _batch().repeat()


def eval_input_fn():
    """Returns one batch."""
    return _batch()


def _batch():
    # A stateless draw, because a dataset of a cluster must not create variables.
    seed = [0, 0]
    features = tf.random.stateless_normal((BATCH_SIZE, _INPUTS), seed)
    labels = tf.random.stateless_uniform((BATCH_SIZE,), seed, 0, 10, tf.int64)
    return tf.data.Dataset.from_tensors((features, labels))
