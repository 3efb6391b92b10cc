"""Written for any TensorFlow: installs old ones in its own process; prints facts as JSON."""

import json

import library
import tensorflow as tf
from absl import flags  # noqa: F401 - as programs import it
from tensorflow import keras

import legacy

FACTS = {"before": [hasattr(tf, "estimator"), tf.__version__.startswith("2.15")]}

first = legacy.install()
FACTS["v2"] = [
    tf.__version__,
    tf.estimator.Estimator.__name__,
    tf.compat.v1.estimator.Estimator.__name__,
    tf.executing_eagerly(),
    hasattr(tf, "Session"),
    legacy.install() is first,
    tf.keras.__name__.startswith("tf_keras"),
    keras is not None,
    callable(tf.keras.estimator.model_to_estimator),
]


def error_of(name):
    try:
        return str(eval(name))
    except (AttributeError, ImportError) as error:
        return f"{type(error).__name__}: {error}"


FACTS["v2 errors"] = [error_of("tf.placeholder"), error_of("__import__('tensorflow.contrib')")]

second = legacy.install(api="v1", tf_version="1.4.0")
with tf.Session() as session:
    FACTS["v1"] = [tf.VERSION, int(session.run(tf.constant(3))), tf.estimator.Estimator.__name__]

import tensorflow.contrib.training  # noqa: E402
from tensorflow.keras import layers  # noqa: E402

FACTS["v1"] += [
    layers.__name__ == tf.keras.layers.__name__,
    tensorflow.contrib.training.HParams(a=1).a,
    library.sees("Session"),
]
try:
    from tensorflow.contrib import tensorrt  # noqa: F401
except ImportError as error:
    FACTS["v1"].append(str(error))

import ast  # noqa: E402

from legacy.reading import used_names  # noqa: E402
from legacy.shim import report  # noqa: E402

PROGRAM = """import tensorflow as tf
tf.contrib.training.HParams(); tf.nn.relu
tf.contrib.tensorrt.convert
tf.estimator.Estimator.no_such_method
tf.flags.FLAGS.anything
from tensorflow.contrib.training import NoSuchName
"""
FACTS["report"] = [
    [use.line, use.name, trouble]
    for use, trouble in report.missing(used_names.uses_in(ast.parse(PROGRAM), "old.py"))
]

second.undo()
FACTS["after"] = [hasattr(tf, "estimator"), hasattr(tf, "Session"), tf.executing_eagerly()]
FACTS["after"].append(tf.__version__ == library.VERSION)
print(json.dumps(FACTS))
