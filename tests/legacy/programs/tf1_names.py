"""Written for TensorFlow 1: prints its names as JSON. Then it uses one that is gone."""

import importlib
import json
import logging
import os
import sys
from unittest import mock

os.environ["TF_CONFIG"] = json.dumps(
    {
        "environment": "cloud",
        "cluster": {"master": ["localhost:2222"]},
        "task": {"type": "master", "index": 0},
    }
)

import library  # noqa: E402 - beside this file in the test, but in a site-packages
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow import estimator as estimator_of_tf  # noqa: E402
from tensorflow.contrib.training.python.training import hparam  # noqa: E402
from tensorflow.keras import backend  # noqa: E402
from tensorflow.python import data as private_data  # noqa: E402
from tensorflow.python import pywrap_tensorflow  # noqa: E402
from tensorflow.python.estimator import util  # noqa: E402
from tensorflow.python.estimator.canned import head, optimizers  # noqa: E402
from tensorflow.python.estimator.export import export  # noqa: E402
from tensorflow.python.estimator.model_fn import ModeKeys  # noqa: E402
from tensorflow.python.framework import device  # noqa: E402
from tensorflow.python.training import session_run_hook, training_util  # noqa: E402
from tensorflow.python.util import nest  # noqa: E402
from tensorflow_estimator.python.estimator import estimator as private_estimator  # noqa: E402
from tensorflow_estimator.python.estimator import estimator_export  # noqa: E402
from tensorflow_estimator.python.estimator.head import binary_class_head  # noqa: E402

flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_integer("steps", 1, "Steps.")
flags.DEFINE_string("log_dir", "logs", "A flag that absl has too.")

FACTS = {}


class Watched(tf.estimator.Estimator):
    """Overrides the methods that programs overrode."""

    calls = []

    @staticmethod
    def _assert_members_are_not_overridden(self):
        self.calls.append("_assert_members_are_not_overridden")

    def _train_model(self, input_fn, hooks, saving_listeners):
        self.calls.append("_train_model")
        return super()._train_model(input_fn, hooks, saving_listeners)

    def _call_model_fn(self, features, labels, mode, config):
        self.calls.append(f"_call_model_fn {mode}")
        return super()._call_model_fn(features, labels, mode, config)


@estimator_export.estimator_export("estimator.model_fn")
def model_fn(features, labels, mode, params):
    predicted = tf.layers.dense(features["x"], 1, name="dense")
    loss = tf.losses.mean_squared_error(labels, predicted)
    step = training_util.get_global_step()
    train_op = tf.train.GradientDescentOptimizer(params.rate).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def by_name(name):
    found = tf
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def versions():
    said = tf.__version__, tf.VERSION, tf.version.VERSION, tf.compat.v1.__version__
    FACTS["versions"] = [*said, tf.__version__ >= "2.0", tf.GIT_VERSION.startswith("v1.")]
    FACTS["library"] = [tf.__version__ == library.VERSION, library.sees("Session")]
    FACTS["dynamic"] = [
        importlib.import_module("tensorflow").VERSION,
        sys.modules["tensorflow"].VERSION,
        __import__("tensorflow").VERSION,
    ]
    FACTS["has"] = [hasattr(tf, name) for name in ("Session", "contrib", "optimizers", "nothing")]
    seen = []
    tf.data.Dataset.range(2).map(lambda x: seen.append(by_name("placeholder")) or x)
    FACTS["in a dataset"] = seen == [tf.placeholder]
    FACTS["eager"] = tf.executing_eagerly()


def names():
    Estimator = tf.estimator.Estimator
    FACTS["same"] = [
        estimator_of_tf.Estimator is Estimator,
        private_estimator.Estimator is Estimator,
        tf.compat.v1.estimator.Estimator is Estimator,
        private_estimator.EstimatorV2 is not Estimator,
        export.ServingInputReceiver is tf.estimator.export.ServingInputReceiver,
        ModeKeys is tf.estimator.ModeKeys,
        session_run_hook.SessionRunHook is tf.train.SessionRunHook,
        hparam.HParams is tf.contrib.training.HParams,
        binary_class_head.BinaryClassHead is tf.estimator.BinaryClassHead,
    ]
    FACTS["callable"] = [
        callable(name)
        for name in (
            head._binary_logistic_head_with_sigmoid_cross_entropy_loss,
            optimizers.get_optimizer_instance,
            tf.keras.estimator.model_to_estimator,
            tf.keras.layers.DenseFeatures,
            backend.set_learning_phase,
            tf.nn.rnn_cell.BasicLSTMCell,
            tf.train.Supervisor,
            tf.pywrap_tensorflow.NewCheckpointReader,
            pywrap_tensorflow.NewCheckpointReader,
            tf.contrib.learn.learn_runner.run,
        )
    ]
    FACTS["v1 forms"] = [
        private_data.Dataset is tf.data.Dataset,
        device.DeviceSpec.from_string("/cpu:0") == tf.DeviceSpec.from_string("/cpu:0"),
        hasattr(device.DeviceSpec, "merge_from"),
    ]
    FACTS["nest"] = [nest.is_sequence([1]), nest.flatten([1, [2]])]
    FACTS["fn_args"] = util.fn_args(lambda features, labels: None)
    FACTS["numpy"] = [np.zeros(1, dtype=np.float).dtype.name, np.int is int, bool(np.bool(1))]
    with mock.patch("tensorflow.gfile.Exists", return_value="mocked"):
        FACTS["mocked"] = tf.gfile.Exists("anything")
    FACTS["handlers"] = len(logging.getLogger("tensorflow").handlers)


def train():
    estimator = Watched(model_fn, params=tf.contrib.training.HParams(rate=0.1))
    ones = np.ones((4, 1), np.float32)
    input_fn = tf.estimator.inputs.numpy_input_fn({"x": ones}, ones, batch_size=2, shuffle=False)
    estimator.train(input_fn, steps=FLAGS.steps)
    FACTS["train"] = [
        estimator.get_variable_names(),
        int(estimator.get_variable_value("global_step")),
        estimator.config.task_type,
        Watched.calls,
    ]


def main(argv):
    FACTS["argv"] = argv[1:]
    FACTS["flags"] = [FLAGS.steps, FLAGS.log_dir, sorted(FLAGS.__flags.keys() & {"steps", "nope"})]
    FLAGS.log_dir = "elsewhere"
    FACTS["flags"] += [FLAGS._parse_flags(["--steps=2", "x"]), FLAGS.steps]
    versions()
    names()
    train()
    print(json.dumps(FACTS))
    tf.contrib.tensorrt.create_inference_graph()


if __name__ == "__main__":
    tf.app.run()
