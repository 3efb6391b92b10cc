"""Errors of the v2 heads, with their types."""

import numpy as np
import tensorflow as tf

from tests.oracle import head_facts

APIS = ("v2",)

tf1 = tf.compat.v1
ONE = np.array([[1.0], [2.0]], "float32")
THREE = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], "float32")


def in_graph(function):
    def call():
        with tf.Graph().as_default():
            tensor = function()
            with tf1.Session() as session:
                session.run(tf1.tables_initializer())
                return session.run(tensor)

    return call


def unknown(array):
    return tf1.placeholder_with_default(array, [None] * array.ndim)


def arguments(e):
    return {
        "reduction": lambda: e.RegressionHead(loss_reduction="none"),
        "reduction_v1": lambda: e.BinaryClassHead(loss_reduction="weighted_sum"),
        "vocabulary_type": lambda: e.BinaryClassHead(label_vocabulary="abc"),
        "vocabulary_type_multi": lambda: e.MultiClassHead(3, label_vocabulary="abc"),
        "vocabulary_size": lambda: e.MultiClassHead(3, label_vocabulary=["a"]),
        "threshold": lambda: e.BinaryClassHead(thresholds=[0.5, 1.0]),
        "loss_fn_less": lambda: e.BinaryClassHead(loss_fn=lambda labels: labels),
        "loss_fn_more": lambda: e.BinaryClassHead(loss_fn=lambda labels, logits, name: labels),
        "classes": lambda: e.MultiClassHead(2),
        "classes_none": lambda: e.MultiClassHead(None),
        "label_classes": lambda: e.MultiLabelHead(1),
        "label_threshold": lambda: e.MultiLabelHead(2, thresholds=[0.0]),
        "label_vocabulary": lambda: e.MultiLabelHead(2, label_vocabulary=["a"]),
        "metric_class": lambda: e.MultiLabelHead(2, classes_for_class_based_metrics=[2]),
        "metric_name": lambda: e.MultiLabelHead(2, classes_for_class_based_metrics=["a"]),
        "metric_unknown": lambda: e.MultiLabelHead(
            2, label_vocabulary=["a", "b"], classes_for_class_based_metrics=["c"]
        ),
        "dimension": lambda: e.RegressionHead(label_dimension=0),
        "no_heads": lambda: e.MultiHead([]),
        "no_name": lambda: e.MultiHead([e.RegressionHead()]),
        "weights": lambda: e.MultiHead([e.RegressionHead(name="a")], [1.0, 2.0]),
        "reductions": lambda: (
            e.MultiHead(
                [e.RegressionHead(name="a"), e.RegressionHead(loss_reduction="sum", name="b")]
            ).loss_reduction
        ),
        "abstract": lambda: e.Head(),
    }


def losses(e, put):
    """The same in both modes: `put` makes the tensors and their static shapes."""
    binary, multi, number = e.BinaryClassHead(), e.MultiClassHead(3), e.RegressionHead
    words = e.MultiClassHead(3, label_vocabulary=["a", "b", "c"])
    labels = e.MultiLabelHead(3)
    both = e.MultiHead([number(name="a"), number(name="b")])
    flat = {"w": np.ones(3, "float32")}

    def loss(head, labels, logits, features=None):
        return lambda: head.loss(
            labels
            if labels is None or isinstance(labels, (dict, tf.sparse.SparseTensor))
            else put(labels),
            put(logits),
            features={k: put(v) for k, v in (features or {}).items()},
        )

    def sparse(values):
        return lambda: labels.loss(
            tf.sparse.SparseTensor([[0, 0], [1, 0]], values, [2, 1]), put(THREE), features={}
        )

    return {
        "none": loss(binary, None, ONE),
        "label_width": loss(binary, THREE, ONE),
        "label_batch": loss(binary, np.ones((3, 1), "float32"), ONE),
        "label_rank": loss(number(), np.ones(2, "float32"), np.ones((2, 2, 1), "float32")),
        "logits_width": loss(binary, ONE, THREE),
        "logits_rank": loss(number(), ONE[:, 0], ONE[:, 0]),
        "label_high": loss(binary, ONE, ONE),
        "label_low": loss(multi, np.array([[-1], [0]]), THREE),
        "label_float": loss(multi, ONE, THREE),
        "label_text": loss(multi, np.array([["a"], ["b"]]), THREE),
        "label_number": loss(words, np.array([[0], [1]]), THREE),
        "label_unknown": loss(words, np.array([["a"], ["x"]]), THREE),
        "indicator": loss(labels, np.array([[0, 1, 2], [0, 0, 0]]), THREE),
        "sparse_high": sparse(np.array([0, 3])),
        "sparse_float": sparse(np.array([0.0, 1.0])),
        "weight_missing": loss(number(weight_column="w"), ONE, ONE),
        "weight_shape": loss(number(weight_column="w"), ONE, ONE, flat),
        "weight_shape_binary": loss(
            e.BinaryClassHead("w"), ONE - 1, ONE, {"w": np.ones((2, 2), "float32")}
        ),
        "weight_type": loss(number(weight_column=3), ONE, ONE, flat),
        "loss_shape": loss(number(loss_fn=lambda labels, logits: logits[:, 0]), ONE, ONE),
        "logistic": loss(e.LogisticRegressionHead(), ONE, ONE),
        "multi_labels": loss(both, ONE, np.ones((2, 2), "float32")),
        "multi_missing": loss(both, {"a": ONE}, np.ones((2, 2), "float32")),
        "multi_logits": loss(both, {"a": ONE, "b": ONE}, THREE),
    }


def specs(e):
    def spec(mode="train", **given):
        def call():
            with tf.Graph().as_default():
                tf1.train.get_or_create_global_step()
                variable = tf1.get_variable("w", [], use_resource=True)
                given.setdefault("logits", tf.constant(ONE) * variable)
                given.setdefault("labels", tf.constant(ONE))
                e.RegressionHead().create_estimator_spec(features={}, mode=mode, **given)

        return call

    legacy = getattr(tf.keras.optimizers, "legacy", tf.keras.optimizers)
    return {
        "no_optimizer": spec(),
        "both_optimizers": spec(optimizer=legacy.SGD(0.1), train_op_fn=lambda loss: loss),
        "no_variables": spec(optimizer=legacy.SGD(0.1)),
        "variables_type": spec(optimizer=legacy.SGD(0.1), trainable_variables="w"),
        "v1_optimizer": spec(optimizer=tf1.train.GradientDescentOptimizer(0.1)),
        "update_ops": spec(train_op_fn=lambda loss: loss, update_ops="no"),
        "no_labels": spec(labels=None),
        "no_labels_eval": spec("eval", labels=None),
    }


def run(estimator, folder):
    ours = losses(estimator, tf.constant)
    in_graphs = {name: in_graph(call) for name, call in ours.items()}
    dynamic = {name: in_graph(losses(estimator, unknown)[name]) for name in ours}
    keys = {
        "keys": lambda: estimator.BinaryClassHead().predictions(ONE, ["no"]),
        "keys_labels": lambda: estimator.MultiLabelHead(3).predictions(THREE, ["class_ids"]),
    }
    return {
        "arguments": head_facts.kinds(arguments(estimator)),
        "eager": head_facts.kinds(ours),
        "graph": head_facts.kinds(in_graphs),
        "dynamic": head_facts.kinds(dynamic),
        "specs": head_facts.kinds(specs(estimator)),
        "keys": head_facts.kinds(keys),
    }
