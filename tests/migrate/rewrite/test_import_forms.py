"""Tests that programs with imports of any form, such as stars, compute the same when rewritten."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.oracle import compare

FORMS = {
    "two names for one module": """
        import tensorflow as tf
        import tensorflow
        x = tf.contrib.layers.flatten(tensorflow.ones([2, 3, 4]))
        """,
    "a submodule under its full name": """
        import tensorflow as tf
        import tensorflow.contrib.slim
        import tensorflow.contrib.layers
        x = tensorflow.contrib.slim.flatten(tf.ones([2, 3, 4]))
        y = tensorflow.placeholder_with_default(1., []).dtype.name
        """,
    "private submodules under their full names": """
        import tensorflow as tf
        import tensorflow.contrib.slim
        import tensorflow.python.framework.dtypes
        import tensorflow.core.framework.graph_pb2 as graph_pb2
        x = tensorflow.python.framework.dtypes.float32.name, graph_pb2.GraphDef.__name__
        y = tensorflow.reduce_sum(tf.ones([2, 3]), keep_dims=True)
        """,
    "a private submodule alone": """
        import tensorflow as tf
        import tensorflow.python.framework.dtypes
        x = tensorflow.python.framework.dtypes.float32.name
        y = tf.placeholder_with_default(1., []).dtype.name
        """,
    "submodules under names": """
        import tensorflow.contrib.slim as slim
        import tensorflow.contrib.layers as layers, tensorflow.contrib.training as training
        import tensorflow as tf, numpy as np
        x = slim.flatten(tf.ones([2, 3, 4])) + layers.flatten(tf.ones([2, 12]))
        y = training.HParams(a=np.pi).a
        """,
    "names in parentheses": """
        import tensorflow as tf
        from tensorflow.contrib.layers import (  # layers
            flatten,   # one
            l2_regularizer as decay,
        )
        x = decay(0.5)(flatten(tf.ones([2, 3, 4])))
        """,
    "names of several places": """
        from tensorflow import (estimator, contrib as c, layers, float32 as f32,
                                ones)
        x = c.layers.flatten(ones([2, 3, 4], f32)), estimator.ModeKeys.TRAIN, layers is not None
        """,
    "public modules below tensorflow": """
        from tensorflow.keras.layers import Dense
        from tensorflow.keras import backend as K
        from tensorflow.nn import relu
        from tensorflow.nn.rnn_cell import BasicLSTMCell
        from tensorflow.train import AdamOptimizer
        import tensorflow.keras as keras
        x = Dense(3).units, keras.layers.Dense(2).units, K.floatx(), relu([-1., 2.])
        y = BasicLSTMCell.__module__, AdamOptimizer.__name__
        """,
    "within functions": """
        def f():
            import tensorflow as tf
            from tensorflow.contrib import layers
            return layers.flatten(tf.ones([2, 3, 4]))
        def g():
            from tensorflow.python.estimator.model_fn import EstimatorSpec, ModeKeys
            return EstimatorSpec.__name__, ModeKeys.EVAL
        x = f()
        y = g()
        """,
    "in try": """
        try:
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()
        except ImportError:
            import tensorflow as tf
        try:
            from tensorflow.contrib import slim
        except ImportError:
            slim = None
        try:
            from tensorflow.contrib import tensorrt as trt
        except ImportError:
            trt = None
        x = tf.layers.flatten(tf.ones([2, 3, 4])), slim is None, trt
        """,
    "private modules": """
        from tensorflow.python.estimator import estimator as estimator_lib
        from tensorflow.python.estimator.export import export
        from tensorflow.contrib.learn.python.learn.estimators import run_config
        from tensorflow.contrib.framework.python.ops import arg_scope, variables
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import array_ops, math_ops
        from tensorflow.python.training import training_util
        from tensorflow.python.util import nest
        x = estimator_lib.Estimator.__name__, export.ServingInputReceiver.__name__
        y = run_config.RunConfig.__name__, callable(arg_scope), nest.is_sequence([1])
        z = math_ops.reduce_sum(array_ops.ones([3])), ops.GraphKeys.UPDATE_OPS
        """,
    "the estimator package": """
        import tensorflow_estimator as tfe
        from tensorflow_estimator.python.estimator.canned import metric_keys
        from tensorflow_estimator.python.estimator.model_fn import LOSS_METRIC_KEY
        import tensorflow_estimator.python.estimator.estimator_lib as lib
        x = metric_keys.MetricKeys.AUC, LOSS_METRIC_KEY, lib.ModeKeys.TRAIN
        """,
    "by functions": """
        import importlib
        import tensorflow as tf
        slim = importlib.import_module("tensorflow.contrib.slim")
        core = importlib.import_module("tensorflow")
        x = slim.flatten(core.ones([2, 3, 4])), getattr(tf, "estimator").ModeKeys.TRAIN
        y = getattr(tf.contrib, "layers").flatten(tf.ones([2, 3])), getattr(tf, "ones")([1])
        """,
    "names that are computed": """
        import tensorflow as tf
        def find(symbol):
            found = tf
            for part in symbol.split("."):
                found = getattr(found, part, None)
                if found is None:
                    return None
            return found
        def make(kind):
            layers = tf.contrib.layers
            one, other = getattr(tf.contrib.layers, kind), getattr(layers, kind)
            return one is other and one.__name__
        x = find("placeholder").__name__, find("nothing.at.all"), make("flatten")
        y = getattr(tf.train, "Adam" + "Optimizer").__name__
        """,
    "names bound again": """
        import tensorflow as tf
        layers, slim = tf.contrib.layers, tf.contrib.slim
        ModeKeys = tf.estimator.ModeKeys
        class Net:
            def __init__(self):
                self.layers = tf.contrib.layers
                self.tf = tf
            def build(self, tf_contrib=None):
                return self.layers.flatten(self.tf.ones([2, 3, 4])), tf_contrib
        def f(tf):
            return tf.contrib
        class Fake:
            contrib = "fake"
        x = Net().build(), ModeKeys.TRAIN, f(Fake)
        y = layers.flatten(slim.flatten(tf.ones([2, 3, 4])))
        """,
    "strings and comprehensions": """
        import tensorflow as tf
        x = [f"{mode}: {tf.estimator.ModeKeys.TRAIN}" for mode in (tf.estimator.ModeKeys.EVAL,)]
        y = {k: v for k, v in [("tf.contrib", tf.estimator.ModeKeys.PREDICT)]}
        def f(mode: "tf.estimator.ModeKeys" = tf.estimator.ModeKeys.TRAIN) -> "tf.Tensor":
            return mode
        z = f()
        """,
    "a name over several lines": """
        import tensorflow as tf
        x = (tf
             .contrib  # here
             .layers
             .flatten(tf.ones([2, 3, 4])))
        y = tf.contrib. \\
            layers.flatten(tf.ones([2, 3]))
        """,
    "star": """
        from tensorflow.contrib.layers import *
        import tensorflow as tf
        x = flatten(tf.ones([2, 3, 4])), callable(l2_regularizer), len([1, 2])
        """,
    "standalone keras": """
        import tensorflow as tf
        import keras
        from keras.models import Sequential
        from keras import backend as K
        x = keras.layers.Dense(2).units, Sequential.__name__, K.epsilon()
        y = tf.placeholder_with_default(3., [])
        """,
    "flags of the program": """
        import sys
        import tensorflow as tf
        flags = tf.app.flags
        FLAGS = flags.FLAGS
        tf.app.flags.DEFINE_string("log_dir", "/tmp/x", "where")
        flags.DEFINE_integer("steps", default_value=3, docstring="how many")
        flags.DEFINE_bool('verbosity', False, 'much')
        sys.argv = ["program", "--steps=4"]
        x = FLAGS.steps, FLAGS.log_dir, FLAGS.verbosity
        """,
    "versions": """
        import tensorflow as tf
        def V(text):
            return tuple(map(int, text.split(".")[:2]))
        x = V(tf.__version__) < V("2.0"), tf.VERSION.split(".")[0] == "1"
        if int(tf.__version__.split(".")[0]) < 2:
            y = "one"
        """,
    "names that NumPy and Python have lost": """
        import collections, time, inspect
        import numpy as np
        import tensorflow as tf
        x = np.zeros(2, np.float), np.array([1], dtype=np.int).dtype.kind, np.bool is not None
        y = isinstance({}, collections.Mapping), time.clock() > -1
        z = tf.placeholder_with_default(3., [])
        """,
    "the default graph": """
        import tensorflow as tf
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            x = session.run(w + 1)
        y = tf.get_default_graph().get_operations()[0].name, tf.executing_eagerly()
        """,
}


@pytest.fixture(scope="module")
def computed():
    before = [tools.textwrap.dedent(text) for text in FORMS.values()]
    after = [
        fixed_point.rewrite(text, tools.TO_LEGACY, plan=tools.plan(names=("tf.keras",))).text
        for text in before
    ]
    return dict(zip(FORMS, zip(before, after, *_run(before, after), strict=True), strict=True))


def _run(before, after):
    return tools.run(before, "old"), tools.run(after, "plain")


@pytest.mark.parametrize("name", FORMS)
def test_a_form_computes_the_same(computed, name):
    _, text, before, after = computed[name]
    assert before, "has no x, y or z"
    assert "raised" not in before, before
    assert compare.differences(before, after) == [], text


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_rewritten_once(computed, name):
    _, text, _, _ = computed[name]
    tools.check_noop(text, tools.TO_LEGACY, names=("tf.keras",))
