"""Randomness of a program, read from the recording of its run.

    randomness.dropout_rates("runs/0-unmodified/record")  # {0.5}

`in_program.determinism` fixes the randomness and writes the events.
"""

from __future__ import annotations

from typing import Any

from migrate.port.in_program import determinism
from migrate.same_run import recording

# Sentences on the randomness that the runs fixed, by the kind of the recorded event.
_CONDITIONS = {
    determinism.SHUFFLE: (
        "Data were shuffled in one order in all runs and epochs. Another order in each epoch "
        "was not exercised."
    ),
    determinism.DROPOUT: (
        "Dropout had the same mask in each step. Changing masks were not exercised. Its rates "
        "were compared."
    ),
    determinism.STEP: (
        "The program assigns its global step while it reads the step, in no certain order. In "
        "these runs the reads came first."
    ),
    determinism.LAST_STEP: (
        "A training step that finds no more data may still update some variables, such as the "
        "averages of Adam for an embedding. In these runs it updated none."
    ),
    determinism.UPDATES: (
        "The program updates variables while it reads them, in no certain order. In these runs "
        "the operations ran in the order in which the program wrote them."
    ),
    determinism.INTERVALS: (
        "The program saves or evaluates whenever some seconds have passed, such as "
        "save_checkpoints_secs or throttle_secs. In these runs no such interval elapsed, so "
        "that the same steps were saved and evaluated in all of them."
    ),
}


def dropout_rates(record: str) -> set[float]:
    """Returns the rates of dropout that a program used, as far as they are known.

    Args:
      record: Folder of the recording.
    """
    return {
        round(event["rate"], 6)
        for event in _events(record, determinism.DROPOUT)
        if event["rate"] is not None
    }


def conditions(record: str) -> list[str]:
    """Returns sentences on the randomness of a program that its runs did not exercise.

    Args:
      record: Folder of the recording.
    """
    return [sentence for kind, sentence in _CONDITIONS.items() if _events(record, kind)]


def _events(record: str, kind: str) -> list[dict[str, Any]]:
    return [
        event
        for process in recording.processes(record)
        for event in recording.read_events(record, process)
        if event["kind"] == kind
    ]
