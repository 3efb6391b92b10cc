"""Steps of contrib.learn's Estimator outside of the model function: checks, savers, predictions.

config = configured(None, "/tmp/model")
check_input(x=None, y=None, input_fn=input_fn, feed_fn=None, batch_size=None)
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.estimators import evaluation_metrics
from legacy.contrib.learn.estimators.run_config import RunConfig
from legacy.estimator.loops import open_predictions
from modern.process import cli, files

tf1 = tf.compat.v1


def configured(config: RunConfig | None, model_dir: str | None) -> RunConfig:
    """Returns the configuration, with the folder of the model.

    Args:
      config: Configuration of the user. None is the default configuration.
      model_dir: Folder of the model. None is the folder of the config, or a temporary folder if the
        config has none.

    Raises:
      ValueError: The config has another folder.
      SystemExit: TensorFlow has no file system for the folder (code 2).
    """
    if config is None:
        config = RunConfig()
        tf1.logging.info("Using default config.")
    if model_dir is not None and config.model_dir not in (None, model_dir):
        raise ValueError(
            "model_dir are set both in constructor and RunConfig, but with different values. In "
            f"constructor: '{model_dir}', in RunConfig: '{config.model_dir}'"
        )
    with cli.refusing(cli.UsageError):
        files.check_scheme(config.model_dir or model_dir or "")
    if config.model_dir is not None:
        return config
    if model_dir is None:
        model_dir = tempfile.mkdtemp()
        tf1.logging.warning("Using temporary folder as model directory: %s", model_dir)
    return config.replace(model_dir=model_dir)


def default_session_config(config: RunConfig) -> Any:
    """Returns the ConfigProto of a run whose user sets none.

    Device filters limit a task of a cluster to the ps and itself, so it does not wait for other
    workers. The original's session waited for all tasks, even for those that had already ended.

    Args:
      config: The configuration.
    """
    session_config = tf1.ConfigProto(allow_soft_placement=True)
    if config.num_ps_replicas and config.task_type:
        session_config.device_filters.extend(
            ["/job:ps", f"/job:{config.task_type}/task:{config.task_id}"]
        )
    return session_config


def check_input(x: Any, y: Any, input_fn: Any, feed_fn: Any, batch_size: Any) -> None:
    """Checks that exactly one kind of input is set.

    Args:
      x: Features as arrays, or None.
      y: Labels as arrays, or None.
      input_fn: The input function, or None.
      feed_fn: Function that returns the values to feed, or None.
      batch_size: Batch size for arrays, or None.

    Raises:
      ValueError: The input is missing, or two kinds of input are set.
    """
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("Can not provide both input_fn and x or y.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
        return
    if x is None:
        raise ValueError("Either x or input_fn must be provided.")
    if tf.is_tensor(x) or tf.is_tensor(y):
        raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
    if feed_fn is not None:
        raise ValueError("Can not provide both feed_fn and x or y.")


def savers(config: RunConfig, scaffold: Any, hooks: list[Any]) -> list[Any]:
    """Adds a saver to the graph, and returns the hook that saves.

    Args:
      config: The configuration.
      scaffold: The scaffold, which may have a saver.
      hooks: All other hooks.

    Returns:
      A list with the hook. It is empty if `hooks` has a CheckpointSaverHook, or if nothing is to be
      saved.
    """
    if not (scaffold.saver or tf1.get_collection(tf1.GraphKeys.SAVERS)):
        saver = tf1.train.Saver(
            sharded=True,
            max_to_keep=config.keep_checkpoint_max,
            keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
            defer_build=True,
            save_relative_paths=True,
        )
        tf1.add_to_collection(tf1.GraphKeys.SAVERS, saver)
    secs, steps = config.save_checkpoints_secs, config.save_checkpoints_steps
    has_saver = any(isinstance(hook, tf1.train.CheckpointSaverHook) for hook in hooks)
    if has_saver or not (secs or steps):
        return []
    return [
        tf1.train.CheckpointSaverHook(
            config.model_dir, save_secs=secs, save_steps=steps, scaffold=scaffold
        )
    ]


def select_outputs(predictions: Any, outputs: Iterable[str] | None) -> Any:
    """Returns the predictions named by `outputs`.

    Args:
      predictions: A tensor, or a dict of tensors.
      outputs: Names of predictions. None is all of them.

    Raises:
      ValueError: `predictions` is not a dict, or has none of the names.
    """
    if not outputs:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("outputs argument is not valid in case of non-dict predictions.")
    selection = {name: value for name, value in predictions.items() if name in outputs}
    if not selection:
        raise ValueError(
            f"Expected to run at least one output from {list(predictions)}, provided {outputs}."
        )
    return selection


@open_predictions.closed_at_exit
def predictions_of(
    session: Any, predictions: Any, feed_fn: Callable[[], Any] | None, batches: bool
) -> Iterator[Any]:
    """Yields the predictions of a session.

    An input without queues and feeds is taken as constant, and ends after a single batch.

    Args:
      session: The session, which is closed at the end.
      predictions: Tensors to compute.
      feed_fn: Function that returns the values to feed, or None.
      batches: If true, yields batches. If false, yields examples.
    """
    with session:
        endless = feed_fn is None and not session.graph.get_collection(tf1.GraphKeys.QUEUE_RUNNERS)
        while not session.should_stop():
            values = session.run(predictions, feed_fn() if feed_fn else None)
            if batches:
                yield values
            else:
                yield from evaluation_metrics.examples(values)
            if endless:
                return
