"""Tests for plans: pairs, shapes, types and averages that a user must settle."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.checkpoint import Options, TensorMap, convert, open_source
from modern.process import cli
from tests.migrate.checkpoint import twin

# Programs of that time use tf.layers and similar functions, which warn.
pytestmark = pytest.mark.filterwarnings("ignore:.tf.layers:UserWarning")
MODEL = "tests.migrate.checkpoint.twin_port:build_model"


def test_two_layers_of_one_shape_are_told_apart_by_a_map_alone(tmp_path):
    old, like, output = (str(tmp_path / name) for name in ("old", "like", "out"))
    _save(old, {"net/a/kernel": 1.0, "net/b/kernel": 2.0, "net/only/bias": 3.0})
    _save(like, {"x/kernel": 0.0, "y/kernel": 0.0, "y/bias": 0.0})
    with pytest.raises(cli.UsageError, match="net/a/kernel could be any of x/kernel, y/kernel"):
        convert(old, output, like=like)
    convert(old, output, like=like, given=TensorMap.parse("net/a/kernel = y/kernel"))
    found = open_source(output)
    values = {one.name: float(found.read(one)) for one in found.of("variable")}
    assert values == {"x/kernel": 2.0, "y/kernel": 1.0, "y/bias": 3.0}


def _save(path, values):
    variables = [tf.Variable(value, name=name) for name, value in values.items()]
    tf.train.Checkpoint(v=variables).write(path)


def test_moving_averages_have_no_place_unless_told(tmp_path):
    folder = tmp_path / "estimator"
    twin.train(folder, 2, twin.adam, averages=True, partitioned=False)
    output = str(tmp_path / "m.keras")
    with pytest.raises(cli.UsageError, match=r"--leave-out='\*/ExponentialMovingAverage'"):
        convert(str(folder), output, model=MODEL)
    convert(str(folder), output, model=MODEL, options=Options(use_averages=True))
    old = open_source(str(folder))
    shadow = next(
        one for one in old.stored if one.name.endswith("head/kernel/ExponentialMovingAverage")
    )
    np.testing.assert_array_equal(
        tf_keras.models.load_model(output).get_layer("head").kernel, old.read(shadow)
    )


def test_shapes_and_dtypes_that_differ_are_refused_unless_told(tmp_path):
    old, like, output = (str(tmp_path / name) for name in ("old", "like", "out"))
    tf.train.Checkpoint(v=tf.Variable(tf.ones((4, 1)), name="v")).write(old)
    tf.train.Checkpoint(v=tf.Variable(tf.zeros(4, tf.float64), name="v")).write(like)
    with pytest.raises(cli.UsageError, match=r"(?s)shape \(4, 1\).*--reshape.*float32.*--cast"):
        convert(old, output, like=like)
    convert(old, output, like=like, options=Options(cast=True, reshape=True))
    (one,) = open_source(output).of("variable")
    np.testing.assert_array_equal(open_source(output).read(one), np.ones(4))
