"""Tests that names resolve, without importing legacy, to the objects that legacy serves."""

import json
import os
import subprocess
import sys

from migrate.rewrite.names import symbol_places
from tests.migrate.rewrite import tools

# Private names that programs use, and a name of each kind.
PRIVATE = [
    "tensorflow.contrib.learn.python.learn.learn_runner.run",
    "tensorflow.contrib.training.python.training.hparam.HParams",
    "tensorflow.contrib.slim.python.slim.learning.train",
    "tensorflow.contrib.slim.conv2d",
    "tensorflow.contrib.layers.python.layers.layers.batch_norm",
    "tensorflow.contrib.image.rotate",
    "tensorflow.contrib.tensorrt.create_inference_graph",
    "tensorflow.contrib.factorization.KMeans",
    "tensorflow.contrib.rnn.LSTMBlockCell",
    "tensorflow.contrib.nowhere.nothing",
    "tensorflow.examples.tutorials.mnist.input_data.read_data_sets",
    "tensorflow.python.data.Dataset",
    "tensorflow.python.data.experimental.make_csv_dataset",
    "tensorflow.python.estimator.model_fn.EstimatorSpec",
    "tensorflow.python.estimator.export.export.SupervisedInputReceiver",
    "tensorflow.python.estimator.canned.optimizers.get_optimizer_instance",
    "tensorflow.python.framework.device.DeviceSpec",
    "tensorflow.python.framework.ops.GraphKeys",
    "tensorflow.python.framework.ops.convert_to_tensor",
    "tensorflow.python.keras.api._v1.keras.layers.Dense",
    "tensorflow.python.keras.api.keras.preprocessing.sequence.pad_sequences",
    "tensorflow.python.keras.applications.vgg16.decode_predictions",
    "tensorflow.python.keras.backend.set_session",
    "tensorflow.python.keras.datasets.cifar.load_batch",
    "tensorflow.python.keras.datasets.mnist.load_data",
    "tensorflow.python.keras.engine.topology.Layer",
    "tensorflow.python.keras.estimator.model_to_estimator",
    "tensorflow.python.keras.layers.core.Dropout",
    "tensorflow.python.keras.layers.recurrent.LSTM",
    "tensorflow.python.keras.optimizer_v2.adam.Adam",
    "tensorflow.python.keras.preprocessing.image.Iterator",
    "tensorflow.python.keras.preprocessing.image.load_img",
    "tensorflow.python.keras.preprocessing.sequence",
    "tensorflow.python.keras.preprocessing.sequence._remove_long_seq",
    "tensorflow.python.keras.preprocessing.sequence.pad_sequences",
    "tensorflow.python.keras.preprocessing.text.Tokenizer",
    "tensorflow.python.keras.utils.generic_utils.func_dump",
    "tensorflow.python.training.session_run_hook.SessionRunHook",
    "tensorflow.python.util.nest.is_sequence",
    "tensorflow.pywrap_tensorflow.NewCheckpointReader",
    "tensorflow.estimator.BoostedTreesClassifier",
    "tensorflow.estimator.inputs.numpy_input_fn",
    "tensorflow.keras.estimator.model_to_estimator",
    "tensorflow.compat.v1.estimator.DNNClassifier",
    "tensorflow.compat.v2.estimator.DNNClassifier",
    "tensorflow.mul",
    "tensorflow.nn.rnn_cell.BasicLSTMCell",
    "tensorflow_estimator.python.estimator.estimator.Estimator",
    "tensorflow_estimator.python.estimator.canned.head._RegressionHeadWithMeanSquaredErrorLoss",
]


def names():
    """Returns the names in the API tables and the private names above."""
    facts = json.loads((tools.ROOT / "tests/legacy/data/estimator_api.json").read_text())
    contrib = [f"contrib.{group}.{name}" for group, has in facts["contrib"].items() for name in has]
    estimator = [f"estimator.{name}" for name in facts["tf.compat.v1.estimator"]]
    return [*PRIVATE, *(f"tensorflow.{name}" for name in (*contrib, *estimator))]


def test_homes_are_where_legacy_serves_names_from():
    tasks = [(name, symbol_places.home(name, "v1")) for name in names()]
    done = subprocess.run(
        [sys.executable, "-m", "tests.migrate.rewrite.served"],
        input=json.dumps(tasks),
        capture_output=True,
        text=True,
        cwd=tools.ROOT,
        env={**os.environ, **tools.ENVIRONMENT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_api_says_which_class_is_meant():
    name = "tensorflow.estimator.DNNClassifier"
    assert symbol_places.home(name, "v1") == "legacy.compat.v1.estimator.DNNClassifier"
    assert symbol_places.home(name, "v2") == "legacy.estimator.DNNClassifier"
    assert symbol_places.home("tensorflow.contrib.slim", "v2") is None
    assert symbol_places.home("tensorflow.data.Dataset", "v2") == "tensorflow.data.Dataset"


def test_private_keras_names_keep_the_form_of_their_api():
    module = "tensorflow.python.keras.preprocessing.sequence"
    public = "keras.preprocessing.sequence.pad_sequences"
    assert symbol_places.home(f"{module}.pad_sequences", "v1") == f"tensorflow.compat.v1.{public}"
    assert symbol_places.home(f"{module}.pad_sequences", "v2") == f"tensorflow.{public}"
    api = "tensorflow.python.keras.api._v2.keras.layers"
    assert symbol_places.home(f"{api}.LSTM", "v1") == "tensorflow.compat.v2.keras.layers.LSTM"
    assert symbol_places.home(f"{api}.LSTM", "v2") == "tensorflow.keras.layers.LSTM"


def test_constants_are_written_out():
    assert (
        symbol_places.constant("tensorflow.python.estimator.model_fn.LOSS_METRIC_KEY") == "'loss'"
    )
    assert symbol_places.constant("tensorflow.python.estimator.model_fn.EstimatorSpec") is None
