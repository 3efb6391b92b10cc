"""Tests of heads of model_fns: how they are made, and those that Keras models cannot inherit."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

BASE = """\
from legacy import contrib
from legacy import estimator as e
from legacy.estimator.heads.v1 import canned_head as private
import tensorflow.compat.v1 as tf

def model_fn(features, labels, mode, params):
    head = contrib.estimator.binary_classification_head()
    logits = tf.layers.dense(features['x'], head.logits_dimension)
    optimizer = tf.train.AdamOptimizer(params["rate"])
    return head.create_estimator_spec(features, mode, logits, labels, optimizer=optimizer)

job = e.Estimator(model_fn, params={"rate": 1})
"""
V2 = BASE.replace("contrib.estimator.binary_classification_head()", "e.BinaryClassHead()").replace(
    "tf.train.AdamOptimizer(", "tf.keras.optimizers.legacy.Adam("
)
STEP = '(params["rate"])\n    optimizer.iterations = tf.train.get_or_create_global_step()\n'
V2 = V2.replace('(params["rate"])\n', STEP)


def rewritten(text):
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))


def class_of(text):
    """Returns the class of a program, without spaces at the ends of lines."""
    return " ".join(rewritten(text).text.partition("class ")[2].partition("job = ")[0].split())


@pytest.mark.parametrize(
    ("old", "new", "base", "options", "units"),
    [
        ("x", "x", "BinaryClassifier", 'pr_summation="trapezoidal"', "1"),
        (
            "binary_classification_head()",
            "multi_class_head(params['n'], 'w', loss_reduction=tf.losses.Reduction.SUM)",
            "Classifier",
            "weight_column='w', loss_reduction=\"sum\"",
            "params['n']",
        ),
        (
            "_head()\n    logits = tf.layers.dense(features['x'], head.logits_dimension",
            "_head()\n    logits = tf.layers.dense(features['x'], 1, kernel_regularizer=abs",
            "BinaryClassifier",
            'penalties=False, pr_summation="trapezoidal"',
            "1, kernel_regularizer=abs",
        ),
        (
            "binary_classification_head()",
            "regression_head(loss_reduction='weighted_sum_over_batch_size')",
            "Regressor",
            "",
            "1",
        ),
        (
            "contrib.estimator.binary_classification_head()",
            "private._binary_logistic_or_multi_class_head(2, None, None, 'weighted_sum')",
            "BinaryClassifier",
            'loss_reduction="sum", pr_summation="trapezoidal"',
            "1",
        ),
        (
            "contrib.estimator.binary_classification_head()",
            "private._binary_logistic_or_multi_class_head(5)",
            "Classifier",
            'loss_reduction="sum"',
            "5",
        ),
        (
            "contrib.estimator.binary_classification_head()",
            "private._regression_head()",
            "Regressor",
            'loss_reduction="sum"',
            "1",
        ),
        (
            "contrib.estimator.binary_classification_head()",
            "private._regression_head(name=params['name'])",
            "Regressor",
            "loss_reduction=\"sum\", head_name=params['name']",
            "1",
        ),
        (
            "contrib.estimator.binary_classification_head()",
            "e.RegressionHead(2)",
            "Regressor",
            "",
            "2",
        ),
        (
            "contrib.estimator.binary_classification_head()",
            "e.MultiLabelHead(4, loss_reduction='sum')",
            "MultiLabelClassifier",
            'loss_reduction="sum"',
            "4",
        ),
    ],
)
def test_a_head_becomes_the_base_of_the_class(old, new, base, options, units):
    text = BASE.replace(old, new)
    if " e." in new or new.startswith("e."):
        text = text.replace("tf.train.AdamOptimizer(", "tf.keras.optimizers.legacy.Adam(")
        text = text.replace('(params["rate"])\n', STEP)
    made = class_of(text)
    assert f"Model(heads.{base}): " in made
    assert f"super().__init__({options})" in made
    assert f"Dense({units}, name=" in made


@pytest.mark.parametrize(
    "train_op",
    [
        "lambda loss: optimizer.minimize(loss, tf.train.get_global_step())",
        "lambda x: optimizer.minimize(x, global_step=tf.train.get_global_step())",
        "fn",
    ],
)
def test_a_function_makes_the_train_op(train_op):
    function = (
        "    def fn(loss):\n"
        "        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)\n"
        "        with tf.control_dependencies(updates):\n"
        "            op = optimizer.minimize(loss, tf.train.get_global_step())\n"
        "        return op\n"
    )
    text = BASE.replace("optimizer=optimizer", f"train_op_fn={train_op}")
    text = text.replace("    return head", f"{function}    return head")
    assert 'optimizers.Adam(learning_rate=self.params["rate"], epsilon=1e-08)' in class_of(text)


def test_a_name_of_the_model_fn_may_hold_a_setting_of_the_head():
    head = "n = params['n']\n    head = contrib.estimator.multi_class_head(n)"
    text = BASE.replace("head = contrib.estimator.binary_classification_head()", head)
    made = class_of(text)
    assert "Model(heads.Classifier): " in made
    assert "Dense(params['n'], name=" in made


def test_a_keras_optimizer_counts_the_steps():
    assert 'optimizers.legacy.Adam(self.params["rate"])' in class_of(V2)


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        (BASE, "head()", "head(thresholds=[0.3])", "argument thresholds of its head"),
        (BASE, "head()", "head(name=mode)", "its head depends on mode"),
        (BASE, "head()", "head(loss_fn=f)", "argument loss_fn of its head"),
        (BASE, "head()", "head(weight_column=features)", "its head depends on features"),
        (BASE, "head()", "head(**params)", "the head is called with *args or **kwargs"),
        (BASE, "head()", "head(loss_reduction='none')", "loss_reduction 'none' of its head"),
        (
            BASE,
            "contrib.estimator.binary_classification_head()",
            "params['head']",
            "its head is params",
        ),
        (BASE, "optimizer=optimizer", "regularization_losses=[1.0]", "regularization_losses"),
        (BASE, "optimizer=optimizer", "train_op_fn=params['fn']", "train_op_fn params['fn']"),
        (
            BASE,
            "optimizer=optimizer",
            "train_op_fn=lambda loss: optimizer.minimize(2 * loss, tf.train.get_global_step())",
            "minimizes '2 * loss'",
        ),
        (BASE, ", optimizer=optimizer", "", "neither an optimizer nor a train_op_fn"),
        (BASE, "mode, logits, labels", "mode, logits * 2, labels", "not a name of its forward"),
        (BASE, "mode, logits, labels", "mode, logits, labels + logits", "its labels depend"),
        (
            BASE,
            "    return head",
            "    if mode == e.ModeKeys.EVAL:\n"
            "        return e.EstimatorSpec(mode, loss=tf.reduce_mean(logits))\n    return head",
            "does not compute the loss of evaluation",
        ),
        (
            BASE,
            "contrib.estimator.binary_classification_head()",
            "private._binary_logistic_or_multi_class_head(params['n'])",
            "number of classes of its head",
        ),
        (V2, "optimizer.iterations =", "step =", "does not increment the global step"),
        (V2, "optimizer=optimizer", "optimizer=optimizer, update_ops=[f]", "its head runs"),
        (V2, "optimizer=optimizer", "trainable_variables=[f]", "its head trains"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(text, old, new, reason):
    changed = text.replace(old, new)
    assert changed != text
    outcome = rewritten(changed)
    assert outcome.text == changed
    (made,) = outcome.suggestions
    assert reason in made.reason
