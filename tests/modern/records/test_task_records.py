"""Tests of task records: they are complete or absent, and a reader can wait for them."""

import json
import math
import os
import threading
import time

import pytest

from modern.records import task_records
from modern.records.progress import Sample
from tests.modern.cluster.processes import until


def test_json_is_whole_and_without_nan(tmp_path):
    path = tmp_path / "folder" / "file.json"
    task_records.write_json(path, {"a": [math.nan, 1.5, math.inf], "b": (1, None)})
    assert json.loads(path.read_text()) == {"a": [None, 1.5, None], "b": [1, None]}
    assert os.listdir(path.parent) == ["file.json"]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "file.json"
    task_records.write_json(path, 1)
    with pytest.raises(TypeError):
        task_records.write_json(path, object())
    assert path.read_text() == "1\n"
    assert os.listdir(tmp_path) == ["file.json"]


def test_readers_never_see_half_a_file(tmp_path):
    path = tmp_path / "file.json"
    task_records.write_json(path, list(range(5000)))
    stop = threading.Event()

    def write():
        while not stop.is_set():
            task_records.write_json(path, list(range(5000)))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(200):
            assert len(json.loads(path.read_text())) == 5000
    finally:
        stop.set()
        writer.join()


def test_recorder(tmp_path):
    samples = [Sample(1.0, 2, (3, 4), 5.0, (0.5, 0.25))]
    with task_records.Recorder(tmp_path, "worker-1") as recorder:
        running = task_records.read(tmp_path, "worker-1")
        recorder.add(samples, evaluations={7: {"loss": 0.5}})
    assert (running["finished"], running["ended_at"]) == (False, None)
    record = task_records.read(tmp_path, "worker-1")
    assert record["finished"]
    assert record["task"] == "worker-1"
    assert record["started_at"] <= record["ended_at"] <= time.time()
    assert task_records.samples_of(record) == samples
    assert record["evaluations"] == {"7": {"loss": 0.5}}
    assert 10 < record["peak_rss_mb"] < 100_000
    assert task_records.read_all(tmp_path) == {"worker-1": record}


def test_recorder_writes_while_the_task_runs(tmp_path):
    with task_records.Recorder(tmp_path, "ps-0") as recorder:
        recorder.add(note="seen")
        until(lambda: "note" in task_records.read(tmp_path, "ps-0"))


def test_a_task_that_failed_has_not_finished(tmp_path):
    with pytest.raises(KeyError), task_records.Recorder(tmp_path, "worker-0"):
        raise KeyError
    record = task_records.read(tmp_path, "worker-0")
    assert not record["finished"]
    assert record["ended_at"]


def test_no_record(tmp_path):
    assert task_records.read(tmp_path, "worker-0") is None
    assert task_records.read_all(tmp_path) == {}


def test_waiting_for_records(tmp_path, capsys):
    with task_records.Recorder(tmp_path, "worker-0"):
        pass
    since = time.time()

    def later():
        with task_records.Recorder(tmp_path, "worker-1"):
            pass

    thread = threading.Timer(0.2, later)
    thread.start()
    assert set(task_records.wait_for(tmp_path, ["worker-1"], since, 10)) == {"worker-1"}
    thread.join()
    assert capsys.readouterr().err == ""
    # The record of worker-0 comes from an earlier run.
    assert set(task_records.wait_for(tmp_path, ["worker-0", "worker-1"], since, 0.1)) == {
        "worker-1"
    }
    assert "No record of worker-0 in" in capsys.readouterr().err
