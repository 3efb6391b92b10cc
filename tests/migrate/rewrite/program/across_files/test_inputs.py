"""Tests for input functions of other files, which may return tensors of a graph."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run

HEAD = "from legacy import estimator as e\nimport tensorflow.compat.v1 as tf\n"
TASK = f"""{HEAD}import data
job = e.Estimator(model_fn, "job")
job.train({{}}, steps=3)
"""
DATASET = "def input_fn(path='a'):\n    return tf.data.TextLineDataset(path).batch(2)\n"
NEXT = """\
def input_fn(path='a'):
    line = tf.data.TextLineDataset(path).batch(2).make_one_shot_iterator().get_next()
    return {'line': line}, tf.strings.length(line)
"""
ONE_SHOT = """\
def input_fn(path='a'):
    dataset = tf.data.TextLineDataset(path).map(parse).batch(2)
    features, labels = dataset.make_one_shot_iterator().get_next()
    return features, labels
"""
QUEUE = """\
def input_fn(path='a'):
    lines = tf.train.string_input_producer([path])
    return tf.train.batch([lines], 2)
"""
MAKER = """\
def make(path):
    def made():
        dataset = tf.data.TextLineDataset(path).batch(2)
        return dict(line=dataset.make_one_shot_iterator().get_next())
    return made
"""
LITERAL = "def input_fn(path='a'):\n    features = {'x': tf.constant(path)}\n    return features\n"
METHOD = "class Data:\n    def read(self):\n        return self.iterator.get_next()\n"


def _rewritten(folder, **texts):
    """Rewrites files, and returns their texts and the reasons why results may differ."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    found = [*run.results([str(folder)], rules.all_rules("modern"), unsafe=True)]
    assert not any(one.error for one in found)
    reasons = [change.reason for one in found for change in one.unsafe]
    return {one.path.rpartition("/")[2][:-3]: one.text for one in found}, reasons


@pytest.mark.parametrize(
    ("data", "input_fn"),
    [
        (NEXT, "data.input_fn"),
        (NEXT, "lambda: data.input_fn('b')"),
        (NEXT, "functools.partial(data.input_fn, 'b')"),
        (QUEUE, "data.input_fn"),
        (LITERAL, "data.input_fn"),
        (MAKER, "data.make('b')"),
        (MAKER, "lambda: data.make('b')()"),
    ],
)
def test_the_tensors_of_another_file_are_read_in_a_graph(data, input_fn, tmp_path):
    task = TASK.format(input_fn)
    texts, reasons = _rewritten(tmp_path, data=HEAD + data, task=task)
    assert "job.fit(as_estimator.graph_dataset(" in texts["task"]
    assert any("returns tensors" in reason and " of data.py" in reason for reason in reasons)


def test_tensors_come_through_a_third_file(tmp_path):
    middle = f"{HEAD}import data\ndef input_fn():\n    return data.input_fn('b')\n"
    task = TASK.format("middle.input_fn").replace("import data", "import middle")
    texts, _ = _rewritten(tmp_path, data=HEAD + NEXT, middle=middle, task=task)
    assert "graph_dataset(middle.input_fn).take(3)" in texts["task"]


def test_a_dataset_of_another_file_trains_a_model(tmp_path):
    task = TASK.format("data.input_fn")
    texts, _ = _rewritten(tmp_path, data=HEAD + DATASET, task=task)
    assert "job.fit(data.input_fn().take(3)" in texts["task"]


def test_an_iterator_that_becomes_a_dataset_trains_a_model(tmp_path):
    task = TASK.format("data.input_fn")
    texts, _ = _rewritten(tmp_path, data=HEAD + ONE_SHOT, task=task)
    assert "get_next" not in texts["data"]
    assert "job.fit(data.input_fn().take(3)" in texts["task"]


def test_an_iterator_stays_if_another_file_unpacks_its_tensors(tmp_path):
    task = TASK.format("data.input_fn") + "features, labels = data.input_fn()\n"
    texts, _ = _rewritten(tmp_path, data=HEAD + ONE_SHOT, task=task)
    assert "get_next" in texts["data"]
    assert "graph_dataset(data.input_fn).take(3)" in texts["task"]


@pytest.mark.parametrize(
    ("input_fn", "in_graph"),
    [("data.Data().read", True), ("functions['train']", True), ("other.input_fn", False)],
)
def test_an_unknown_input_fn_may_be_a_method_that_returns_tensors(input_fn, in_graph, tmp_path):
    task = TASK.format(input_fn).replace("import data", "import data\nimport other")
    texts, reasons = _rewritten(tmp_path, data=HEAD + METHOD, other=HEAD + DATASET, task=task)
    assert ("graph_dataset(" in texts["task"]) == in_graph
    assert any("the tensors of line 5 of data.py" in reason for reason in reasons) == in_graph
