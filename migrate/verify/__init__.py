"""Checks whether a Keras model is the same as a model_fn, in levels of computed values.

    from migrate import verify

    report = verify.verify(model_fn, build_model, input_fn, params={"learning_rate": 0.1})
    report.verdict    # "same", "different" or "could not tell"

`python -m migrate verify` is the same as a command. The first use of a name imports TensorFlow.

Files in reading order:
verifier      runs the levels: verify(model_fn, build_model, input_fn)
defaults      holds the default sizes and margins
results       holds comparisons, levels and the report with its verdict
sides         builds both programs with the same weights and batches
measures      compares values, and measures the tolerance of each
backends      computes the values of a port to Keras 3 with JAX or torch
levels        compares one aspect per level, from variables to whole trainings
checkpoints   reads an Estimator's checkpoint as a whole
report_table  prints a report in the terminal
certificate   writes a report as JSON and as an HTML page
command       runs `python -m migrate verify`
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "verify": "verifier",
    "Report": "results",
    "Level": "results",
    "Comparison": "results",
    "Undecided": "sides.case",
    "Trials": "levels.scratch",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Imports a public name on its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
