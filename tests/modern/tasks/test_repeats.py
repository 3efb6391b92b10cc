"""Tests of repeated trainings in one process."""

import threading

import pytest

from modern.tasks import repeats


@pytest.mark.parametrize(
    ("count", "distinct", "expected"),
    [
        (1, 0, [("/m", 5)]),
        (3, 0, [("/m/repeat-0", 5), ("/m/repeat-1", 6), ("/m/repeat-2", 7)]),
        (3, 2, [("/m/repeat-0", 5), ("/m/repeat-1", 6), ("/m/repeat-2", 5)]),
    ],
)
def test_folders_and_seeds(count, distinct, expected):
    found = repeats.in_turn("/m", count, 5, distinct)
    assert [(one.folder, one.seed) for one in found] == expected


def test_waiting_for_the_start_signal(tmp_path):
    signal = str(tmp_path / "go")
    (tmp_path / "go.0").touch()
    assert repeats.wait_for_start(signal, 0)
    waiting = threading.Thread(target=repeats.wait_for_start, args=(signal, 1))
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    (tmp_path / "go.1").touch()
    waiting.join(10)
    assert not waiting.is_alive()


def test_a_signal_says_that_there_are_enough(tmp_path):
    (tmp_path / "go.0").touch()
    (tmp_path / "go.end").touch()
    found = repeats.in_turn("/m", 9, 0, start_signal=str(tmp_path / "go"))
    assert [one.seed for one in found] == [0]
