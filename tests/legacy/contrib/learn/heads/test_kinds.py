"""Test of the kinds of heads that the canned estimators do not use."""

import tensorflow as tf

from legacy.contrib import learn

tf1 = tf.compat.v1
LOGITS = [[1.0, -1.0, 0.5], [0.0, 2.0, -0.5]]


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
