"""Tests of programs that run in turns."""

import itertools
import json
import sys

import pytest

from benchmarks import programs, turns

# Notes the times of 600 ticks, and has 1,000 examples in its last 500.
TICKS = """
import json, sys, time
ticks = []
for _ in range(600):
    end = time.time() + 0.0015
    while time.time() < end:
        pass
    ticks.append(time.time())
json.dump(ticks, open(sys.argv[2], "w"))
json.dump(dict(examples=1000, start=ticks[100], end=ticks[-1]), open(sys.argv[1], "w"))
"""


def program(name, code, *arguments):
    command = (sys.executable, "-c", code, "{dir}/speed.json", *arguments)
    return programs.Program(name, command, "speed.json", False, 1, 0)


def test_only_one_program_runs_at_a_time(tmp_path):
    names = ("first", "second")
    chosen = [program(name, TICKS, str(tmp_path / name)) for name in names]
    speeds = turns.run(chosen, None, slice_s=0.1)
    ticks = sorted(
        (time, name) for name in names for time in json.loads((tmp_path / name).read_text())
    )
    switches = sum(one[1] != other[1] for one, other in itertools.pairwise(ticks))
    assert 2 <= switches < 100
    # A tick takes 1.5 ms or more, and has two examples.
    assert all(0 < speed < 2000 for speed in speeds.values())


def test_pauses_do_not_count():
    clock = turns.Clock()
    clock.add(10.0, 12.0)
    clock.add(20.0, 23.0)
    moments = (9.0, 11.0, 12.0, 15.0, 21.0, 30.0)
    assert [clock.seconds_at(moment) for moment in moments] == [0.0, 1.0, 2.0, 2.0, 3.0, 5.0]


def test_the_records_of_our_tasks_are_read(tmp_path):
    flags = ("--job=linear_regression", "--model_dir={dir}", "--noexport", "--train_steps=4000")
    command = (sys.executable, "-m", "modern.train", *flags)
    ours = programs.Program("ours", command, None, False, 1, 0, warmup_steps=100)
    speeds = turns.run([ours, program("ticks", TICKS, str(tmp_path / "ticks"))], None)
    assert speeds["ours"] > 0


def test_a_task_that_fails_is_named():
    with pytest.raises(RuntimeError, match="it: worker-0 failed:\n(.*\n)*.*oh dear"):
        turns.run([program("it", "raise SystemExit('oh dear')")], None)
