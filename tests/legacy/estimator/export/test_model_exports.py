"""Tests of Estimator's export methods. test_saved_model.py reads the files."""

import pathlib

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from tests.legacy.estimator.models import model_fn, receiver_fn


def test_export_saved_model(trained, tmp_path):
    (tmp_path / "note.txt").write_text("hello")
    path = trained.export_saved_model(
        str(tmp_path / "export"), receiver_fn, assets_extra={"notes/n.txt": tmp_path / "note.txt"}
    )
    folder = pathlib.Path(path.decode())
    assert folder.name.isdigit()
    assert (folder / "assets.extra" / "notes" / "n.txt").read_text() == "hello"
    served = tf.saved_model.load(path.decode()).signatures["serving_default"]
    predicted = served(x=tf.constant([[0.0], [1.0]]))["y"].numpy().ravel()
    weight, bias = (trained.get_variable_value(n).ravel()[0] for n in ("w", "b"))
    np.testing.assert_allclose(predicted, [bias, weight + bias], rtol=1e-6)


def test_nothing_to_export_or_look_at(tmp_path):
    fresh = estimator.Estimator(model_fn, tmp_path / "fresh")
    with pytest.raises(ValueError, match="Couldn't find trained model"):
        fresh.export_saved_model(str(tmp_path), receiver_fn)
    with pytest.raises(ValueError, match="Could not find trained model"):
        fresh.get_variable_names()
    assert fresh.latest_checkpoint() is None
