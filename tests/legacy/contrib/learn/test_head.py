"""Tests of contrib.learn heads that the canned estimators do not use."""

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


def test_labels_of_any_number():
    head = learn.multi_label_head(3, metric_class_ids=[1])
    with tf.Graph().as_default(), tf1.Session() as session:
        labels = tf.sparse.from_dense([[1, 2], [1, 0]])
        ops = head.create_model_fn_ops({}, "eval", labels, logits=tf.constant(LOGITS))
        session.run(tf1.local_variables_initializer())
        session.run([update for _, update in ops.eval_metric_ops.values()])
        values = {name: session.run(v) for name, (v, _) in ops.eval_metric_ops.items()}
        assert values["labels/actual_label_mean/class1"] == 1.0
        assert values["labels/prediction_mean/class1"] == 0.5


def test_weights_that_would_make_a_matrix_are_refused():
    head = learn.multi_class_head(2, weight_column_name="w")
    with tf.Graph().as_default():
        features = {"w": tf.constant([1.0, 2.0])}
        with pytest.raises(ValueError, match="weights can not be broadcast to values"):
            head.create_model_fn_ops(
                features, "eval", tf.constant([1, 0]), logits=tf.constant([[1.0], [2.0]])
            )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: learn.multi_class_head(1), "n_classes must be > 1"),
        (lambda: learn.multi_class_head(3, metric_class_ids=[3]), r"Class ID 3 not in \[0, 3\)"),
        (lambda: learn.multi_class_head(3, label_keys=["a"]), "Length of label_keys"),
        (lambda: learn.multi_class_head(3, loss_fn=lambda labels: 1), "Argument logits not found"),
        (lambda: learn.multi_head([learn.regression_head()]), "must have names"),
        (lambda: learn.regression_head(label_dimension=0), "Invalid logits_dimension 0"),
    ],
)
def test_mistakes(make, message):
    with pytest.raises(ValueError, match=message):
        make()
