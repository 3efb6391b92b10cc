"""Tests that the signatures of SavedModels are compared, and their outputs on recorded features."""

import numpy as np
import pytest
import tensorflow as tf

from migrate.same_run import exports
from migrate.same_run.nests import Tolerance

EXAMPLES = {"x": np.array([[1.0], [2.0]], np.float32), "word": np.array(["a", "b"], object)}
SPEC = {"x": tf.io.FixedLenFeature([1], tf.float32), "word": tf.io.VarLenFeature(tf.string)}
NEAR = Tolerance(1e-5, 1e-6)


def _save(folder, function, signature, name="serving_default"):
    module = tf.Module()
    module.serve = tf.function(function, input_signature=signature)
    tf.saved_model.save(module, str(folder), {name: module.serve})
    return str(folder)


def _raw(folder, factor=1.0, feature="x", output="y", **options):
    """Saves a model that multiplies a feature."""
    spec = tf.TensorSpec([None, 1], tf.float32, feature)
    return _save(folder, lambda x: {output: x * factor}, [spec], **options)


def _parsing(folder, factor=1.0):
    """Saves a model that parses Examples, and needs the recorded words."""

    def serve(examples):
        features = tf.io.parse_example(examples, SPEC)
        known = tf.reduce_all(tf.sparse.to_dense(features["word"])[:2, 0] == ["a", "b"])
        return {"y": features["x"] * tf.where(known, factor, 1.0)}

    return _save(folder, serve, [tf.TensorSpec([None], tf.string, "examples")])


def _compared(before, after):
    return exports.compare(before, after, EXAMPLES, "export 1", NEAR)


def test_an_export_is_the_same_as_itself(tmp_path):
    path = _raw(tmp_path / "a")
    found = _compared(path, path)
    assert (found.differences, found.not_compared, found.signatures) == ([], [], 1)


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"factor": 1.01}, "signature serving_default, y[1][0]: 2.0 before, 2.0"),
        ({"feature": "z"}, "signature serving_default, input 'x': missing after"),
        ({"output": "z"}, "signature serving_default, output 'y': missing after"),
        ({"name": "predict"}, "signature serving_default: missing after"),
    ],
)
def test_a_difference_is_named(tmp_path, changed, line):
    found = _compared(_raw(tmp_path / "a"), _raw(tmp_path / "b", **changed))
    assert found.differences[0].startswith(f"export 1, {line}")


def test_recorded_features_are_put_into_examples(tmp_path):
    before, after = _parsing(tmp_path / "a"), _parsing(tmp_path / "b", 3.0)
    assert _compared(before, before).differences == []
    (line,) = _compared(before, after).differences
    assert "y[1][0]: 2.0 before, 6.0 after" in line


def test_an_export_that_cannot_be_loaded_is_not_compared(tmp_path):
    found = _compared(_raw(tmp_path / "a"), str(tmp_path / "absent"))
    assert (found.differences, found.signatures) == ([], 0)
    assert found.not_compared[0].startswith("export 1: it could not be loaded after: ")


def test_files_for_a_server_are_compared(tmp_path):
    before, after = _raw(tmp_path / "a"), _raw(tmp_path / "b")
    (tmp_path / "a" / "assets.extra").mkdir()
    (tmp_path / "a" / "assets.extra" / "warmup").write_text("requests")
    assert _compared(before, after).differences == [
        "export 1, assets.extra/warmup: b'requests' before, missing after"
    ]
