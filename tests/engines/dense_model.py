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
    generator = tf.random.Generator.from_seed(0)
    features = generator.normal((BATCH_SIZE, _INPUTS))
    labels = generator.uniform((BATCH_SIZE,), 0, 10, tf.int64)
    return tf.data.Dataset.from_tensors((features, labels))
