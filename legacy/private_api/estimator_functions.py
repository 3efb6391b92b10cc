"""Functions of the original's private module `estimator`, for programs that call them.

>>> dict_to_str({"loss": 0.5, "global_step": 3, "image": b""})
'global_step = 3, loss = 0.5'

Old programs import them from `tensorflow_estimator.python.estimator.estimator`, most with a "_" in
front. Their arguments are those of TensorFlow 2.15.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, construction, estimator
from legacy.estimator.loops import evaluation, evaluation_events, input_pipeline
from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

# Programs import these with the underscore of the original, such as `_dict_to_str`.
# `modules.Served` also looks a name up without it.
dict_to_str = evaluation_events.describe
write_dict_to_summary = evaluation_events.write_dict_to_summary
write_checkpoint_path_to_summary = evaluation_events.write_checkpoint_path_to_summary
has_dataset_or_queue_runner = input_pipeline.can_end


class Gauge:
    """A usage counter that does nothing. The original counted canned classes for Google.

    >>> Gauge().get_cell("Classifier").set("DNN")
    """

    def get_cell(self, *labels: str) -> Gauge:
        """Returns an object with a method `set`."""
        del labels
        return self

    def set(self, value: Any) -> None:
        """Ignores the value."""


estimator_api_gauge = canned_estimator_api_gauge = Gauge()


def check_checkpoint_available(model_dir: str) -> None:
    """Raises ValueError if a folder has no checkpoint.

    Args:
      model_dir: The folder.
    """
    estimator.trained_checkpoint(model_dir)


def check_listeners_type(saving_listeners: Iterable[Any] | None) -> list[Any]:
    """Returns listeners as a list.

    Args:
      saving_listeners: An iterable, or None.

    Raises:
      TypeError: A listener is not a `CheckpointSaverListener`.
    """
    return arguments.check_listeners(saving_listeners)


def extract_metric_update_ops(
    eval_dict: Mapping[str, Any], distribution: Any = None
) -> tuple[tf.Operation | None, dict[str, Any]]:
    """Separates the update ops, which run for each batch of an evaluation, from the final values.

    Args:
      eval_dict: (value, update op) by name.
      distribution: The strategy under which the update ops were created, or None.

    Returns:
      One operation for all updates (None if empty), and the values by name.
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
      config: A RunConfig. None is the default one.
      model_dir: The folder that the user passed in addition to the config, or None.

    Raises:
      ValueError: The config is not a RunConfig, or names another folder.
    """
    return construction.with_folder(construction.configured(config, model_dir))


def verify_and_create_loss_metric(
    eval_metric_ops: dict[str, Any], loss: Any, distribution: Any = None
) -> dict[str, Any]:
    """Adds the mean of the loss to the metrics, in place.

    Args:
      eval_metric_ops: (value, update op) by name.
      loss: The loss. Under a strategy, the loss of all replicas.
      distribution: The strategy, or None.

    Returns:
      The metrics.

    Raises:
      ValueError: A metric "loss" exists already.
    """
    if distribution is None:
        eval_metric_ops.update(evaluation.with_loss(eval_metric_ops, loss))
        return eval_metric_ops
    evaluation.check_no_loss(eval_metric_ops)
    mean = distribution.extended.call_for_each_replica(tf1.metrics.mean, args=(loss,))
    eval_metric_ops[evaluation.LOSS] = mean
    return eval_metric_ops
