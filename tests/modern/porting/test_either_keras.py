"""Tests that a ported program does the same with tf_keras and with Keras 3, from start to end."""

import numpy as np
import pytest
import tensorflow as tf

from modern import porting
from modern.porting import heads
from modern.process.chosen_keras import keras

pytestmark = [
    pytest.mark.slow,
    pytest.mark.keras(2, 3),
    pytest.mark.filterwarnings("ignore:.shuffle=True. was passed:UserWarning"),
]
# The loss after nine steps, and a weight after ten, with tf_keras.
LOSS, WEIGHT = 0.350926, 0.8160908818244934
EXAMPLE = {"a": tf.io.FixedLenFeature([1], tf.float32)}


class Model(heads.BinaryClassifier):
    """A model whose first batch creates its variables, as the ports of a model_fn."""

    def __init__(self):
        super().__init__()
        layers = keras.layers
        self.dense = layers.Dense(2, "relu", kernel_initializer="ones", name="dense")
        self.logits = layers.Dense(1, kernel_initializer="ones", name="logits")

    def call(self, features, training=False):
        return self.logits(self.dense(features["a"]))


def data():
    batches = tf.data.Dataset.from_tensor_slices(({"a": [[1.0], [2.0], [3.0]]}, [0, 1, 1]))
    return batches.batch(2).repeat(3)


def restored(folder):
    model = Model()
    model.compile(keras.optimizers.SGD(0.1), jit_compile=False)
    porting.restore(model, folder, save_steps=2)
    return model


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns the folder of a training, and what train_and_evaluate returned."""
    folder = str(tmp_path_factory.mktemp("either_keras") / "model")
    exporters = [porting.FinalExporter("final", porting.parsing(EXAMPLE))]
    model = restored(folder)
    results = porting.train_and_evaluate(
        model, lambda: data().repeat(), data, max_steps=9, exporters=exporters, throttle_secs=0
    )
    model = restored(folder)
    model.fit(data().take(1), callbacks=porting.callbacks(model), verbose=0)
    return folder, *results


def test_an_evaluation_reports_the_same(trained):
    _, metrics, _ = trained
    assert metrics["global_step"] == 9
    np.testing.assert_allclose(metrics["loss"], LOSS, rtol=1e-5)
    np.testing.assert_allclose(metrics["accuracy"], 2 / 3, rtol=1e-6)


def test_a_model_without_variables_continues_from_its_checkpoint(trained):
    folder, _, _ = trained
    model = restored(folder)
    assert porting.evaluate(model, data())["global_step"] == 10
    kernel = porting.variable_value(model, "dense/kernel")
    np.testing.assert_allclose(kernel, [[WEIGHT, WEIGHT]], rtol=1e-5)
    assert porting.variable_names(model)[-1] == "logits/kernel"


def test_an_export_serves_examples(trained):
    _, _, (path,) = trained
    served = tf.saved_model.load(path.decode()).signatures["predict"]
    feature = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0]))
    example = tf.train.Example(features=tf.train.Features(feature={"a": feature}))
    outputs = served(tf.constant([example.SerializeToString()]))
    assert outputs["logits"].shape == (1, 1)
