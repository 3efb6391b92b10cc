"""Tests for specs and configs that functions of other files make."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run
from tests.migrate.rewrite import tools
from tests.oracle import compare

HEAD = "from legacy import estimator as e\nimport tensorflow as tf\n"
SPECS = """\
import os
from legacy import estimator as tf_estimator

EVERY = 5
STEPS = None

def get_config(keep=3):
    return tf_estimator.RunConfig(save_checkpoints_steps=min(EVERY, 100), keep_checkpoint_max=keep)

def get_train_spec(input_fn, steps):
    return tf_estimator.TrainSpec(input_fn=input_fn, max_steps=steps)

def get_eval_spec(input_fn, name=None, steps=STEPS, throttle=0):
    return tf_estimator.EvalSpec(
        input_fn=input_fn,
        steps=steps,
        name=os.path.basename("a/" + (name or "b")),
        throttle_secs=throttle * EVERY,
    )
"""
TASK = f"""{HEAD}
from specs import get_config, get_eval_spec, get_train_spec

def input_fn(epochs=1):
    features = {{"a": [[0.5], [1.5], [2.5]]}}
    return tf.data.Dataset.from_tensor_slices((features, [1.0, 3.0, 4.0])).repeat(epochs).batch(2)

def main(steps=7):
    columns = [tf.feature_column.numeric_column("a")]
    optimizer = tf.keras.optimizers.legacy.SGD(0.05)
    job = e.LinearRegressor(columns, "job", config=get_config(), optimizer=optimizer)
    train_spec = get_train_spec(lambda: input_fn(None), steps=steps)
    result = e.train_and_evaluate(job, train_spec, get_eval_spec(input_fn, "c"))
    return result[0], list(job.predict(input_fn))

if __name__ == "__main__":
    print(main())
"""
RUN = """\
import importlib, sys
sys.path.insert(0, FOLDER)
for name in ("specs", "task"):
    sys.modules.pop(name, None)
x = importlib.import_module("task").main()
sys.path.remove(FOLDER)
"""


def _rewritten(folder, programs):
    """Rewrites the files, and returns their texts and the suggestions."""
    folder.mkdir(exist_ok=True)
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    texts, suggestions = {}, []
    for result in run.results([str(folder)], rules.all_rules("modern"), unsafe=True):
        assert not result.error
        texts[result.path.rpartition("/")[2].removesuffix(".py")] = result.text
        suggestions += [suggestion.reason for suggestion in result.suggestions]
    return texts, suggestions


def test_a_program_of_two_files_computes_the_same(tmp_path):
    texts, suggestions = _rewritten(tmp_path / "old", {"specs": SPECS, "task": TASK})
    assert suggestions == []
    assert "from specs import EVERY\n" in texts["task"]
    assert "porting.restore(job, 'job'" in texts["task"].replace('"', "'")
    assert "throttle_secs=0 * EVERY" in texts["task"]
    assert ".take(" not in texts["task"]
    again, _ = _rewritten(tmp_path / "new", texts)
    assert again == texts
    folders = (repr(str(tmp_path / name)) for name in ("old", "new"))
    (tmp_path / "old" / "specs.py").write_text(SPECS)
    (tmp_path / "old" / "task.py").write_text(TASK)
    before, after = tools.run([RUN.replace("FOLDER", folder) for folder in folders], "eager")
    assert before["x"][0]["global_step"] == 7, before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize(
    ("imported", "prefix", "name"),
    [
        ("import specs", "specs.", "specs.EVERY"),
        ("import specs as s", "s.", "s.EVERY"),
        ("from specs import *", "", "EVERY"),
        ("from specs import get_config, get_eval_spec, get_train_spec, EVERY", "", "EVERY"),
    ],
)
def test_it_is_found_by_each_form_of_import(imported, prefix, name, tmp_path):
    task = TASK.replace("from specs import get_config, get_eval_spec, get_train_spec", imported)
    for function in ("config", "eval_spec", "train_spec"):
        task = task.replace(f"get_{function}(", f"{prefix}get_{function}(")
    texts, _ = _rewritten(tmp_path, {"specs": SPECS, "task": task})
    assert f"throttle_secs=0 * {name}" in texts["task"]
    assert "porting.train_and_evaluate" in texts["task"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("def main(", "import specs\nspecs.EVERY = 6\ndef main(", "EVERY in get_"),
        ("def main(steps=7):", "def main(EVERY, steps=7):", ""),
        ("import tensorflow as tf\n", "import tensorflow as tf\nos = 1\n", ""),
    ],
)
def test_names_of_the_other_file_keep_their_meaning(old, new, reason, tmp_path):
    texts, suggestions = _rewritten(tmp_path, {"specs": SPECS, "task": TASK.replace(old, new)})
    if reason:
        assert "e.train_and_evaluate(job" in texts["task"]
        assert any(reason in suggestion for suggestion in suggestions)
    else:
        assert "porting.train_and_evaluate(" in texts["task"]
        assert "EVERY as EVERY_" in texts["task"] or "import os as os_" in texts["task"]


def test_a_private_name_is_not_among_those_of_a_star(tmp_path):
    task = TASK.replace("get_config, get_eval_spec, get_train_spec\n", "*\n", 1)
    specs = SPECS.replace("EVERY", "_EVERY")
    texts, suggestions = _rewritten(tmp_path, {"specs": specs, "task": task})
    assert "e.train_and_evaluate(job" in texts["task"]
    assert any("after an import *" in suggestion for suggestion in suggestions)


def test_a_function_that_sets_a_variable_of_its_file_stays(tmp_path):
    specs = SPECS.replace(
        "input_fn, steps):\n", "input_fn, steps):\n    global STEPS\n    STEPS = 1\n"
    )
    texts, suggestions = _rewritten(tmp_path, {"specs": specs, "task": TASK})
    assert "get_train_spec(" in texts["task"]
    assert any("sets STEPS of its own file" in suggestion for suggestion in suggestions)


def test_relative_imports_of_another_folder_are_refused(tmp_path):
    specs = SPECS.replace("import os\n", "from .names import os\n")
    texts, suggestions = _rewritten(tmp_path, {"specs": specs, "task": TASK})
    assert "get_eval_spec(" in texts["task"]
    assert any("relative import" in suggestion for suggestion in suggestions)


def test_a_function_of_another_file_that_takes_the_model_fn_is_written_out(tmp_path):
    utils = f"""{HEAD}
def make(model_fn, params):
    config = e.RunConfig(save_checkpoints_steps=4)
    return e.Estimator(model_fn, params["folder"], config, params)

def specs(input_fn, steps):
    train = e.TrainSpec(input_fn, max_steps=steps)
    return train, e.EvalSpec(input_fn, steps=None)
"""
    task = f"""{HEAD}
from utils import make, specs

def model_fn(features, labels, mode, params):
    out = tf.keras.layers.Dense(params["size"])(features["a"])
    if mode == "infer":
        return e.EstimatorSpec(mode, {{"out": out}})
    loss = tf.reduce_mean((out - labels) ** 2)
    train_op = tf.compat.v1.train.AdamOptimizer(0.1).minimize(
        loss, tf.compat.v1.train.get_global_step())
    return e.EstimatorSpec(mode, None, loss, train_op)

def input_fn():
    return tf.data.Dataset.from_tensors(({{"a": [[1.0]]}}, [[2.0]])).repeat(6)

def main():
    params = {{"folder": "model", "size": 1}}
    job = make(model_fn, params)
    train, evaluate = specs(input_fn, 5)
    e.train_and_evaluate(job, train, evaluate)
"""
    texts, suggestions = _rewritten(tmp_path, {"utils": utils, "task": task})
    assert suggestions == []
    assert "job = Model(params)" in texts["task"]
    assert "porting.train_and_evaluate(job, input_fn, input_fn, max_steps=5)" in texts["task"]
    assert "save_steps=4" in texts["task"]
