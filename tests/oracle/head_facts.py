"""Facts about a head: its EstimatorSpec in each mode, and its values under eager execution."""

import numpy as np
import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1


def graphs(make_head, logits, labels, features=None, train=None, **spec_arguments):
    """Returns the facts of a head's EstimatorSpec in each mode.

    Args:
      make_head: Function that makes the head.
      logits: Array, or arrays by name. They are multiplied by a variable whose value is 2.
      labels: Array, or arrays by name.
      features: Arrays by name.
      train: Function of the variable and the global step that returns the arguments for the train
        op.
      **spec_arguments: Arguments of create_estimator_spec in all modes but PREDICT.
    """
    found = {}
    for mode in ("infer", "eval", "train"):
        head = make_head()
        with tf.Graph().as_default():
            found[mode] = _spec_facts(
                mode, head, logits, labels, features or {}, train, spec_arguments
            )
    return found


def _spec_facts(mode, head, logits, labels, features, train, spec_arguments):
    step = tf1.train.get_or_create_global_step()
    variable = tf1.get_variable("w", initializer=2.0, use_resource=True)
    given = {}
    if mode != "infer":
        given = dict(spec_arguments, labels=_tensors(labels))
    if mode == "train":
        given.update((train or _descent)(variable, step))
    if "regularization_losses" in given:
        given["regularization_losses"] = [tf.constant(x) for x in given["regularization_losses"]]
    spec = head.create_estimator_spec(
        features=_tensors(features),
        mode=mode,
        logits=tf.nest.map_structure(lambda x: tf.constant(x) * variable, logits),
        **given,
    )
    return of_spec(spec, variable)


def _descent(variable, step):
    del variable
    optimizer = tf1.train.GradientDescentOptimizer(0.1)
    return {"train_op_fn": lambda loss: optimizer.minimize(loss, global_step=step)}


def _tensors(values):
    if isinstance(values, dict):
        return {name: _tensors(value) for name, value in values.items()}
    if isinstance(values, tf1.SparseTensorValue):
        return tf.sparse.SparseTensor(*values)
    return tf.constant(values)


def of_spec(spec, variable):
    """Returns the values and names of a spec, and the effect of a training step."""
    names = {str(key): value.name for key, value in spec.predictions.items()}
    found = {
        "mode": spec.mode,
        "prediction_names": names,
        "prediction_keys": [str(key) for key in spec.predictions],
        "exports": {
            key: _export(output) for key, output in sorted((spec.export_outputs or {}).items())
        },
        "metric_keys": sorted(spec.eval_metric_ops),
        "loss_name": spec.loss is not None and spec.loss.name,
    }
    tensors = {"predictions": dict(spec.predictions)}
    if spec.loss is not None:
        tensors["loss"] = spec.loss
    summaries = tf1.summary.merge_all()
    with tf1.Session() as session:
        session.run(
            [
                tf1.global_variables_initializer(),
                tf1.local_variables_initializer(),
                tf1.tables_initializer(),
            ]
        )
        found.update(facts.plain(session.run(tensors)))
        if spec.eval_metric_ops:
            for _ in range(2):
                session.run([update for _, update in spec.eval_metric_ops.values()])
            values = {key: value for key, (value, _) in spec.eval_metric_ops.items()}
            found["metrics"] = facts.plain(session.run(values))
        if summaries is not None:
            text = tf1.Summary.FromString(session.run(summaries))
            found["summaries"] = {value.tag: value.simple_value for value in text.value}
        if spec.train_op is not None:
            session.run(spec.train_op)
            found["trained"] = facts.plain(session.run([variable, tf1.train.get_global_step()]))
    return found


def _export(output):
    found = {"type": type(output).__name__}
    for name in ("scores", "classes", "value"):
        if hasattr(output, name):
            found[name] = getattr(output, name).shape.as_list()
    if hasattr(output, "outputs"):
        found["outputs"] = {name: t.dtype.name for name, t in output.outputs.items()}
    return found


def eagerly(head, logits, labels, features=None, regularization=None):
    """Returns the values that a v2 head computes under eager execution."""
    features = features or {}
    labels = _tensors(labels)
    losses = None if regularization is None else [tf.constant(value) for value in regularization]
    metrics = head.metrics(regularization_losses=losses)
    before = list(metrics)
    for _ in range(2):
        head.update_metrics(metrics, features, logits, labels, regularization_losses=losses)
    predictions = head.predictions(logits)
    return {
        "name": head.name,
        "dimension": head.logits_dimension,
        "reduction": head.loss_reduction,
        "loss": float(head.loss(labels, logits, features=features, regularization_losses=losses)),
        "metric_order": before,
        "metric_names": {key: metric.name for key, metric in metrics.items()},
        "metrics": {key: float(metric.result()) for key, metric in metrics.items()},
        "predictions": facts.plain(
            {str(key): np.asarray(value) for key, value in predictions.items()}
        ),
        "prediction_keys": [str(key) for key in predictions],
    }


def kinds(calls):
    """Returns the type of the exception of each call, by name. Its text is only for readers."""
    found = {"texts~": {}}
    for name, call in calls.items():
        error = facts.error(call)
        found[name] = error and error[0]
        found["texts~"][name] = error and error[1]
    return found
