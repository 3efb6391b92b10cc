"""Tests that rewritten model_fns and canned Estimators pass verification without a map."""

import functools

import pytest
import tf_keras

from migrate import verify
from migrate.verify import results
from tests.migrate.rewrite import model_fn_programs
from tests.migrate.verify import rewritten

PARAMS = {
    "layers_in_a_loop": {"filters": [2, 3], "rate": 0.01},
    "nested_layers": {"lr": 0.3, "batch": 4},
    "keras_layers": {"units": 4},
    "embedded_ids": {"size": 6, "format": "channels_last"},
    "recurrent": {"units": 4},
    "head_of_classes": {"n": 3, "rate": 0.05},
    "tpu_builders": {"size": 4, "batch_size": 4},
    "spec_helpers": {"units": 5, "rate": 0.05},
    "dictionary_helpers": {"units": 5, "rate": 0.05},
    "conditional_metrics": {"more": True},
    "warm_up": {"rate": 0.05, "warmup": 3},
    "collected_losses": {"rate": 0.05, "weight": 0.5},
    "initial_values": {"units": 6, "layers": [1, 2]},
    "settings": {"sizes": [4, 3], "keep": 1.0, "deep": True, "optimizer": "sgd"},
    "loop_scopes": {"seed": 3, "sizes": [2, 3], "units": [5, 4]},
    "cell_builders": {"sizes": [3, 4], "keep": 1.0},
    "bound_arguments": {"rate": 0.05},
    "classic_optimizers": {"optimizer": "rmsprop"},
    "late_shapes": {"size": 3},
    "lookup_tables": {"size": 4},
    "network_objects": {"size": 4},
    "sized_blocks": {"sizes": [4, 4]},
    "registered_networks": {"network": "deep", "act": "tanh", "scale": 0.7},
    "methods_in_loops": {"sizes": [4, 3]},
    "scope_defaults": {"size": 7},
    "looped_cells": {"sizes": [2, 3], "keep": 1.0},
    "nested_loops": {"blocks": [1, 2]},
    "streamed_metrics": {"epsilon": 1e-3, "classes": 3, "optimizer": "sgd", "rate": 0.1},
}


# Model_fns that are made, and their classes.
MADE = {
    "methods": (
        lambda before: before.Classifier([5, 4], 0.05).model_fn,
        lambda after: lambda: after.ClassifierModel(after.Classifier([5, 4], 0.05)),
    ),
    "closure": (
        lambda before: before.make_model_fn(6, 0.05),
        lambda after: after.make_model_fn(6, 0.05),
    ),
    "bound_arguments": (
        lambda before: functools.partial(before.model_fn, layers=[4, 3], scale=0.5),
        lambda after: lambda params: after.Model(params, layers=[4, 3], scale=0.5),
    ),
    "methods_in_loops": (
        lambda before: before.Network(5).model_fn,
        lambda after: lambda params: after.NetworkModel(after.Network(5), params),
    ),
}


def check(before, after, params=None, name="", **options):
    if name in MADE:
        model_fn, model = (make(one) for make, one in zip(MADE[name], (before, after), strict=True))
    else:
        model_fn = next(one for name, one in vars(before).items() if name.endswith("model_fn"))
        model = rewritten.only(after, tf_keras.Model)
    params = getattr(before, "hparams", params)
    options = {"update_steps": 1, "eval_batches": 2, **options}
    return verify.verify(model_fn, model, before.input_fn, params=params, **options)


def check_same(report):
    found = [(level.number, level.verdict, level.findings) for level in report.levels[:6]]
    assert report.verdict == results.SAME, found


@pytest.mark.parametrize("name", model_fn_programs.ALL)
def test_a_model_fn_of_each_shape_verifies(name, tmp_path):
    before, after = rewritten.modules(tmp_path, name, model_fn_programs.ALL[name])
    check_same(check(before, after, PARAMS.get(name), name))


HEAD = "import numpy as np\nimport tensorflow as tf\n"
MODEL_FN = """
def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    net = features["x"]
{body}
    logits = tf.layers.dense(net, 3, name="logits", kernel_regularizer=tf.nn.l2_loss)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={{"classes": tf.argmax(logits, 1)}})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss += tf.losses.get_regularization_loss()
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={{
            "accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}})
    optimizer = tf.train.AdamOptimizer(0.01)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    random = np.random.RandomState(0)
    x = random.normal(size=(16, 4)).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({{"x": x}}, random.randint(3, size=16))).batch(8)

job = tf.estimator.Estimator(model_fn, params={{"units": [4, 4, 4]}})
job.train(input_fn)
"""
BLOCK = """
def block(x, units, training):
    x = tf.layers.dense(x, units, tf.nn.relu)
    x = tf.layers.batch_normalization(x, training=training)
    return tf.layers.dense(x, units, tf.nn.tanh)
"""
# All layers have the same shape, so that only names can distinguish their variables.
NAMES = {
    "two layers in a loop, others around it": (
        "",
        """
    net = tf.layers.dense(net, 4, tf.nn.relu)
    for units in params["units"]:
        net = tf.layers.dense(net, units, tf.nn.relu)
        net = net + tf.layers.dense(net, units, tf.nn.tanh)
    net = tf.layers.dense(net, 4, tf.nn.tanh)""",
    ),
    "a function called again and again, in scopes and in a function": (
        BLOCK
        + "def stage(x, training):\n"
        + "    with tf.variable_scope('stage'):\n"
        + "        x = block(x, 4, training)\n"
        + "        return block(x, 4, training)\n",
        """
    for units in params["units"]:
        net = net + block(net, units, training)
    with tf.variable_scope("one"):
        net = block(net, 4, training)
    with tf.variable_scope("two"):
        net = stage(net, training)
    net = tf.layers.dense(net, 4)""",
    ),
    "layers under a condition, in a function and beside it": (
        """
def block(x, units, widens, training):
    shortcut = x
    if widens:
        shortcut = tf.layers.dense(x, units)
    return shortcut + tf.layers.dense(x, units, tf.nn.relu)
""",
        """
    for i, units in enumerate(params["units"]):
        net = block(net, units, i == 1, training)
    if params.get("more"):
        net = tf.layers.dense(net, 4)
    net = tf.layers.dense(net, 4, tf.nn.tanh)""",
    ),
    "scopes that are arguments, with layers and variables": (
        """
def fc(x, units, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [4, units])
        return tf.nn.relu(tf.matmul(tf.layers.dense(x, units), w))
""",
        """
    with tf.variable_scope("outer"):
        w = tf.get_variable("w", [4, 4])
        net = fc(tf.matmul(net, w), 4, "one")
    net = fc(net, 4, "two")
    net = tf.layers.dense(net, 4, tf.nn.tanh, name="dense")
    net = tf.layers.dense(net, 4)""",
    ),
}


@pytest.mark.parametrize("title", NAMES)
def test_variables_keep_their_names(title, tmp_path):
    parts, body = NAMES[title]
    program = HEAD + parts + MODEL_FN.format(body=body.strip("\n"))
    before, after = rewritten.modules(tmp_path, "names", program)
    report = check(before, after, {"units": [4, 4, 4]}, eval_batches=1)
    check_same(report)
    assert len(report.pairs) > 8
    assert [
        pair for pair in report.pairs.items() if not f"/{pair[1]}".endswith(f"/{pair[0]}")
    ] == []


SATURATED = {
    "tanh": """
    for i in range(3):
        h = tf.layers.dense(net, 4, tf.nn.tanh)
        net = net + tf.layers.dense(h, 4, tf.nn.softplus)
    net = tf.nn.l2_normalize(net, 1)""",
    "sigmoid": """
    net = tf.layers.dense(net, 8, tf.nn.sigmoid)
    net = tf.layers.dense(net, 8, tf.nn.sigmoid)
    net = tf.layers.dense(net, 8, tf.nn.sigmoid)""",
}


@pytest.mark.parametrize("activation", SATURATED)
def test_the_rounding_of_saturated_units_is_no_difference(activation, tmp_path):
    program = HEAD + MODEL_FN.format(body=SATURATED[activation].strip("\n"))
    before, after = rewritten.modules(tmp_path, "saturated", program)
    report = check(before, after, {"units": [4]}, eval_batches=1)
    check_same(report)
    assert any("below a thousandth" in note for note in report.levels[4].notes)


BODY = "    net = tf.layers.dense(net, 4, tf.nn.relu)"
DEFECTS = {
    "another activation": ("tf.nn.relu", "tf.nn.relu6", "the layer dense (Dense"),
    "another learning rate": ("learning_rate=0.01", "learning_rate=0.011", "dense/kernel"),
    "another epsilon": ("epsilon=1e-08", "epsilon=1e-07", "dense/kernel"),
    "a dropped regularizer": (
        ", kernel_regularizer=tf.nn.l2_loss)",
        ")",
        "Regularization is",
    ),
    "a layer that is left out": ("net = self.dense(net)", "net = net * 1.0", "has no counterpart"),
    "another metric": ("tf.argmax(logits, 1))", "tf.argmax(-logits, 1))", "accuracy"),
}


@pytest.mark.parametrize("title", DEFECTS)
def test_a_defect_in_a_generated_model_is_named(title, tmp_path):
    right, wrong, named = DEFECTS[title]
    before, after = rewritten.texts(HEAD + MODEL_FN.format(body=BODY))
    planted = after.replace(right, wrong)
    assert planted != after, after
    modules = [
        rewritten.module(tmp_path, name, text)
        for name, text in (("defect_before", before), ("defect_after", planted))
    ]
    report = check(*modules, {"units": []})
    assert report.verdict == results.DIFFERENT
    assert named in " ".join(text for level in report.levels for text in level.findings)


CANNED = """\
import tensorflow as tf
column = tf.feature_column
word = column.categorical_column_with_vocabulary_list("w", ["x", "y", "z"])

def make(model_dir):
    job = tf.estimator.DNNLinearCombinedClassifier(
        model_dir, linear_feature_columns=[word],
        dnn_feature_columns=[column.numeric_column("a"), column.embedding_column(word, 2)],
        dnn_hidden_units=[3], weight_column="weight")
    return job

def input_fn():
    features = {"a": [0.5, 1.0, 1.5, 2.5], "w": ["x", "y", "", "z"], "weight": [1.0, 2.0, 0.5, 1.0]}
    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1, 0])).batch(2)

def main():
    job = make("model")
    job.train(input_fn, steps=6)
    return job.evaluate(input_fn)

x, y = main(), 1
"""


# Only the program knows its columns, so they go into the model themselves.
OWN_COLUMNS = CANNED.replace("[word],", "[word][:1],").replace('"a"),', '"aaaa"[:1]),')


@pytest.mark.parametrize(
    ("program", "defect"),
    [
        (CANNED, None),
        (CANNED, ("dnn/hiddenlayer_0", '"relu"', '"tanh"')),
        (OWN_COLUMNS, None),
        (OWN_COLUMNS, ("dnn/hiddenlayer_0", "[3]", '[3], activation="tanh"')),
    ],
    ids=["layers", "layers, a defect", "columns", "columns, a defect"],
)
def test_a_canned_estimator_is_compared_with_the_model_that_takes_its_place(
    program, defect, tmp_path
):
    before, after = rewritten.texts(program, "v2")
    assert ("column_models." in after) == (program == OWN_COLUMNS)
    if defect:
        layer, right, wrong = defect
        assert right in after
        after = after.replace(right, wrong)
    old = rewritten.module(tmp_path, "canned_before", before)
    new = rewritten.module(tmp_path, "canned_after", after)
    report = verify.verify(old.make, new.make, old.input_fn, update_steps=1, eval_batches=2)
    if defect:
        assert report.verdict == results.DIFFERENT
        assert layer in " ".join(report.levels[1].findings)
    else:
        check_same(report)
