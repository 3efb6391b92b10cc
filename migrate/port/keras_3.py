"""Refuses a program that cannot go to Keras 3, before any of its runs.

keras_3.check(program, "ported")

A run may still show that another Estimator stays lower, or that results differ.
"""

from __future__ import annotations

import os
import tempfile

from migrate.port import climb, estimators, rewriting
from migrate.port.copies import mirror
from migrate.port.copies.program import Program
from modern.cluster import tf_config
from modern.process import chosen_keras, cli

_REMEDY = "Port it to tf_keras: leave out --keras=3."


def check(program: Program, output: str) -> None:
    """Rewrites a copy of a program to Keras 3 as a trial.

    Args:
      program: The program.
      output: Folder of the port.

    Raises:
      cli.UsageError: The program stays on tf_keras, TF_CONFIG names a cluster, KERAS_BACKEND names
        JAX or torch, or the installed Keras 3 is too old. The message has the first reason.
    """
    chosen_keras.check_installed_keras_3()
    chosen_keras.check_backend("migrate port")
    if os.environ.get(tf_config.VARIABLE):
        raise cli.UsageError(
            f"--keras=3: {tf_config.VARIABLE} is set, but the fit of Keras 3 does not train in "
            f"clusters. Unset {tf_config.VARIABLE}, or leave out --keras=3."
        )
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "source")
        mirror.take(program, source, without=output)
        reasons = _obstacles(source, program.api.removeprefix("--api=") or "auto")
    if reasons:
        more = f" ({len(reasons) - 1} more)" if len(reasons) > 1 else ""
        raise cli.UsageError(f"--keras=3: {reasons[0].rstrip('.')}{more}. {_REMEDY}")


def _obstacles(source: str, api: str) -> list[str]:
    """Returns the reasons why a copy stays on tf_keras, with their files. It is rewritten."""
    originals = estimators.find(source)
    rewriting.to_legacy(source, api)
    places = climb.pairs(originals, estimators.find(source))
    modern = rewriting.to_modern(source, {})
    known = dict(rewriting.reasons(source, modern))
    reasons = []
    for estimator, rung in modern.rungs.items():
        if rung != estimators.KERAS:
            original = places[estimator]
            reason = known.get(estimator, "no rule makes a Keras model of it")
            reasons.append(f"{original.path}:{original.line}: {original.name}: {reason}")
    if not reasons:
        # The lines are those of the port to tf_keras, which the user does not have.
        works = rewriting.to_keras_3(source).stays
        reasons = [f"{work.path} stays on tf_keras: {work.reason}" for work in works]
    # Files that cannot be rewritten fail in the port, which reports them.
    return list(dict.fromkeys(reasons))
