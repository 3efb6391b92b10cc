"""What the original's private module `estimator` had beside Estimator, for programs that call it.

>>> dict_to_str({"loss": 0.5, "global_step": 3, "image": b""})
'global_step = 3, loss = 0.5'

Old programs import them from `tensorflow_estimator.python.estimator.estimator`, most with a "_" in
front; their arguments are those of TensorFlow 2.15.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, construction, estimator
from legacy.estimator.inputs import input_pipeline
from legacy.estimator.loops import evaluation, evaluation_events
from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

dict_to_str = evaluation_events.described
write_dict_to_summary = evaluation_events.write_dict_to_summary
write_checkpoint_path_to_summary = evaluation_events.write_checkpoint_path_to_summary
has_dataset_or_queue_runner = input_pipeline.can_end


class Gauge:
    """What classes copied from the canned ones tell of themselves: it was for Google's statistics.

    >>> Gauge().get_cell("Classifier").set("DNN")
    """

    def get_cell(self, *labels: str) -> Gauge:
        """Returns what takes a value."""
        del labels
        return self

    def set(self, value: Any) -> None:
        """Takes the value, for nobody."""


estimator_api_gauge = canned_estimator_api_gauge = Gauge()


def check_checkpoint_available(model_dir: str) -> None:
    """Raises ValueError where a folder has no checkpoint.

    Args:
      model_dir: The folder.
    """
    estimator.trained_checkpoint(model_dir)


def check_listeners_type(saving_listeners: Iterable[Any] | None) -> list[Any]:
    """Returns listeners as a list.

    Args:
      saving_listeners: An iterable, or None.

    Raises:
      TypeError: One of them is no `CheckpointSaverListener`.
    """
    return arguments.check_listeners(saving_listeners)


def extract_metric_update_ops(
    eval_dict: Mapping[str, Any], distribution: Any = None
) -> tuple[tf.Operation | None, dict[str, Any]]:
    """Separates what runs for each batch of an evaluation from what is read at the end.

    Args:
      eval_dict: By name, (value, update op).
      distribution: The strategy under which the update ops were made, or None.

    Returns:
      One operation for all updates (None where there are none), and the values by name.
    """
    if not eval_dict:
        return None, {}
    if distribution is not None:
        eval_dict = {n: (value, distribution.group(op)) for n, (value, op) in eval_dict.items()}
    return evaluation.updates_and_values(eval_dict)


def maybe_overwrite_model_dir_and_session_config(
    config: RunConfig | None, model_dir: str | None
) -> RunConfig:
    """Returns a config with a folder and a session config.

    Args:
      config: A RunConfig; None is the default one.
      model_dir: The folder that the user gave beside it, or None.

    Raises:
      ValueError: The config is something else, or names another folder.
    """
    return construction.with_folder(construction.configured(config, model_dir))


def verify_and_create_loss_metric(
    eval_metric_ops: dict[str, Any], loss: Any, distribution: Any = None
) -> dict[str, Any]:
    """Adds the mean of the loss to the metrics, in place.

    Args:
      eval_metric_ops: By name, (value, update op).
      loss: The loss; under a strategy, that of all replicas.
      distribution: The strategy, or None.

    Returns:
      The metrics.

    Raises:
      ValueError: There is a metric "loss" already.
    """
    if distribution is None:
        eval_metric_ops.update(evaluation.with_loss(eval_metric_ops, loss))
        return eval_metric_ops
    evaluation.check_no_loss(eval_metric_ops)
    mean = distribution.extended.call_for_each_replica(tf1.metrics.mean, args=(loss,))
    eval_metric_ops[evaluation.LOSS] = mean
    return eval_metric_ops
