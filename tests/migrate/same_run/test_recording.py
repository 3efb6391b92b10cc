"""Tests for recordings: events as lines of JSON, and the run that they make."""

import json
import os

import numpy as np
import pytest

from migrate.same_run import recording


def written(folder, *events, **result):
    for event in events:
        recording.append_event(str(folder), event)
    given = {
        "exit_code": 0, "output": "", "not_recorded": [], "checkpoints": {}, "exports": {},
    }  # fmt: skip
    recording.write_result(str(folder), **{"process": os.getpid(), **given, **result})
    return recording.Recording.load(str(folder))


def training(number, model_dir, *losses, **more):
    return {
        "kind": "training", "number": number, "model_dir": model_dir, "losses": losses, "keep": [],
        "gradients": [], "no_gradients": None,
    } | more  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.array([1.5, np.nan, np.inf], np.float32),
        np.array([[b"a", "\u00e4"]], object),
        np.float32(0.1),
    ],
    ids=lambda value: str(value.dtype),
)
def test_arrays_come_back_as_they_were(value, tmp_path):
    recording.append_event(str(tmp_path), {"kind": "one", "value": value})
    (event,) = recording.read_events(str(tmp_path), os.getpid())
    expected = value.astype(str) if value.dtype == object else value
    np.testing.assert_array_equal(event["value"], expected)
    if value.ndim and value.dtype != object:
        assert event["value"].dtype == value.dtype


def test_calls_are_in_the_order_of_their_starts(tmp_path):
    run = written(
        tmp_path,
        training(2, "b", (1, 0.5)),
        training(1, "a", (1, 0.25), (3, 0.125), first="first/b"),
        training(3, "c"),
        {"kind": "evaluation", "metrics": {"loss": 1.0}, "model_dir": "a"},
        exit_code=3,
    )
    # A training without a step is left out.
    assert [(one.model_dir, one.steps) for one in run.trainings] == [("a", 3), ("b", 1)]
    assert run.evaluations == ({"loss": 1.0},)
    assert run.first_checkpoints == {"a": str(tmp_path / "first/b")}
    assert run.exit_code == 3


def test_the_first_checkpoint_of_a_folder_counts(tmp_path):
    again = [training(n, "a", (1, 0.5), first=f"first/{n}") for n in (1, 2)]
    assert written(tmp_path, *again).first_checkpoints == {"a": str(tmp_path / "first/1")}


def test_a_killed_process_leaves_whole_lines_and_no_run(tmp_path):
    recording.append_event(str(tmp_path), {"kind": "evaluation", "metrics": {}})
    (path,) = tmp_path.iterdir()
    assert json.loads(path.read_text()) == {"kind": "evaluation", "metrics": {}}
    assert recording.read_events(str(tmp_path), os.getpid() + 1) == []
    assert recording.processes(str(tmp_path)) == [os.getpid()]
    with pytest.raises(FileNotFoundError):
        recording.Recording.load(str(tmp_path))
