"""Tests for programs that run sessions in files without an Estimator."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run

HEAD = "import tensorflow.compat.v1 as tf\n"
OFF = "tf.disable_v2_behavior()\n"
TASK = f"""\
from legacy.compat.v1 import estimator as e
{HEAD}{OFF}
import data
job = e.Estimator(model_fn, "job")
job.train(lambda: data.input_fn(2))
"""
INPUT = "def input_fn(n):\n    return tf.data.Dataset.range(n)\n"
SHOW = """\
def show():
    row = input_fn(2).make_one_shot_iterator().get_next()
    with tf.Session() as s:
        print(s.run(row))
"""
GIVEN = "def show(row):\n    with tf.Session() as s:\n        print(s.run(row))\n"


def _rewritten(folder, applied=None, unsafe=True, **texts):
    """Rewrites files, and returns their texts and all reasons."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    results = [*run.results([str(folder)], applied or rules.all_rules("modern"), unsafe=unsafe)]
    assert not any(result.error for result in results)
    messages = [m for result in results for m in (*result.unsafe, *result.suggestions)]
    by_name = {result.path.rpartition("/")[2][:-3]: result.text for result in results}
    return by_name, [message.reason for message in messages]


@pytest.mark.parametrize("off", ["", OFF])
def test_sessions_of_another_file_get_a_graph(off, tmp_path):
    texts, reasons = _rewritten(tmp_path, data=HEAD + off + INPUT + SHOW, task=TASK)
    assert "job.fit(" in texts["task"]
    assert "def show():\n    with tf.Graph().as_default():\n        row" in texts["data"]
    assert "disable_v2" not in texts["data"] + texts["task"]
    assert any("session code of other files" in reason for reason in reasons)
    again, _ = _rewritten(tmp_path, **texts)
    assert again == texts


def test_without_unsafe_nothing_changes(tmp_path):
    texts = {"data": HEAD + INPUT + SHOW, "task": TASK}
    assert _rewritten(tmp_path, unsafe=False, **texts)[0] == texts


def test_a_session_that_cannot_have_a_graph_keeps_the_estimator(tmp_path):
    texts, reasons = _rewritten(tmp_path, data=HEAD + INPUT + GIVEN, task=TASK)
    assert "job.train(" in texts["task"]
    assert "Graph" not in texts["data"]
    assert any("line 5 needs a graph" in r and "in data.py" in r for r in reasons)


def test_a_session_with_a_graph_does_not(tmp_path):
    given = GIVEN.replace("tf.Session()", "tf.Session(graph=row.graph)")
    texts, _ = _rewritten(tmp_path, data=HEAD + INPUT + given, task=TASK)
    assert "job.fit(" in texts["task"]
    assert given in texts["data"]


def test_the_rule_must_be_among_those_that_are_applied(tmp_path):
    applied = [rule for rule in rules.all_rules("modern") if rule.name != "session_graphs"]
    texts, reasons = _rewritten(tmp_path, applied, data=HEAD + INPUT + SHOW, task=TASK)
    assert "job.train(" in texts["task"]
    assert any("session_graphs may not change" in reason for reason in reasons)


def test_an_estimator_of_a_third_file_stays_out_of_the_graph(tmp_path):
    show = SHOW.replace("        print", "        job.run()\n        print")
    job = TASK.replace("job = ", "def run():\n    job = ").replace("\njob.train", "\n    job.train")
    data = f"{HEAD}import job\n{INPUT}{show}"
    texts, reasons = _rewritten(tmp_path, data=data, job=job, task="import job\njob.run()\n")
    assert "job.train(" in texts["job"]
    assert any("uses an Estimator" in reason for reason in reasons)
