"""Test of several heads."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import learn

tf1 = tf.compat.v1
LOGITS = [[1.0, -1.0, 0.5], [0.0, 2.0, -0.5]]


def test_several_heads_add_their_losses():
    heads = [
        learn.multi_class_head(2, label_name="click", head_name="click"),
        learn.regression_head(label_name="time", head_name="time", label_dimension=2),
    ]
    both = learn.multi_head(heads, loss_weights=[1.0, 0.5])
    with tf.Graph().as_default(), tf1.Session() as session:
        labels = {"click": tf.constant([[1], [0]]), "time": tf.ones([2, 2])}
        ops = both.create_model_fn_ops(
            {}, "eval", labels, logits=tf.constant(LOGITS), train_op_fn=learn.no_op_train_fn
        )
        click = np.mean([np.log1p(np.exp(-1.0)), np.log(2.0)])
        time = np.mean(np.square(np.array(LOGITS)[:, 1:] - 1.0))
        assert session.run(ops.loss) == pytest.approx(click + 0.5 * time, rel=1e-5)
        assert both.logits_dimension == 3
        assert ("time", "scores") in ops.predictions
        assert "loss/click" in ops.eval_metric_ops
        infer = both.create_model_fn_ops({}, "infer", logits=tf.constant(LOGITS))
        assert sorted(infer.output_alternatives) == ["click", "time"]
