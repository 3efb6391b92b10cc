"""Tests of models that are called with arrays."""

import pytest

from legacy import estimator
from legacy.contrib import learn, predictor
from tests.legacy.estimator import models


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("model"))
    return estimator.Estimator(models.model_fn, folder).train(models.dataset, steps=2)


def expected(trained, x):
    weight, bias = (trained.get_variable_value(name).item() for name in "wb")
    return pytest.approx(weight * x + bias)


def test_a_checkpoint_of_an_estimator(trained):
    predict = predictor.from_estimator(trained, models.receiver_fn)
    assert predict({"x": [[2.0]]})["y"].item() == expected(trained, 2.0)
    with pytest.raises(ValueError, match="Got unexpected keys in input_dict: {'z'}"):
        predict({"z": 1.0})
    with pytest.raises(KeyError, match="output_key must be one of"):
        predictor.from_estimator(trained, models.receiver_fn, output_key="no_such")
    with pytest.raises(TypeError, match="You likely want to call from_estimator"):
        predictor.from_contrib_estimator(trained, models.receiver_fn)
    with pytest.raises(TypeError, match="You likely want to call from_contrib_estimator"):
        predictor.from_estimator(learn.Estimator(models.model_fn), models.receiver_fn)


def test_a_saved_model(trained, tmp_path):
    path = trained.export_saved_model(str(tmp_path), models.receiver_fn)
    predict = predictor.from_saved_model(path)
    assert predict({"x": [[3.0]]})["y"].item() == expected(trained, 3.0)
    names = {name: tensor.name for name, tensor in predict.fetch_tensors.items()}
    by_name = predictor.from_saved_model(path, input_names={"mine": "x:0"}, output_names=names)
    assert by_name({"mine": [[3.0]]})["y"].item() == expected(trained, 3.0)
    with pytest.raises(ValueError, match="must both be specified or both be unspecified"):
        predictor.from_saved_model(path, input_names={"mine": "x:0"})
    with pytest.raises(ValueError, match='Got signature_def_key "other"'):
        predictor.from_saved_model(path, "other")
