"""Tests for groups of processes that take turns. The programs do not train."""

import sys

import pytest

from benchmarks import runner, ways

# Writes the result of each training after its signal, until the signal of the end.
TRAINS = """
import json, os, sys
from modern.tasks import repeats
folder, name = sys.argv[1:]
for repeat in range(3):
    if not repeats.wait_for_start(f"{folder}/start", repeat):
        break
    place = f"{folder}/model/repeat-{repeat}"
    os.makedirs(place, exist_ok=True)
    with open(place + "/partial", "w") as file:
        json.dump({"name": name, "repeat": repeat, "examples": {}, "process": os.getpid()}, file)
    os.rename(place + "/partial", place + "/result.json")
"""


def group(folder, name, program=TRAINS):
    command = (sys.executable, "-c", program, str(folder / name), name)
    return ways.Group(name, "single", str(folder / name), command, False, 1, 0, False, 3, 10)


def test_groups_take_turns_and_start_once(tmp_path):
    first, second = group(tmp_path, "first"), group(tmp_path, "second")
    with runner.Groups(timeout_s=60) as groups:
        found = [groups.train(one, repeat) for repeat in (0, 1) for one in (first, second)]
        reports = groups.finish()
    turns = [(one["name"], one["repeat"]) for one in found]
    assert turns == [("first", 0), ("second", 0), ("first", 1), ("second", 1)]
    assert found[0]["process"] == found[2]["process"] != found[1]["process"]
    assert {one.name: [task.name for task in tasks] for one, tasks in reports.items()} == {
        "first": ["worker-0"],
        "second": ["worker-0"],
    }


def test_a_task_that_fails_is_named_with_its_last_lines(tmp_path):
    failing = group(tmp_path, "failing", "import sys; sys.exit('oh dear')")
    with (
        runner.Groups(timeout_s=60) as groups,
        pytest.raises(runner.RunFailedError, match="failing: worker-0 failed.*\n  . oh dear"),
    ):
        groups.train(failing, 0)


def test_a_training_without_a_result_is_given_up(tmp_path):
    waiting = group(tmp_path, "waiting", "import signal; signal.pause()")
    with (
        runner.Groups(timeout_s=0.1) as groups,
        pytest.raises(runner.RunFailedError, match="waiting: no result after 0 s"),
    ):
        groups.train(waiting, 0)
