"""Tests for verdicts of single uses, which the scan obtains from the rewriter."""

import json
import textwrap

import pytest

from migrate.scan import command, exact, scanner

PROGRAM = """
    import tensorflow as tf
    a = tf.to_float(x)
    one = tf.contrib.distribute.MirroredStrategy()
    two = tf.contrib.distribute.MirroredStrategy(num_gpus=count)
    tf.logging.info("x")
    def model_fn(features, labels, mode):
        loss = tf.losses.sparse_softmax_cross_entropy(labels, features, weights=w)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=make(loss))
"""
BY_NAME = {
    "tf.to_float": "rewritten",
    "tf.contrib.distribute.MirroredStrategy": "rewritten",
    "tf.logging.info": "suggested",
    "tf.losses.sparse_softmax_cross_entropy": "rewritten",
    "tf.estimator.EstimatorSpec": "suggested",
}


def verdicts(scan):
    return [(f.line, f.symbol.name.rpartition(".")[2], f.symbol.verdict) for f in scan.findings]


@pytest.fixture
def scanned(tmp_path):
    def scanned(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text).lstrip())
        return scanner.scan_paths([str(tmp_path)], processes=1)

    return scanned


def test_a_use_has_the_verdict_of_what_is_done_there(scanned):
    scan = scanned(job=PROGRAM)
    assert {f.symbol.name: f.symbol.verdict for f in scan.findings} == BY_NAME
    assert verdicts(exact.with_verdicts(scan)) == [
        (2, "to_float", "rewritten"),
        (3, "MirroredStrategy", "rewritten"),
        (4, "MirroredStrategy", "by hand"),
        (5, "info", "suggested"),
        (7, "sparse_softmax_cross_entropy", "bridge"),
        (8, "EstimatorSpec", "bridge"),
    ]


def test_what_no_rule_changes_is_told_without_one(scanned):
    left = [f.symbol for f in exact.with_verdicts(scanned(job=PROGRAM)).findings if f.line == 4]
    assert [(symbol.rule, symbol.recipe) for symbol in left] == [("", "mirrored_strategy")]
    assert "tf.distribute" in left[0].todo


def test_of_two_in_a_line_one_may_go(scanned):
    one = "tf.contrib.distribute.MirroredStrategy(num_gpus=n)"
    two = "tf.contrib.distribute.MirroredStrategy()"
    scan = exact.with_verdicts(scanned(job=f"import tensorflow as tf\nx = [{one}, {two}]\n"))
    assert sorted(verdict for _, _, verdict in verdicts(scan)) == ["by hand", "rewritten"]


def test_a_name_of_another_module(scanned):
    scan = scanned(
        base="import tensorflow as tf\n",
        job="""
            from base import *
            s = tf.contrib.distribute.MirroredStrategy(num_gpus=n)
            x = tf.to_float(y)
        """,
    )
    assert verdicts(exact.with_verdicts(scan)) == [
        (2, "MirroredStrategy", "by hand"),
        (3, "to_float", "rewritten"),
    ]


def test_cells_of_a_notebook(tmp_path):
    cells = ["import tensorflow as tf\n", "%matplotlib inline\nx = tf.to_float(y)\n"]
    cells.append("s = tf.contrib.distribute.MirroredStrategy(num_gpus=n)")
    text = {"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4}
    (tmp_path / "a.ipynb").write_text(json.dumps(text))
    scan = exact.with_verdicts(scanner.scan_paths([str(tmp_path)], processes=1))
    assert [(f.cell, f.line, f.symbol.verdict) for f in scan.findings] == [
        (2, 2, "rewritten"),
        (3, 1, "by hand"),
    ]


def test_the_command_asks_and_leaves_all_as_it_is(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    text = textwrap.dedent(PROGRAM)
    (tmp_path / "job.py").write_text(text)
    (tmp_path / "old.py").write_text("print 'x'\n")
    assert command.main([".", "--exact", "--format=json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"]["verdicts"] == {
        "rewritten": 2,
        "by hand": 1,
        "suggested": 1,
        "bridge": 2,
    }
    assert [file["error"] for file in found["not_read"]] == ["this is Python 2"]
    assert (tmp_path / "job.py").read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job.py", "old.py", "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == []


def test_nothing_to_ask(tmp_path):
    (tmp_path / "job.py").write_text("x = 1\n")
    assert exact.with_verdicts(scanner.scan_paths([str(tmp_path)], processes=1)).findings == []
