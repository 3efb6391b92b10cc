"""Evaluation and prediction in a single process, with a model under any strategy.

>>> import tensorflow as tf
>>> import tf_keras as keras
>>> model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
>>> model.compile("sgd", "mae")
>>> evaluate(model, tf.data.Dataset.from_tensors(([[1.0, 1.0]], [[3.0]])))
{'loss': 1.0}

An Estimator evaluated the latest checkpoint in its own process, independently of the cluster. The
methods of Keras use the cluster: with parameter servers the workers evaluate, and under
MultiWorkerMirroredStrategy each worker evaluates a part.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from modern.process.chosen_keras import keras, tf_variable


def evaluate(
    model: keras.Model,
    data: tf.data.Dataset,
    results: Callable[[], dict[str, Any]] | None = None,
) -> dict[str, float]:
    """Returns the loss and metrics of a model over whole batches, one after the other.

    With several replicas, Keras would split each batch. A mean over batches would then differ, and
    be NaN if a replica's part of a batch is empty. Synchronous workers must all call this function
    with the same number of batches, and get the counts of the first worker.

    Args:
      model: The compiled model, under any strategy.
      data: The batches, which must end.
      results: Returns the metrics that this process's replica has counted. None for the model's own
        get_metrics_result.
    """
    if not _is_distributed(model):
        metrics = model.evaluate(data, verbose=0, return_dict=True)
    else:
        test = _in_one_replica(model, model.test_step)
        model.reset_metrics()
        metrics = {}
        for batch in data:
            metrics = test(batch)
        if not model.distribute_strategy.extended.should_checkpoint:
            _forget(model)  # The workers' counts are added up.
        metrics = {**metrics, **(results() if results else model.get_metrics_result())}
    return {name: _number(value) for name, value in metrics.items()}


def _number(value: Any) -> Any:
    """Returns a scalar as a Python float, and a metric of several values as an array."""
    return float(value) if np.ndim(value) == 0 else np.asarray(value)


def _forget(model: keras.Model) -> None:
    """Resets the metrics in this process alone. reset_metrics would involve all workers."""
    strategy = model.distribute_strategy
    for metric in model.metrics:
        for variable in metric.variables:
            for part in strategy.experimental_local_results(tf_variable(variable)):
                part.assign(tf.zeros_like(part))


def predictions(model: keras.Model, data: tf.data.Dataset) -> Iterator[Any]:
    """Yields the predictions for each batch, computed as they are consumed.

    Args:
      model: The model, under any strategy.
      data: Features, or features and labels, in batches.
    """
    batches = (batch[0] if isinstance(batch, tuple) else batch for batch in data)
    if not _is_distributed(model):
        yield from map(model.predict_on_batch, batches)
        return
    predict = _in_one_replica(model, model.predict_step)
    for features in batches:
        yield tf.nest.map_structure(lambda value: value.numpy(), predict(features))


def _is_distributed(model: keras.Model) -> bool:
    strategy = model.distribute_strategy
    return _has_servers(strategy) or strategy.num_replicas_in_sync > 1


def _has_servers(strategy: tf.distribute.Strategy) -> bool:
    return isinstance(strategy, tf.distribute.ParameterServerStrategy)


def _in_one_replica(model: keras.Model, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns a step of a model as a function that this process runs as one of its replicas."""
    strategy = model.distribute_strategy

    @tf.function
    def run(batch: Any) -> Any:
        # With parameter servers, the coordinator is not a replica.
        context = tf.distribute.ReplicaContext(strategy, 0)
        with contextlib.nullcontext() if _has_servers(strategy) else context:
            return step(batch)

    return run
