"""Tests that a synchronous worker waits at its end for the other tasks."""

import threading
import time

from modern.cluster.tf_config import TFConfig
from modern.porting.training import worker_shutdown
from tests.modern.cluster.processes import until


def config(index):
    return TFConfig({"worker": ("a:1", "b:1")}, "worker", index)


def left(folder):
    return sorted(path.name for path in (folder / "tasks").glob("*.left"))


def test_a_task_ends_when_all_have_come_to_their_end(tmp_path):
    first = threading.Thread(target=worker_shutdown._leave, args=(str(tmp_path), config(0), 60.0))
    first.start()
    until(lambda: left(tmp_path) == ["worker-0.left"])
    assert first.is_alive()
    worker_shutdown._leave(str(tmp_path), config(1), 60.0)
    first.join(20)
    assert not first.is_alive()


def test_its_patience_has_an_end(tmp_path, caplog):
    began = time.monotonic()
    worker_shutdown._leave(str(tmp_path), config(0), 0.1)
    assert 0.1 <= time.monotonic() - began < 10
    assert "worker-0 ends before all of worker-0, worker-1" in caplog.text


def test_what_an_earlier_run_has_left_does_not_count(tmp_path):
    worker_shutdown._leave(str(tmp_path), config(0), 0.0)
    worker_shutdown.remove_mark(str(tmp_path), config(1))
    assert left(tmp_path) == ["worker-0.left"]
    worker_shutdown.remove_mark(str(tmp_path), config(0))
    assert left(tmp_path) == []
