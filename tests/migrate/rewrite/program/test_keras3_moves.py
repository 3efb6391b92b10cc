"""Tests of the decision which programs move to Keras 3."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import keras3_moves, run

RULES = [*rules.all_rules("modern"), *rules.all_rules("keras3")]
MODEL = "import tf_keras\ndef build():\n    return tf_keras.Sequential([])\n"
MISSING = "tf_keras.layers.LocallyConnected1D(1, 2)"
TASK = "import model\nmodel.build().summary()\n"


@pytest.fixture
def program(tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "task.py").write_text(TASK)
    return tmp_path


def texts(folder):
    results = {result.path: result for result in run.results([folder], RULES, unsafe=False)}
    return {path.rpartition("/")[2]: result.text for path, result in results.items()}


def test_the_files_of_a_program_move_together(program):
    (program / "task.py").write_text(f"{TASK}import tf_keras\ntf_keras.backend.floatx()\n")
    new = texts(str(program))
    assert new["model.py"] == MODEL.replace("tf_keras", "keras")
    assert "tf_keras" not in new["task.py"]


def test_a_program_stays_as_a_whole(program):
    (program / "task.py").write_text(f"{TASK}import tf_keras\n{MISSING}\n")
    assert texts(str(program))["model.py"] == MODEL


def test_another_program_moves_nevertheless(program):
    (program / "other.py").write_text(f"import tf_keras\n{MISSING}\n")
    assert "tf_keras" not in texts(str(program))["model.py"]


def test_the_reasons_to_stay_are_reported(program):
    (program / "model.py").write_text(f"{MODEL}x = {MISSING}\n")
    results = run.results([str(program / "model.py")], RULES, unsafe=False)
    (message,) = next(iter(results)).suggestions
    assert (message.line, message.reason) == (4, "Keras 3 has no layers.LocallyConnected1D")
    assert message.needed


def test_lines_are_those_of_the_original_program(program):
    estimator = f"import tensorflow as tf\nx = tf.to_float([1])\nimport tf_keras\ny = {MISSING}\n"
    (program / "old.py").write_text(estimator)
    results = run.results([str(program / "old.py")], RULES, unsafe=False, api="v1")
    lines = [message.line for message in next(iter(results)).suggestions if message.needed]
    assert lines == [4]


def test_a_file_that_fails_keeps_its_program():
    failed = run.Result("a.py", error="a rule is wrong")
    moved = run.Result("b.py", code="import keras\n")
    results = {"a.py": failed, "b.py": moved, "c.py": moved}
    assert keras3_moves.staying(results, [["a.py", "b.py"], ["c.py"]]) == {"a.py", "b.py"}
