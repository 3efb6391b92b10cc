"""Tests for model_fns that Estimators in other files train: all files change, or none."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import files
from migrate.rewrite.program import run
from tests.migrate.rewrite import tools
from tests.oracle import compare

MODEL = """\
import numpy as np
import tensorflow as tf

def start(shape, dtype=tf.float32, partition_info=None):
    size = int(np.prod(shape))
    return tf.cast(tf.reshape(tf.sin(tf.range(1.0, size + 1.0)), shape) * 0.3, dtype)

def network(net, units, training):
    net = tf.layers.dense(net, units, tf.nn.tanh, kernel_initializer=start)
    return tf.layers.batch_normalization(net, training=training, momentum=0.5)

def model_fn(features, labels, mode, params):
    net = network(features["a"], params["units"], mode == tf.estimator.ModeKeys.TRAIN)
    out = tf.layers.dense(net, 1, kernel_initializer=start)[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    metrics = {"mae": tf.metrics.mean_absolute_error(labels, out)}
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)
"""
TASK = """\
import tensorflow as tf
{imports}

def input_fn(epochs=1):
    data = ({{"a": [[0.5], [1.5], [2.5], [3.0]]}}, [1.0, 3.0, 4.0, 6.0])
    return tf.data.Dataset.from_tensor_slices(data).repeat(epochs).batch(2)

def main():
    job = tf.estimator.Estimator({name}, "job", params={{"units": 3}})
    train = tf.estimator.TrainSpec(lambda: input_fn(None), max_steps=7)
    evaluate = tf.estimator.EvalSpec(input_fn, None, throttle_secs=0)
    found = tf.estimator.train_and_evaluate(job, train, evaluate)
    return found[0], list(job.predict(input_fn))
"""
RUN = """\
import importlib, os, sys
sys.path.insert(0, FOLDER)
os.chdir(FOLDER)
for name in ("model", "task"):
    sys.modules.pop(name, None)
x, y = importlib.import_module("task").main()
sys.path.remove(FOLDER)
"""


def _rewritten(folder, **programs):
    """Rewrites the files of a program to modern, and returns their texts and the suggestions."""
    folder.mkdir(exist_ok=True)
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    said = []
    for to in ("legacy", "modern"):
        for result in [*run.results([str(folder)], rules.all_rules(to), unsafe=True)]:
            assert not result.error
            files.write(result.file, result.text)
            said += result.suggestions if to == "modern" else ()
    return {name: (folder / f"{name}.py").read_text() for name in programs}, said


def _task(imports="from model import model_fn", name="model_fn"):
    return TASK.format(imports=imports, name=name)


def test_a_program_of_two_files_computes_the_same(tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    (old / "model.py").write_text(MODEL)
    (old / "task.py").write_text(_task())
    texts, said = _rewritten(tmp_path / "new", model=MODEL, task=_task())
    assert said == []
    assert "class Model(tf_keras.Model):" in texts["model"]
    assert "def model_fn(" not in texts["model"]
    assert "from model import Model\n" in texts["task"]
    assert "num_replicas_in_sync" in texts["model"]  # A cluster may train it.
    for gone in ("disable_v2_behavior", "bridge"):
        assert gone not in texts["model"] + texts["task"]
    again = [*run.results([str(tmp_path / "new")], rules.all_rules("modern"), unsafe=True)]
    assert not any(result.is_rewritten for result in again)
    before = tools.run([RUN.replace("FOLDER", repr(str(old)))], "old")
    after = tools.run([RUN.replace("FOLDER", repr(str(tmp_path / "new")))], "plain")
    assert before[0]["x"]["global_step"] == 7, before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize(
    ("imports", "name", "expected"),
    [
        ("import model", "model.model_fn", "job = model.Model({"),
        ("import model as m", "m.model_fn", "job = m.Model({"),
        ("from model import model_fn as fn", "fn", "from model import Model\n"),
        ("from model import start, model_fn", "model_fn", "from model import start, Model\n"),
        ("from model import (\n    model_fn,\n)", "model_fn", "import (\n    Model,\n)"),
        ("from model import model_fn\nModel = 3", "model_fn", "import Model as Model_\n"),
    ],
)
def test_the_class_is_imported_as_the_function_was(imports, name, expected, tmp_path):
    texts, _ = _rewritten(tmp_path, model=MODEL, task=_task(imports, name))
    assert expected in texts["task"]
    assert "Estimator(" not in texts["task"]


@pytest.mark.parametrize(
    ("imports", "alias", "expected"),
    [
        ("import model", "model.model_fn", "job = model.Model({"),
        ("from model import model_fn", "model_fn", "job = Model({"),
    ],
)
def test_an_alias_of_the_function_is_removed(imports, alias, expected, tmp_path):
    task = _task(imports, "fn").replace("    job =", f"    fn = {alias}\n    job =")
    texts, _ = _rewritten(tmp_path, model=MODEL, task=task)
    assert expected in texts["task"]
    assert "fn =" not in texts["task"]
    assert "def model_fn(" not in texts["model"]


def test_an_alias_with_other_uses_stays(tmp_path):
    alias = "    fn = model.model_fn\n    print(fn)\n    job ="
    task = _task("import model", "fn").replace("    job =", alias)
    texts, _ = _rewritten(tmp_path, model=MODEL, task=task)
    assert "class Model(" not in texts["model"]
    assert "bridge.KerasModelFn(fn" in texts["task"]


@pytest.mark.parametrize(
    ("other", "is_in_task"),
    [("import model\nprint(model.model_fn)\n", False), ("print(model_fn)\n", True)],
)
def test_a_function_that_has_other_uses_stays_beside_the_class(other, is_in_task, tmp_path):
    programs = {"model": MODEL, "task": _task() + (other if is_in_task else "")}
    programs |= {} if is_in_task else {"other": other}
    texts, _ = _rewritten(tmp_path, **programs)
    assert "class Model(tf_keras.Model):" in texts["model"]
    assert "def model_fn(" in texts["model"]
    imported = "from model import model_fn, Model\n" if is_in_task else "from model import Model\n"
    assert imported in texts["task"]


STARS = "from model import *\nfrom helpers import *"


def test_the_class_of_a_star_import_is_imported_by_name(tmp_path):
    helpers = "def helper():\n    pass\n"
    texts, _ = _rewritten(tmp_path, model=MODEL, task=_task(STARS), helpers=helpers)
    assert "class Model(" in texts["model"]
    assert f"{STARS}\nfrom model import Model\n" in texts["task"]
    assert "job = Model({" in texts["task"]


@pytest.mark.parametrize(
    ("imports", "helpers", "reason"),
    [
        (STARS, "def model_fn():\n    pass\n", "not a function of this file"),
        (STARS, "__all__ = ['helper']\n", "not a function of this file"),
        (STARS, "from os import *\n", "not a function of this file"),
        (STARS, "class Model:\n    pass\n", "the name Model of its class has another meaning"),
        ("if True:\n    from model import *", "", "not a function of this file"),
    ],
)
def test_a_star_import_that_may_bring_another_name_stays(imports, helpers, reason, tmp_path):
    programs = {"model": MODEL, "task": _task(imports), "helpers": helpers}
    texts, _ = _rewritten(tmp_path, **programs)
    assert "class Model(" not in texts["model"]
    assert "bridge.KerasModelFn(model_fn" in texts["task"]
    assert reason in texts["task"]


def test_the_class_of_a_function_that_stays_is_written_once(tmp_path):
    call = 'network(features["a"], params["units"], mode == tf.estimator.ModeKeys.TRAIN)'
    model = MODEL.replace(call, 'features["a"]')
    other = "import model\nprint(model.model_fn)\n"
    texts, _ = _rewritten(tmp_path, model=model, task=_task(), other=other)
    assert texts["model"].count("class Model") == 1
    assert texts["model"].count("def model_fn(") == 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("AdagradOptimizer", "ProximalAdagradOptimizer", "ProximalAdagradOptimizer (model.py)"),
        (
            "[:, 0]",
            "[:, 0] * tf.make_template('half', abs)(1.0)",
            "uses tf.make_template in line 14 of model.py",
        ),
        ("mode, params):", "mode, params, *a):", "it takes *args or **kwargs (model.py)"),
        ("def model_fn", "@tf.function\ndef model_fn", "not a plain function"),
    ],
)
def test_what_is_not_understood_is_bridged_with_the_reason(old, new, reason, tmp_path):
    texts, _ = _rewritten(tmp_path, model=MODEL.replace(old, new, 1), task=_task())
    assert "bridge.KerasModelFn(model_fn, params=" in texts["task"]
    assert "class Model" not in texts["model"]
    comment = reason.replace(" in line 14 of", " in")
    assert (
        f"# There is no Keras model for it yet: {'it ' * comment.startswith('uses')}"
        in (texts["task"])
    )
    assert comment in texts["task"]


def test_an_estimator_that_stays_keeps_the_function(tmp_path):
    task = _task().replace("job.predict(", "job.experimental(")
    texts, said = _rewritten(tmp_path, model=MODEL, task=task)
    assert "class Model" not in texts["model"]
    assert "from model import model_fn\n" in texts["task"]
    assert any("experimental" in one.reason for one in said)
