"""Tests for objects that the command line names."""

import threading

import pytest
import tensorflow.compat.v1 as tf
from absl import flags

from migrate import bridge, loading
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


def test_two_threads_may_import_at_once(tmp_path, monkeypatch):
    # The first import ends while the second has not ended.
    first_done, second_begun = threading.Event(), threading.Event()
    monkeypatch.setattr(threading, "first_done", first_done, raising=False)
    monkeypatch.setattr(threading, "second_begun", second_begun, raising=False)
    flag = "flags.DEFINE_string('of_two_programs', '', 'A flag.')\n"
    start = "import threading\nfrom absl import flags\nimport tensorflow.compat.v1 as tf\n"
    end = "tf.disable_v2_behavior()\nvalue = 1\n"
    (tmp_path / "first_of_two.py").write_text(
        f"{start}{flag}assert threading.second_begun.wait(60)\n{end}"
    )
    (tmp_path / "second_of_two.py").write_text(
        f"{start}threading.second_begun.set()\nassert threading.first_done.wait(60)\n{flag}{end}"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    before = tf.disable_v2_behavior
    values = []

    def load(name):
        values.append(loading.find(f"{name}:value", "--legacy"))
        first_done.set()

    threads = [threading.Thread(target=load, args=(f"{n}_of_two",)) for n in ("first", "second")]
    threads[0].start()
    threads[1].start()
    for thread in threads:
        thread.join()
    assert values == [1, 1]
    assert tf.executing_eagerly()
    assert tf.disable_v2_behavior is before
    assert not flags.FLAGS["of_two_programs"].allow_override
    del flags.FLAGS.of_two_programs
