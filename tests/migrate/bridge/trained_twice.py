"""One training of a model_fn by the bridge and by an Estimator, from the same initial weights."""

import tempfile

import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from migrate import bridge

STEPS = 3


def on_servers(strategy, model_fn, input_fn):
    """Trains for three steps on parameter servers, and for as many by an Estimator.

    Args:
      strategy: A ParameterServerStrategy.
      model_fn: A model_fn with constant or seeded initial weights.
      input_fn: Returns endless batches.

    Returns:
      The bridge's model, and the values in the checkpoints of both, by their names.
    """
    with strategy.scope():
        model = bridge.KerasModelFn(model_fn)
    batches = tf_keras.utils.experimental.DatasetCreator(lambda _: input_fn())
    model.fit(batches, steps_per_epoch=STEPS, verbose=0)
    with tempfile.TemporaryDirectory() as folder:
        model.save_estimator_checkpoint(f"{folder}/model.ckpt")
        found = _values(folder)
    with tempfile.TemporaryDirectory() as folder:
        tf_estimator.Estimator(model_fn, folder).train(input_fn, steps=STEPS)
        return model, found, _values(folder)


def _values(folder):
    reader = tf.train.load_checkpoint(folder)
    return {name: reader.get_tensor(name).tolist() for name in reader.get_variable_to_shape_map()}
