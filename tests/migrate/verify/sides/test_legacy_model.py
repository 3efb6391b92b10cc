"""Tests for the legacy side."""

import pytest

from migrate import verify
from migrate.verify import results
from tests.migrate.verify import tiny


class Doubling(tiny.Tracked):
    FACTOR = 4.0

    def call(self, features, training=False):
        x = features["x"] * 2.0
        return {"logits": self.logits(x), "halved": x / self.FACTOR}

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        return super().compute_loss(x, y, y_pred["logits"])

    def compute_metrics(self, x, y, y_pred, sample_weight):
        return super().compute_metrics(x, y, y_pred["logits"], sample_weight)


class Otherwise(Doubling):
    FACTOR = 4.5


@pytest.mark.parametrize(
    ("model", "verdict"), [(Doubling, results.SAME), (Otherwise, results.DIFFERENT)]
)
def test_features_that_the_model_fn_writes_to_are_its_own(model, verdict):
    report = verify.verify(
        tiny.changes_features, model, tiny.dict_input_fn, params=tiny.params, update_steps=1
    )

    assert report.verdict == verdict, report.levels
