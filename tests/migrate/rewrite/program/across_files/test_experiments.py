"""Tests for Experiments that one file makes and another runs: all files change, or none."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run

MODEL = """\
from legacy import contrib
from legacy.compat.v1 import estimator as e
import tensorflow.compat.v1 as tf

def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"a": [[0.5], [1.5]]}, [1.0, 3.0])).batch(1)

def build(folder):
    return e.LinearRegressor([tf.feature_column.numeric_column("a")], folder)

def make_experiment_fn(steps):
    def experiment_fn(output_dir):
        return contrib.learn.Experiment(
            build(output_dir), input_fn, input_fn, train_steps=steps, eval_steps=1)
    return experiment_fn
"""
TASK = """\
from legacy.contrib.learn import learn_runner
import model

if __name__ == "__main__":
    learn_runner.run(model.make_experiment_fn(3), "folder")
"""
# The Estimator comes from the other file, and the Experiment is made next to the runner.
TASK_WITH_EXPERIMENT = """\
from legacy.contrib import learn
import model

def experiment_fn(output_dir):
    job = model.build(output_dir)
    return learn.Experiment(job, model.input_fn, model.input_fn, train_steps=3, eval_steps=1)

if __name__ == "__main__":
    learn.learn_runner.run(experiment_fn, "folder")
"""


def rewritten(folder, unsafe=True, **programs):
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    results = [*run.results([str(folder)], rules.all_rules("modern"), unsafe=unsafe)]
    assert not any(result.error for result in results), results
    texts = {result.path.rpartition("/")[2].removesuffix(".py"): result.text for result in results}
    return texts, [message.reason for result in results for message in result.suggestions]


def test_both_files_change_up_to_the_keras_model(tmp_path):
    texts, _ = rewritten(tmp_path, model=MODEL, task=TASK)
    assert '    model.make_experiment_fn(3)(output_dir="folder")\n' in texts["task"]
    assert "legacy" not in texts["task"]
    assert "return porting.train_and_evaluate(" in texts["model"]
    assert "heads.Regressor(" in texts["model"]
    assert rewritten(tmp_path, **texts)[0] == texts


def test_an_estimator_of_another_file_is_followed_through_an_experiment(tmp_path):
    model = MODEL.partition("def make_experiment_fn")[0]
    texts, _ = rewritten(tmp_path, model=model, task=TASK_WITH_EXPERIMENT)
    assert "return porting.train_and_evaluate(" in texts["task"]
    assert "heads.Regressor(" in texts["model"]
    assert rewritten(tmp_path, **texts)[0] == texts


@pytest.mark.parametrize(
    "other",
    [
        "import model\nmodel.tune(model.make_experiment_fn)\n",
        TASK.replace('"folder")', '"folder", schedule="train")'),
        TASK.replace('"folder")', '"folder", schedule=how)'),
    ],
)
def test_no_file_changes_if_one_cannot(tmp_path, other):
    texts, reasons = rewritten(tmp_path, model=MODEL, task=TASK, other=other)
    assert "contrib.learn.Experiment(" in texts["model"]
    assert "learn_runner.run(" in texts["task"]
    assert "another file may also use make_experiment_fn" in reasons


def test_nothing_changes_without_unsafe(tmp_path):
    texts, _ = rewritten(tmp_path, unsafe=False, model=MODEL, task=TASK)
    assert "contrib.learn.Experiment(" in texts["model"]
    assert "learn_runner.run(" in texts["task"]
