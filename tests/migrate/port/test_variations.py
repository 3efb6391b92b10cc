"""Tests for further runs of the unmodified program, and the differences that they explain."""

import numpy as np
import pytest

from migrate.port import variations
from migrate.port.steps import Steps
from migrate.same_run import recording
from migrate.same_run.recording import Checkpoint, Recording, Training

RATES = (frozenset(), frozenset())


def run_with(*losses, kernel=1.0):
    """Returns a run with some losses from the second step on."""
    steps = tuple(enumerate((0.5, *losses), start=1))
    return Recording(
        exit_code=0,
        trainings=(Training("model", steps, gradients=((1, 1.0),)),),
        checkpoints={"model": Checkpoint("", True, {"kernel": np.array([kernel])})},
    )


@pytest.fixture
def further(tmp_path, monkeypatch):
    """Returns a function that makes the further runs of a program, and the names of those used."""

    def make(repetitions=(), nudged=()):
        queues = {False: [*repetitions], True: [*nudged]}
        recordings, names = {}, []

        def run(folder, nudge, seed):
            one = queues[bool(nudge)].pop(0)
            names.append(f"nudged {seed}" if nudge else "repeated")
            recordings[f"{folder}/record"] = one
            return one

        monkeypatch.setattr(recording.Recording, "load", lambda folder: recordings[folder])
        return variations.Variations(Steps(str(tmp_path)), run, lambda line: None), names

    return make


BEFORE = run_with(0.4, 0.3)


def test_a_legacy_text_with_the_same_results_needs_no_other_run(further):
    runs, names = further()
    assert runs.compare_legacy(BEFORE, BEFORE, RATES).verdict == "same"
    assert (names, runs.difference) == ([], "")


def test_a_legacy_text_differs_if_the_program_repeats_its_results(further):
    runs, names = further([BEFORE])
    result = runs.compare_legacy(BEFORE, run_with(0.4, 0.3001), RATES)
    assert (result.verdict, names, runs.difference) == ("different", ["repeated"], "")


def test_a_legacy_text_may_differ_like_a_repetition(further):
    runs, names = further([run_with(0.4, 0.3002)])
    result = runs.compare_legacy(BEFORE, run_with(0.4, 0.2996), RATES)
    assert (result.verdict, names) == ("same", ["repeated"])
    assert result.details[-1] == (
        "The unmodified program does not repeat its own results. Allowed for it: "
        "loss of training 1: 0.0008"
    )
    assert runs.difference.startswith("training 1, loss at step 3: 0.3 before, 0.3002 after")


@pytest.mark.parametrize("losses", [(0.4, 0.3009), (0.4001, 0.3)])
def test_a_larger_or_earlier_difference_than_that_of_repetitions_is_found(further, losses):
    runs, names = further([run_with(0.4, 0.3002), BEFORE, BEFORE])
    result = runs.compare_legacy(BEFORE, run_with(*losses), RATES)
    assert (result.verdict, names) == ("different", ["repeated"] * 3)
    assert runs.repetitions == 3


def test_a_repetition_explains_at_most_two_percent(further):
    runs, _ = further([run_with(0.4, 0.4), BEFORE])
    result = runs.compare_legacy(BEFORE, run_with(0.4, 0.33), RATES)
    assert result.not_compared == (
        "training 1, loss from step 3 on: the program does not repeat its own results, which "
        "differ by more than 2%",
    )


def test_a_second_nudged_run_explains_what_the_first_one_did_not(further):
    first, second = run_with(0.4, 0.3002, kernel=1.001), run_with(0.4, 0.3001, kernel=0.99)
    runs, names = further(nudged=[first, second])
    result = runs.compare_modern(BEFORE, run_with(0.4, 0.3004, kernel=1.03), RATES)
    assert (result.verdict, names) == ("same", ["nudged 0", "nudged 1"])


def test_a_difference_that_rounding_does_not_touch_needs_one_nudged_run(further):
    runs, names = further(nudged=[BEFORE])
    result = runs.compare_modern(BEFORE, run_with(0.4, 0.31), RATES)
    assert (result.verdict, names) == ("different", ["nudged 0"])
    runs.compare_modern(BEFORE, run_with(0.4, 0.32), RATES)
    assert names == ["nudged 0"]


def test_a_modern_text_may_differ_like_the_repetitions_of_the_legacy_rung(further):
    runs, names = further([run_with(0.4, 0.3002)], nudged=[BEFORE])
    runs.load(BEFORE, 1)
    result = runs.compare_modern(BEFORE, run_with(0.4, 0.2996), RATES)
    assert (result.verdict, names) == ("same", ["repeated", "nudged 0"])
