"""Tests that the randomness of a run is read from its recording."""

import pytest

from migrate.port import randomness
from migrate.port.in_program import determinism
from migrate.same_run import recording


def test_rates_and_conditions(tmp_path):
    record = str(tmp_path)
    assert randomness.dropout_rates(record) == set()
    assert randomness.conditions(record) == []
    for rate in (0.5, None, 0.1 + 0.2):
        recording.append_event(record, {"kind": determinism.DROPOUT, "rate": rate})
    recording.append_event(record, {"kind": determinism.SHUFFLE})
    assert randomness.dropout_rates(record) == {0.5, 0.3}
    shuffled, dropped = randomness.conditions(record)
    assert "shuffled" in shuffled
    assert "Dropout" in dropped


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (determinism.STEP, "the reads came first"),
        (determinism.UPDATES, "in the order in which the program wrote them"),
        (determinism.INTERVALS, "no such interval elapsed"),
    ],
)
def test_an_order_that_the_runs_fixed_is_a_condition(tmp_path, kind, words):
    recording.append_event(str(tmp_path), {"kind": kind})
    (condition,) = randomness.conditions(str(tmp_path))
    assert words in condition
