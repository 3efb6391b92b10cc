"""Tests of converting v1 canned checkpoints for v2 estimators, against TensorFlow 2.15."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.private_api import checkpoint_converter

tf1 = tf.compat.v1


def converted(tmp_path, kind, values):
    source, target = str(tmp_path / "old"), str(tmp_path / "new")
    with tf.Graph().as_default(), tf1.Session() as session:
        variables = {
            name: tf1.get_variable(name.replace("/", "_"), initializer=value)
            for name, value in {"global_step": np.int64(2), **values}.items()
        }
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver(variables).save(session, source)
    checkpoint_converter.convert_checkpoint(kind, source, "", target)
    reader = tf.train.load_checkpoint(target)
    return {name: reader.get_tensor(name).tolist() for name in reader.get_variable_to_shape_map()}


def test_adam(tmp_path):
    values = {
        "dnn/logits/bias": 1.0,
        "dnn/logits/bias/t_0/Adam": 2.0,
        "dnn/logits/bias/t_0/Adam_1": 3.0,
        "training_op/beta1_power": 0.81,
        "training_op/beta2_power": 0.998001,
    }
    assert converted(tmp_path, "dnn", values) == pytest.approx(
        {
            "global_step": 2,
            "dnn/logits/bias": 1.0,
            "training/Adam/dnn/logits/bias/m": 2.0,
            "training/Adam/dnn/logits/bias/v": 3.0,
            "training/Adam/beta_1": 0.9,
            "training/Adam/beta_2": 0.999,
            "training/Adam/decay": 0.0,
            "training/Adam/learning_rate": 0.001,
        }
    )


def test_two_optimizers(tmp_path):
    values = {
        "dnn/w/RMSProp": 1.0,
        "dnn/w/RMSProp_1": 2.0,
        "linear/linear_model/x/weights/Ftrl": 3.0,
        "linear/linear_model/x/weights/Ftrl_1": 4.0,
    }
    found = converted(tmp_path, "combined", values)
    assert found["training/RMSprop/dnn/w/rms"] == 1.0
    assert found["training/Ftrl/linear/linear_model/x/weights/accumulator"] == 3.0
    assert found["training/Ftrl/linear/linear_model/x/weights/linear"] == 4.0
    assert found["training/Ftrl/iter"] == 2
    assert found["training/RMSprop/rho"] == pytest.approx(0.9)
    assert not [name for name in found if name.endswith(("RMSProp", "RMSProp_1"))]


@pytest.mark.parametrize(
    ("slot", "counting"),
    [("linear/linear_model/x/weights/Adagrad", "Adagrad"), ("dnn/w/Adagrad", "SGD")],
)
def test_sgd_has_no_slots(tmp_path, slot, counting):
    found = converted(tmp_path, "combined", {slot: 1.0})
    assert [name for name in found if name.endswith("/iter")] == [f"training/{counting}/iter"]
    assert found["training/SGD/momentum"] == 0.0


def test_what_cannot_be_told_apart(tmp_path):
    with pytest.raises(ValueError, match="Two `SGD` optimizers are used in DNNLinearCombined"):
        converted(tmp_path, "combined", {"dnn/w": 1.0})
    both = {"dnn/w/Adagrad": 1.0, "linear/linear_model/x/weights/Adagrad": 1.0}
    with pytest.raises(ValueError, match="Two `Adagrad`"):
        converted(tmp_path, "combined", both)
    with pytest.raises(ValueError, match="estimator_type='wide'"):
        converted(tmp_path, "wide", {})
