"""Tests for objects that the command line names."""

import pytest
import tensorflow.compat.v1 as tf

from migrate import bridge
from modern.process import cli


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tests.migrate.bridge.small", "must be MODULE:NAME"),
        ("no.such:thing", "No module named 'no'"),
        ("tests.migrate.bridge.small:nothing", "small has no 'nothing'"),
        ("tests.migrate.bridge.small:np", "is module, not a function"),
    ],
)
def test_names_that_cannot_be_imported_are_said(name, words):
    with pytest.raises(cli.UsageError, match=words):
        bridge.load(name)


def test_a_module_that_disables_eager_execution_leaves_it_on(tmp_path, monkeypatch):
    source = (
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\ndef model_fn(features): ...\n"
    )
    (tmp_path / "old_program.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert bridge.load("old_program:model_fn").__name__ == "model_fn"
    assert tf.executing_eagerly()
