"""Tests for Estimators that one file creates and others use: all files change, or none."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import files
from migrate.rewrite.program import run
from tests.migrate.rewrite import tools
from tests.oracle import compare

HEAD = "from legacy import estimator as e\nimport tensorflow as tf\n"
MODEL = f"""{HEAD}
def input_fn(epochs=1):
    features = {{"a": [[0.5], [1.5], [2.5]]}}
    return tf.data.Dataset.from_tensor_slices((features, [1.0, 3.0, 4.0])).repeat(epochs).batch(2)

def build(folder, rate) -> e.Estimator:
    config = e.RunConfig(save_checkpoints_steps=5)
    optimizer = tf.keras.optimizers.legacy.SGD(rate)
    columns = [tf.feature_column.numeric_column("a")]
    return e.LinearRegressor(columns, folder, config=config, optimizer=optimizer)
"""
TASK = f"""{HEAD}
import model

def main():
    job = model.build("job", 0.05)
    train = e.TrainSpec(lambda: model.input_fn(None), max_steps=7)
    found = e.train_and_evaluate(job, train, e.EvalSpec(model.input_fn, None, throttle_secs=0))
    return found[0], job.evaluate(model.input_fn), list(job.predict(model.input_fn))

if __name__ == "__main__":
    print(main())
"""
RUN = """\
import importlib, sys
sys.path.insert(0, FOLDER)
for name in ("model", "task"):
    sys.modules.pop(name, None)
x = importlib.import_module("task").main()
sys.path.remove(FOLDER)
"""
MODEL_FN = HEAD + "def make(folder):\n    return e.Estimator(other.model_fn, folder)\n"
USER = "    job = {}('b')\n    job.train(lambda: tf.data.Dataset.range(3))\n"


def _rewritten(folder, programs, names=None, unsafe=True):
    """Rewrites the files, and returns their texts and the suggestions."""
    folder.mkdir(exist_ok=True)
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    applied = [rule for rule in rules.all_rules("modern") if not names or rule.name in names]
    found = {}
    for result in run.results([str(folder)], applied, unsafe=unsafe):
        assert not result.error
        found[result.path.rpartition("/")[2].removesuffix(".py")] = result
    return {name: one.text for name, one in found.items()}, [
        said for one in found.values() for said in one.suggestions
    ]


def test_a_program_of_two_files_computes_the_same(tmp_path):
    texts, suggested = _rewritten(tmp_path / "old", {"model": MODEL, "task": TASK})
    assert suggested == []
    assert "heads.Regressor(" in texts["model"]
    assert "-> tf_keras.Model:" in texts["model"]
    assert "porting.train_and_evaluate(" in texts["task"]
    again, _ = _rewritten(tmp_path / "new", texts)
    assert again == texts
    folders = (repr(str(tmp_path / name)) for name in ("old", "new"))
    before, after = tools.run([RUN.replace("FOLDER", folder) for folder in folders], "eager")
    assert before["x"][1]["global_step"] == 7, before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize(
    ("imported", "called"),
    [
        ("import model", "model.make"),
        ("import model as m", "m.make"),
        ("from model import make", "make"),
        ("from model import make as build", "build"),
    ],
)
def test_it_is_found_by_whatever_name(imported, called, tmp_path):
    user = f"{HEAD}{imported}\ndef main():\n{USER.format(called)}"
    texts, _ = _rewritten(tmp_path, {"model": MODEL_FN, "user": user})
    assert "bridge.KerasModelFn(other.model_fn)" in texts["model"]
    assert (
        "job.fit(tf.data.Dataset.range(3), callbacks=as_estimator.callbacks(job), verbose=2)"
        in texts["user"]
    )
    assert "strategy" not in texts["model"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("    use(job)\n", "job is passed on in line 7 of other.py"),
        ("    print(job.config)\n", "job.config in line 7 of other.py has no counterpart"),
        ("    job.train(lambda a: a)\n", "its input_fn is a lambda with arguments (other.py)"),
        ("    return model.make\n", "it is passed on in line 7 of other.py"),
        ("model.make('c').train(f)\n", "it is not assigned to a name (other.py)"),
        ("    job.evaluate(f, hooks=[a])\n", "in line 7 of other.py are not supported"),
        (
            "    tf.compat.v1.disable_v2_behavior()\n    return tf.compat.v1.Session()\n",
            "tf.Session in line 8 needs a graph",
        ),
    ],
)
def test_no_file_changes_where_one_does_what_is_not_understood(more, reason, tmp_path):
    user = f"{HEAD}import model\ndef main():\n{USER.format('model.make')}"
    programs = {"model": MODEL_FN, "user": user, "other": f"{user}{more}"}
    texts, suggested = _rewritten(tmp_path, programs)
    assert texts == programs
    assert suggested[0].reason.startswith("another file may also use make: ")
    assert [reason in said.reason for said in suggested] == [True], suggested[0].reason
    programs["other"] = user
    assert _rewritten(tmp_path, programs)[0] != programs


@pytest.mark.parametrize(
    ("package", "imported"),
    [
        ("from model import make\n", "from package import make"),
        ("from model import *\n", "from package import make"),
        ("from model import make as build\n", "from package import build as make"),
        ("from model import *\n", "from package import *"),
    ],
)
def test_it_is_found_through_files_that_pass_it_on(package, imported, tmp_path):
    user = f"{HEAD}{imported}\ndef main():\n{USER.format('make')}"
    programs = {"model": MODEL_FN, "package": package, "user": user}
    texts, _ = _rewritten(tmp_path, programs)
    assert "bridge.KerasModelFn(other.model_fn)" in texts["model"]
    assert "job.fit(tf.data.Dataset.range(3)" in texts["user"]
    programs["user"] = f"{user}    print(job.config)\n"
    assert _rewritten(tmp_path, programs)[0] == programs


def test_no_file_changes_without_the_rule_that_changes_the_other(tmp_path):
    programs = {"model": MODEL, "task": TASK}
    texts, _ = _rewritten(tmp_path, programs, ["canned_models"])
    assert texts == programs
    assert _rewritten(tmp_path, programs, ["canned_models", "estimators"])[0] != programs


def test_it_is_only_suggested_in_both_files(tmp_path):
    programs = {"model": MODEL, "task": TASK}
    texts, suggested = _rewritten(tmp_path, programs, unsafe=False)
    assert texts == programs
    assert [(said.rule, said.applicable) for said in suggested] == [
        ("canned_models", True),
        ("estimators", True),
    ]
    assert all("all files" in said.reason for said in suggested)


NETWORK = """\
import tensorflow as tf

def network(features, units):
    net = tf.layers.dense(features["a"], units, kernel_initializer=tf.ones_initializer(),
                          kernel_regularizer=tf.contrib.layers.l2_regularizer(0.3))
    return tf.reduce_sum(net, axis=1)

def error(labels, outputs):
    return tf.losses.mean_squared_error(labels, outputs)
"""
TRAINED = """\
import network
import tensorflow as tf

def model_fn(features, labels, mode, params):
    outputs = network.network(features, params["units"])
    network.error(labels, outputs)
    loss = tf.losses.get_total_loss()
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    data = ({"a": [[0.5], [1.5], [2.5], [3.0]]}, [1.0, 3.0, 4.0, 6.0])
    return tf.data.Dataset.from_tensor_slices(data).repeat(3).batch(2)

def main():
    job = tf.estimator.Estimator(model_fn, params={"units": 3})
    job.train(input_fn)
    return job.evaluate(input_fn)

if __name__ == "__main__":
    print(main())
"""


def _modern(folder, unsafe):
    """Rewrites the program of two files to legacy and then to modern. Returns the suggestions."""
    folder.mkdir()
    for name, text in {"network": NETWORK, "task": TRAINED}.items():
        (folder / f"{name}.py").write_text(text)
    said = []
    for to, is_unsafe in (("legacy", False), ("modern", unsafe)):
        for result in [*run.results([str(folder)], rules.all_rules(to), unsafe=is_unsafe)]:
            assert not result.error
            files.write(result.file, result.text)
            said += result.suggestions if to == "modern" else ()
    return said


@pytest.mark.parametrize("unsafe", [False, True])
def test_what_another_file_collects_is_still_collected(unsafe, tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    for name, text in {"network": NETWORK, "task": TRAINED}.items():
        (old / f"{name}.py").write_text(text)
    said = _modern(new, unsafe)
    reasons = " ".join(one.reason for one in said if not one.applicable)
    assert "the program has a model_fn" in reasons
    assert "reads the losses" in reasons
    program = RUN.replace('("model", "task")', '("network", "task")')
    texts = [program.replace("FOLDER", repr(str(folder))) for folder in (old, new)]
    before = tools.run(texts[:1], "old") + tools.run(texts[1:], "plain")
    assert before[0]["x"]["global_step"] == 6, before
    assert compare.differences(*before) == []


def test_no_file_of_a_program_that_keras_trains_disables_what_keras_needs(tmp_path):
    _modern(tmp_path / "safe", unsafe=False)
    assert "disable_v2_behavior()" in (tmp_path / "safe" / "network.py").read_text()
    _modern(tmp_path / "unsafe", unsafe=True)
    for name in ("network", "task"):
        assert "disable_v2_behavior" not in (tmp_path / "unsafe" / f"{name}.py").read_text()
