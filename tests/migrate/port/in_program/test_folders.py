"""Tests for the folders of Estimators and models without one."""

import types

import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from legacy.estimator import construction
from migrate import bridge
from migrate.port.in_program import folders
from tests.migrate.bridge import small


@pytest.fixture
def helpers(tmp_path, monkeypatch):
    """Returns a module in the place of as_estimator, with the folders that it restored."""
    monkeypatch.setattr(construction, "tempfile", construction.tempfile)  # Undone after the test.
    restored = []
    found = types.SimpleNamespace(restored=restored)
    found.restore = lambda model, folder, save_secs: restored.append(folder)
    found.callbacks = found.train = found.train_and_evaluate = lambda model: None
    patches = folders.patches(str(tmp_path))
    patches["legacy.estimator.construction"](construction)
    patches["migrate.bridge.as_estimator"](found)
    return found


def test_folders_are_numbered_by_their_first_use(helpers, tmp_path):
    first, second = (bridge.KerasModelFn(small.model_fn) for _ in range(2))
    helpers.train(second)
    helpers.train(first)
    assert helpers.restored == [str(tmp_path / "unnamed" / number) for number in "12"]


def test_a_bridged_canned_estimator_keeps_the_folder_of_its_estimator(helpers, tmp_path):
    columns = [tf.feature_column.numeric_column("x")]
    canned = [tf_estimator.LinearRegressor(columns) for _ in range(2)]
    models = [bridge.KerasModelFn(estimator.model_fn) for estimator in canned]
    other = bridge.KerasModelFn(small.model_fn)
    for model in (models[1], other, models[0]):
        helpers.train(model)
    assert helpers.restored == [str(tmp_path / "unnamed" / number) for number in "231"]
