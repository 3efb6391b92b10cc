"""Tests for functions of other files that only write summaries in a model_fn."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run

TASK = """\
from legacy import estimator as e
import tensorflow.compat.v1 as tf
from utils import show

def model_fn(features, labels, mode):
    out = tf.layers.dense(features["a"], 1)
    show(out)
    if mode == "infer":
        return e.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return e.EstimatorSpec(mode, None, loss, train_op)

job = e.Estimator(model_fn, "model")
job.train(lambda: tf.data.Dataset.from_tensors(({"a": [[1.0]]}, [[2.0]])), steps=1)
"""
UTILS = """\
import tensorflow.compat.v1 as tf

def show(value):
    tf.summary.scalar("zeros", tf.nn.zero_fraction(value))
"""


def _rewritten(folder, utils, task=TASK):
    """Rewrites both files, and returns the new text of the task and the reasons of its changes."""
    (folder / "task.py").write_text(task)
    (folder / "utils.py").write_text(utils)
    results = {
        result.path.rpartition("/")[2]: result
        for result in run.results([str(folder)], rules.all_rules("modern"), unsafe=True)
    }
    return results["task.py"].text, " ".join(said.reason for said in results["task.py"].unsafe)


def test_a_model_leaves_out_the_call_and_the_loss_of_summaries_is_said(tmp_path):
    text, reasons = _rewritten(tmp_path, UTILS)
    assert "class Model(tf_keras.Model)" in text
    assert "show(out)" not in text
    assert "its summaries (line" in reasons


@pytest.mark.parametrize(
    "line",
    [
        "    tf.add_to_collection('outputs', value)\n",
        "    seen.append(value)\n",
        "    global last\n    last = value\n",
        "    write(value)\n",
    ],
)
def test_a_function_with_other_effects_is_bridged(line, tmp_path):
    text, _ = _rewritten(tmp_path, f"seen = []\n{UTILS}{line}")
    assert "class Model" not in text
    assert "show(out)" in text


def test_a_function_that_another_file_replaces_is_bridged(tmp_path):
    task = TASK.replace("def model_fn", "import utils\nutils.show = print\n\ndef model_fn")
    text, _ = _rewritten(tmp_path, UTILS, task)
    assert "class Model" not in text
