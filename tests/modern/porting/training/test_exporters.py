"""Tests that exporters export and keep the same as an Estimator's, for the same evaluations."""

import os

import pytest

from legacy import estimator as tf_estimator
from modern import porting
from modern.porting.training import exporters

LOSSES = [0.5, 0.4, 0.4, 0.6, 0.3]


def ask(exporter, folder, losses=LOSSES, last=True):
    """Returns true for each evaluation that is exported. An export is a folder with a number."""
    names = iter(range(10**9, 10**9 + 99))

    def export(base, serving):
        path = os.path.join(base, str(next(names)))
        os.makedirs(path)
        return path.encode()

    return [
        exporter.export(str(folder), {"loss": loss}, last and loss == 0.3, export) is not None
        for loss in losses
    ]


class Estimator:
    """Fake Estimator with the members that an exporter uses."""

    def __init__(self, folder):
        self.model_dir = str(folder)
        self._names = iter(range(10**9, 10**9 + 99))

    def export_saved_model(self, base, *_, **__):
        path = os.path.join(base, str(next(self._names)))
        os.makedirs(path)
        return path.encode()


def ask_theirs(exporter, folder):
    estimator, path = Estimator(folder), os.path.join(folder, "export", exporter.name)
    return [
        exporter.export(estimator, path, "checkpoint", {"loss": loss}, loss == 0.3) is not None
        for loss in LOSSES
    ]


def higher(best_eval_result, current_eval_result):
    return best_eval_result["loss"] < current_eval_result["loss"]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("FinalExporter", {}),
        ("LatestExporter", {"exports_to_keep": 2}),
        ("LatestExporter", {"exports_to_keep": None}),
        ("BestExporter", {}),
        ("BestExporter", {"compare_fn": higher, "exports_to_keep": 1}),
    ],
)
def test_what_is_exported_and_kept_is_what_an_estimators_did(kind, options, tmp_path):
    (tmp_path / "a" / "export" / "mine" / "no-version").mkdir(parents=True)
    (tmp_path / "b" / "export" / "mine" / "no-version").mkdir(parents=True)
    expected = ask_theirs(
        getattr(tf_estimator, kind)("mine", lambda: None, **options), tmp_path / "a"
    )
    assert ask(getattr(porting, kind)("mine", None, **options), tmp_path / "b") == expected
    kept, others = (sorted(os.listdir(tmp_path / one / "export" / "mine")) for one in "ba")
    assert kept == others
    assert "no-version" in kept


def test_best_is_the_smallest_loss(tmp_path):
    found = ask(porting.BestExporter("best", None), tmp_path)
    assert found == [True, True, False, False, True]


def test_mistakes_are_errors():
    with pytest.raises(ValueError, match="exports_to_keep must be positive or None, not 0"):
        porting.LatestExporter("a", None, exports_to_keep=0)
    with pytest.raises(ValueError, match="compare_fn must take .* takes a, b"):
        porting.BestExporter("a", None, lambda a, b: True)
    with pytest.raises(ValueError, match="name must be a string, not ''"):
        porting.FinalExporter("", None)
    with pytest.raises(TypeError, match="but None does not"):
        exporters.as_tuple([None])
    one = porting.FinalExporter("a", None)
    assert exporters.as_tuple(one) == exporters.as_tuple([one]) == (one,)
    assert exporters.as_tuple(None) == ()
