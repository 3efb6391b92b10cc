"""Tests of arguments and subclasses that Estimator refuses."""

import pytest

from legacy import estimator
from tests.legacy.estimator.models import model_fn


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (None, {}, "model_fn must be provided"),
        (lambda x: 1, {}, "must include features argument"),
        (lambda features, foo: 1, {}, "not expected args: .'foo'."),
        (lambda features: 1, {"params": {"a": 1}}, "does not include params argument"),
        (lambda features: 1, {"config": 5}, "config must be an instance of `RunConfig`"),
        (lambda features: 1, {"warm_start_from": 5}, "warm_start_from must be a string"),
    ],
)
def test_wrong_arguments_of_estimator(tmp_path, function, arguments, message):
    with pytest.raises(ValueError, match=message):
        estimator.Estimator(function, str(tmp_path), **arguments)


def test_model_dirs_that_differ():
    config = estimator.RunConfig("/tmp/b")
    with pytest.raises(ValueError, match="different values"):
        estimator.Estimator(model_fn, "/tmp/a", config)


@pytest.mark.parametrize("name", ["train", "_train_model", "config"])
def test_members_are_not_overridden(name, tmp_path):
    subclass = type("Sub", (estimator.Estimator,), {name: lambda self: None})
    with pytest.raises(ValueError, match="cannot override members of Estimator"):
        subclass(model_fn, tmp_path)
