"""Tests that a rewrite reads each file only a few times, however many files depend on it."""

import ast
import collections

from migrate.rewrite import rules
from migrate.rewrite.program import run

HEAD = "import tensorflow.compat.v1 as tf\nfrom legacy import estimator as e\n"
DATA = f"""{HEAD}import tables
def input_fn():
    line = tf.data.TextLineDataset(tables.PATH).make_one_shot_iterator().get_next()
    return {{'line': line}}, tf.strings.length(line)
"""
PASSES_ON = "import {0}\ndef input_fn():\n    return {0}.input_fn()\n"
MODEL = f"""{HEAD}
def model_fn(features, labels, mode):
    loss = tf.reduce_sum(features['line'])
    return e.EstimatorSpec(mode, loss=loss, train_op=tf.no_op())
"""
MAKER = f"{HEAD}import model\ndef make():\n    return e.Estimator(model.model_fn, 'job')\n"
TASK = f"""{HEAD}import maker, {{0}}
tf.disable_v2_behavior()
job = maker.make()
job.train({{0}}.input_fn, steps=3)
"""
FILES = {
    "tables": "PATH = 'words.txt'\n",
    "data": DATA,
    "first": HEAD + PASSES_ON.format("data"),
    "second": HEAD + PASSES_ON.format("first"),
    "third": HEAD + PASSES_ON.format("second"),
    "model": MODEL,
    "maker": MAKER,
    "task": TASK.format("third"),
}
# For the facts about the program, the plan and the rewrite. A file that changes has other texts.
MOST_PARSES = 3


def test_each_file_is_parsed_at_most_three_times(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    parsed = collections.Counter()
    parse = ast.parse

    def counted(source, *args, **kwargs):
        parsed[source] += 1
        return parse(source, *args, **kwargs)

    monkeypatch.setattr(ast, "parse", counted)
    found = [*run.results([str(tmp_path)], rules.all_rules("modern"), unsafe=True)]
    assert len(found) == len(FILES)
    counts = {name: parsed[text] for name, text in FILES.items()}
    assert min(counts.values()) > 0
    assert max(counts.values()) <= MOST_PARSES, counts
