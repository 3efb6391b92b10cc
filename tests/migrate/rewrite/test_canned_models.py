"""Canned Estimators as Keras models: whole programs before and after, and what is left alone."""

import pytest

from migrate.rewrite import engine
from migrate.rewrite.source_file import Context
from tests.migrate.rewrite import tools
from tests.oracle import compare

CANNED = tools.rule("modern", "canned_models")
HEAD = """\
import sys
import tensorflow as tf
from legacy import estimator as tf_estimator
from legacy.compat.v1 import estimator as v1_estimator
column = tf.feature_column
WORDS = ["x", "y", "z"]
number = column.numeric_column("a")
scaled = column.numeric_column("b", shape=[2], normalizer_fn=lambda b: b / 10.0)
buckets = column.bucketized_column(number, [1.0, 2.0, 3.5])
word = column.categorical_column_with_vocabulary_list("w", WORDS)
hashed = column.categorical_column_with_hash_bucket("h", 7)
several = column.categorical_column_with_identity("s", 4)
crossed = column.crossed_column([buckets, "o"], 11)
DATA = {
    "a": [0.5, 1.0, 1.5, 2.5, 9.0],
    "b": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 0.0]],
    "w": ["x", "y", "", "of no list", "z"],
    "s": [[0, 1], [2, -1], [3, 3], [-1, -1], [1, 2]],
    "h": ["x", "y", "", "of no list", "z"],
    "o": ["p", "q", "p", "r", "q"],
    "weight": [1.0, 2.0, 0.5, 1.0, 3.0],
    "no column": [1, 2, 3, 4, 5],
}
LABELS = [0, 1, 1, 0, 1]
def input_fn():
    return tf.data.Dataset.from_tensor_slices((DATA, LABELS)).batch(3).repeat(4)
def last_input_fn():
    return tf.data.Dataset.from_tensor_slices((DATA, LABELS)).batch(3)
"""
# Both trainings begin with the weights of the first checkpoint that the Estimator wrote.
SAME = """\
def same(job):
    import re
    saved = tf.train.load_checkpoint(sys.argv[1] + "/model.ckpt-0")
    names = saved.get_variable_to_shape_map()
    for variable in job.variables:
        name = variable.name.partition(":")[0]
        layer = "dnn/input_from_feature_columns/input_layer/"
        name = re.sub("^dnn/(?=[^/]*_embedding/)", layer, name)
        if "/" in name:
            variable.assign(saved.get_tensor(name))
    assert len([name for name in names if "/" in name]) >= len(job.trainable_variables)
"""
TAIL = """\
job.train(input_fn, steps=6)
x = job.evaluate(last_input_fn)
y = list(job.predict(last_input_fn))
"""
WHOLE = {
    "a linear classifier of every kind of column": (
        "job = tf_estimator.LinearClassifier([number, buckets, word, hashed, several, crossed], "
        "FOLDER)\n"
    ),
    "a linear classifier of three classes": (
        "LABELS = ['u', 'v', 't', 'v', 'u']\n"
        "job = tf_estimator.LinearClassifier(\n"
        "    [scaled, column.weighted_categorical_column(several, 'by')], FOLDER, n_classes=3,\n"
        "    label_vocabulary=['t', 'u', 'v'], optimizer=None, sparse_combiner='mean',\n"
        "    weight_column=column.numeric_column('weight'))\n"
        "DATA['by'] = [[.5, 1.], [2., 0.], [1., 1.], [0., 0.], [3., 1.]]\n"
    ),
    "a deep classifier": (
        "job = tf_estimator.DNNClassifier(\n"
        "    [4, 3], [number, buckets, column.indicator_column(several),\n"
        "             column.indicator_column(crossed),\n"
        "             column.embedding_column(word, 2, combiner='sqrtn')],\n"
        "    FOLDER, optimizer='Adam', activation_fn=tf.nn.tanh, batch_norm=True)\n"
    ),
    "a combined classifier": (
        "job = tf_estimator.DNNLinearCombinedClassifier(\n"
        "    FOLDER, linear_feature_columns=[crossed, word],\n"
        "    dnn_feature_columns=[scaled, column.embedding_column(hashed, 2)],\n"
        "    dnn_hidden_units=[3], weight_column='weight')\n"
    ),
    "a combined classifier of the v1 API": (
        "job = v1_estimator.DNNLinearCombinedClassifier(\n"
        "    FOLDER, linear_feature_columns=[crossed, word], linear_optimizer='SGD',\n"
        "    dnn_feature_columns=[scaled], dnn_hidden_units=[3], weight_column='weight')\n"
    ),
    "a baseline": "job = tf_estimator.BaselineClassifier(FOLDER, n_classes=2)\n",
}
# Columns that share a table cannot be made eagerly.
GRAPH = {
    "a deep regressor with shared embeddings": (
        "tf.compat.v1.disable_v2_behavior()\n"
        "other = column.categorical_column_with_identity('t', 4)\n"
        "DATA['t'] = [0, 1, 2, 3, 0]\n"
        "LABELS = [[0., 1.], [2., 3.], [1., 1.], [0., 2.], [5., 1.]]\n"
        "both = tf.compat.v1.feature_column.shared_embedding_columns([several, other], 3)\n"
        "job = v1_estimator.DNNRegressor(\n"
        "    [3], [scaled] + both, FOLDER, label_dimension=2,\n"
        "    optimizer=tf.compat.v1.train.AdagradOptimizer(0.1))\n"
    )
}


def _programs(tmp_path, texts):
    """The programs with folders of their own, and what becomes of them."""
    before, after = [], []
    for number, text in enumerate(texts.values()):
        folder = str(tmp_path / str(number))
        whole = HEAD + text.replace("FOLDER", repr(folder)) + TAIL
        before.append(whole)
        outcome = engine.rewrite(whole, CANNED, context=Context(api="v2"), unsafe=True)
        assert "_estimator." not in outcome.text, outcome.suggested
        made = outcome.text.replace(repr(folder), repr(f"{folder}-keras"))
        restored = f"porting.restore(job, {folder + '-keras'!r})\n"
        assert restored in made
        given = f"{SAME}sys.argv[1:] = [{folder!r}]\nsame(job)\n"
        after.append(made.replace(restored, restored + given))
    return before, after


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("texts", "how"), [(WHOLE, "eager"), (GRAPH, "graph")])
def test_programs_compute_the_same_as_keras_models(tmp_path, texts, how):
    before, after = _programs(tmp_path, texts)
    expected = tools.run(before, how)
    found = tools.run(after, "eager")
    for title, one, other in zip(texts, expected, found, strict=True):
        assert "raised" not in one, (title, one)
        assert "average_loss" in one["x"], title
        assert compare.differences(one, other) == [], title
