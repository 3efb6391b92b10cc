"""Tests that unnamed folders are paired by the order of their first training."""

import dataclasses

from migrate.port import comparison, pairing
from migrate.same_run.recording import Checkpoint, Recording, Training

NORMS = ((1, 1.0),)


def _run(*names, losses=(0.5, 0.25)):
    """Returns a run that trains two models."""
    return Recording(
        trainings=tuple(
            Training(name, ((1, loss),), gradients=NORMS)
            for name, loss in zip(names, losses, strict=True)
        ),
        checkpoints={
            name: Checkpoint("", True, {"kernel": loss})
            for name, loss in zip(names, losses, strict=True)
        },
    )


def test_models_that_train_in_another_order_than_they_are_created_are_paired():
    before, after = _run("unnamed/2", "unnamed/1"), _run("unnamed/1", "unnamed/2")
    assert pairing.pairs(before, after) == {"unnamed/1": "unnamed/2", "unnamed/2": "unnamed/1"}
    found = comparison.compare(before, after)
    assert (found.verdict, found.compared["checkpoints"]) == ("same", 2), found.lines


def test_folders_that_differ_in_digits_are_paired():
    before, after = _run("run-1", "run-2", losses=(1, 2)), _run("run-2", "run-3", losses=(1, 2))
    assert pairing.pairs(before, after) == {"run-3": "run-1"}
    before, after = _run("at-10.20", "b"), _run("at-10.31", "b")
    assert pairing.pairs(before, after) == {"at-10.31": "at-10.20"}
    assert pairing.pairs(before, _run("to-10.31", "b")) == {}


def test_named_folders_are_not_exchanged():
    found = comparison.compare(_run("a", "b"), _run("b", "a"))
    assert "training 1: of the model in a before, of that in b after" in found.lines


def test_a_port_that_leaves_no_checkpoint_is_different():
    before, after = _run("a", "b"), _run("a", "b")
    del after.checkpoints["b"]
    found = comparison.compare(before, after)
    assert (found.verdict, found.lines) == ("different", ("checkpoint of b: there is none after",))


def test_exports_of_folders_that_differ_in_digits_are_paired():
    before, after, more = (
        dataclasses.replace(
            _run(f"run-{time}", "b"),
            exports=dict.fromkeys(
                (f"run-{time}/export/e/export 1", f"out/{time}_8/final", *others), "path"
            ),
        )
        for time, others in (
            ("10.20", ()),
            ("10.31", ()),
            ("10.42", ("run-10.42/export/e/export 2",)),
        )
    )
    assert pairing.renamed(before, after).exports == before.exports
    added = {*pairing.renamed(before, more).exports} - {*before.exports}
    assert added == {"run-10.20/export/e/export 2"}  # It is found as an additional export.


def test_an_export_that_another_run_lacks_is_different():
    exports = {"a/export/e/export 1": "path"}
    before = dataclasses.replace(_run("a", "b"), exports=exports)
    comparison_result = comparison.compare(before, _run("a", "b"))
    assert comparison_result.lines == ("a/export/e/export 1: only exported before",)
