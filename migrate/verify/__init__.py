"""Is this Keras model the same as that model_fn? Checked in seven levels, by what both compute.

    from migrate import verify

    report = verify.verify(model_fn, build_model, input_fn, params={"learning_rate": 0.1})
    report.verdict    # "same", "different" or "could not tell"

`python -m migrate verify` is the same as a command. TensorFlow is imported with the first name that
is asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "verify": "verifier",
    "Report": "results",
    "Level": "results",
    "Comparison": "results",
    "Undecided": "case",
    "Trials": "levels.scratch",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Imports what is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
