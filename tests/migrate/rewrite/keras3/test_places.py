"""Tests of the places of names in Keras 3."""

import pytest

from migrate.rewrite.keras3 import places


@pytest.mark.parametrize(
    ("path", "is_there"),
    [
        ("layers.Dense", True),
        ("layers.Dense.from_config", True),
        ("optimizers.schedules.ExponentialDecay", True),
        ("layers.DenseFeatures", False),
        ("backend.mean", False),
        ("nothing.at.all", False),
    ],
)
def test_names_of_keras_3_are_known(path, is_there):
    assert places.is_in_keras(path) is is_there


@pytest.mark.parametrize(
    "path", ["losses.mse", "losses.MSE", "metrics.kld", "experimental.CosineDecay"]
)
def test_the_new_place_of_a_name_exists(path):
    assert not places.is_in_keras(path)
    assert places.is_in_keras(places.moved(path))


def test_a_name_that_stays_has_not_moved():
    assert places.moved("layers.Dense") is None
    assert places.moved("layers.experimental.preprocessing.RandomHeight") is None
