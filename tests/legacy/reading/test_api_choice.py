"""Tests of the choice between TensorFlow 1 and 2."""

import ast

import pytest

from legacy.reading import api_choice, used_names


@pytest.mark.parametrize(
    ("text", "api"),
    [
        ("tf.placeholder(tf.float32)", "v1"),
        ("tf.train.AdamOptimizer()", "v1"),
        ("tf.contrib.training.HParams()\ntf.random.set_seed(1)\ntf.GradientTape()", "v1"),
        ("from tensorflow.examples.tutorials.mnist import input_data", "v1"),
        ("from tensorflow.python.estimator import util", "v1"),
        ("tf.data.Dataset.range(3).make_one_shot_iterator()", "v1"),
        ("tf.reduce_sum(x, keep_dims=True)", "v1"),
        ("tf.estimator.Estimator(f)", "v2"),
        ("tf.compat.v1.placeholder(tf.float32)", "v2"),
        ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\ntf.Session()", "v2"),
        ("tf.random.set_seed(1)", "v2"),
        ("tf.keras.layers.TextVectorization()", "v2"),
        ("tf.random.set_seed(1)\ntf.optimizers.Adam()\ntf.log(x)", "v2"),
        ("try:\n    tf.placeholder\nexcept AttributeError:\n    pass", "v2"),
        ("if tf.__version__ < '2':\n    tf.Session()\nelse:\n    tf.compat.v1.Session()", "v2"),
        ("if tf2.enabled():\n    tf.random.set_seed(1)\nelse:\n    tf.set_random_seed(1)", "v1"),
        ("if not tf2.enabled():\n    tf.log(1)\nelse:\n    tf.optimizers.Adam(tf.function)", "v1"),
        ("if IS_TF2:\n    tf.optimizers.Adam()\ntf.random.set_seed(1)", "v2"),
        ("print('no TensorFlow')", "v2"),
    ],
)
def test_choice(text, api):
    tree = ast.parse(f"import tensorflow as tf\n{text}")
    chosen, reason = api_choice.choose(used_names.uses_in(tree, "old.py", True))
    assert chosen == api
    assert not reason or "old.py:" in reason


@pytest.mark.parametrize(
    ("text", "api"),
    [
        ("tf.compat.v1.placeholder(tf.float32)", "v1"),
        ("import tensorflow.compat.v1 as tf\ntf.gradients(y, x)", "v1"),
        ("import tensorflow.compat.v1 as tf\ntf.Session()\ntf.train.AdamOptimizer()", "v2"),
        ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\ntf.placeholder(x)", "v2"),
        ("with tf.Graph().as_default():\n    tf.compat.v1.placeholder(tf.float32)", "v2"),
        ("tf.compat.v1.placeholder(tf.float32)\ntf.estimator.Estimator(f)", "v2"),
        ("tf.compat.v1.placeholder(tf.float32)\ntf.random.set_seed(1)", "v2"),
        ("tf.log(x)", "v1"),
    ],
)
def test_choice_for_a_run(text, api):
    tree = ast.parse(f"import tensorflow as tf\n{text}")
    uses = used_names.uses_in(tree, "old.py", True)
    assert api_choice.for_run(api_choice.choose(uses), uses).api == api
