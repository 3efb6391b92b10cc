"""Runs of the minimal model_fn of tiny.py: whole verifications, and cases for single levels."""

import contextlib

from migrate import batches, verify
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, port
from tests.migrate.verify import tiny


def run(build_model=tiny.port, params=None, **options):
    given = {**tiny.params, **(params or {})}
    options = {"update_steps": 2, **options}
    return verify.verify(tiny.model_fn, build_model, tiny.input_fn, params=given, **options)


def findings(report, number):
    return " ".join(report.levels[number - 1].findings)


@contextlib.contextmanager
def opened(build_model=tiny.port, **options):
    """Yields both sides with two batches and equal weights."""
    program = legacy_model.Program(tiny.model_fn, tiny.params)
    drawn = batches.draw(tiny.input_fn, 2)
    with case_lib.open_case(program, port.Port(build_model), drawn, **options) as case:
        yield case


def logits(case):
    """Computes the logits of the first batch with numpy."""
    features = case.batches.items[0].features
    return features @ case.weights["logits/kernel"] + case.weights["logits/bias"]
