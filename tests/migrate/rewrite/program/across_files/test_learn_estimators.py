"""Tests for decisions about programs with Estimators of contrib.learn in one of several files."""

from migrate.rewrite import rules
from migrate.rewrite.program import run

DATA = """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

def input_fn():
    return tf.constant([[1.0], [2.0]]), tf.constant([[2.0], [4.0]])
"""
TASK = """\
from legacy import contrib
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
import data

def model_fn(features, labels, mode, params):
    out = tf.layers.dense(features, 1)
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.AdamOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())
    return contrib.learn.ModelFnOps(mode, {"out": out}, loss, train_op)

job = contrib.learn.Estimator(model_fn, params={"rate": 0.1})
job.fit(input_fn=data.input_fn, steps=3)
"""


def test_the_other_file_keeps_the_behavior_that_keras_needs(tmp_path):
    (tmp_path / "data.py").write_text(DATA)
    (tmp_path / "task.py").write_text(TASK)
    results = [*run.results([str(tmp_path)], rules.all_rules("modern"), unsafe=True)]
    assert not any(result.error for result in results)
    texts = {result.path.rpartition("/")[2]: result.text for result in results}
    assert "tf_keras" in texts["task.py"] or "KerasModelFn" in texts["task.py"]
    assert "disable_v2_behavior" not in texts["task.py"]
    assert "disable_v2_behavior" not in texts["data.py"]


def test_without_changes_that_may_alter_results_nothing_is_decided(tmp_path):
    (tmp_path / "data.py").write_text(DATA)
    (tmp_path / "task.py").write_text(TASK)
    results = [*run.results([str(tmp_path)], rules.all_rules("modern"), unsafe=False)]
    texts = {result.path.rpartition("/")[2]: result.text for result in results}
    assert "disable_v2_behavior" in texts["data.py"]
    assert "contrib.learn.Estimator" in texts["task.py"]
