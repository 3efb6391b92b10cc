"""Tests of arguments that TrainSpec and EvalSpec refuse."""

import pytest

from legacy import estimator
from tests.legacy.estimator.models import dataset


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((5,), TypeError),
        ((dataset, 0), ValueError),
        ((dataset, 1, [5]), TypeError),
        ((dataset, 1, None, [5]), TypeError),
    ],
)
def test_wrong_train_specs(arguments, error):
    with pytest.raises(error):
        estimator.TrainSpec(*arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"input_fn": 5}, TypeError, "`input_fn` must be callable"),
        ({"steps": 0}, ValueError, "Must specify steps > 0"),
        ({"name": 5}, TypeError, "`name` must be string"),
        ({"hooks": [5]}, TypeError, "All hooks must be"),
        ({"exporters": 5}, TypeError, "`exporters` must be an Exporter"),
        ({"exporters": [5]}, TypeError, "`exporters` must be an Exporter"),
        ({"exporters": "ab"}, TypeError, "`exporters` must be an Exporter"),
        ({"start_delay_secs": -1}, ValueError, "start_delay_secs >= 0"),
        ({"throttle_secs": -1}, ValueError, "throttle_secs >= 0"),
    ],
)
def test_wrong_eval_specs(arguments, error, message):
    with pytest.raises(error, match=message):
        estimator.EvalSpec(**{"input_fn": dataset, **arguments})


def test_exporters_need_names_of_their_own():
    two = [estimator.LatestExporter("a", dataset), estimator.LatestExporter("a", dataset)]
    with pytest.raises(ValueError, match="unique names"):
        estimator.EvalSpec(dataset, exporters=two)
    with pytest.raises(ValueError, match="`None` or empty"):
        estimator.EvalSpec(dataset, exporters=estimator.LatestExporter("", dataset))
