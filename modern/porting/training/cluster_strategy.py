"""The strategy of a ported program, in the cluster that TF_CONFIG describes.

>>> import tensorflow as tf
>>> strategy("model_dir") is tf.distribute.get_strategy()  # there is no TF_CONFIG here
True

An Estimator looked up its role in the cluster when it was trained. A Keras model must be created in
the scope of a strategy. https://www.tensorflow.org/guide/migrate/multi_worker_cpu_gpu_training
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import tensorflow as tf

from modern.cluster import gathering, roles, tf_config
from modern.cluster.tf_config import TFConfig
from modern.porting.training import worker_shutdown
from modern.process import chosen_keras, cli, files
from modern.records import run_lock
from modern.tasks import lone_task, server
from modern.training import strategies

_OF_KERAS_3 = (
    "TF_CONFIG names a cluster, but the fit of Keras 3 does not train in clusters: use tf_keras."
)
# By the value of TF_CONFIG. A process can join a cluster only once.
_strategies: dict[str, tf.distribute.Strategy] = {}


def strategy(
    model_dir: str | None,
    single: tf.distribute.Strategy | Callable[[], tf.distribute.Strategy | None] | None = None,
) -> tf.distribute.Strategy:
    """Returns the strategy in whose scope to create the model, for the task in TF_CONFIG.

    Without a cluster, or if this is its only task, that is `single`. In a cluster with parameter
    servers, the chief gets a ParameterServerStrategy. A worker and a parameter server serve the
    chief within this call until its process has ended, and then exit. (An Estimator's worker
    continued the program.) In a cluster of workers, with or without a chief, each gets a
    MultiWorkerMirroredStrategy. An evaluator takes no part in the training and gets the default
    strategy.

    Call it before any TensorFlow operation. Further models of a program get the same strategy.

    Args:
      model_dir: The folder of the training, shared by all tasks. None only without a cluster.
      single: The strategy without a cluster, such as a MirroredStrategy, or a function that creates
        it. The function is called only if needed, because a process that has created a strategy
        cannot join a cluster of workers any longer. None for the default strategy.

    Raises:
      TFConfigError: There is a cluster, but no folder.
      SystemExit: This task was a worker or a parameter server, and has served. Or TF_CONFIG is
        wrong, or TensorFlow has no file system for the folder, or another run trains in it (code
        2). Or other tasks have not started within ten minutes (code 1, or 0 if the training is
        over).
    """
    if os.environ.get("TF_CONFIG") in _strategies:
        return _strategies[os.environ["TF_CONFIG"]]
    with cli.refusing(tf_config.TFConfigError, cli.UsageError):
        files.check_scheme(model_dir or "")
        config = tf_config.load()
        way = way_of(config)
        if way != "single":
            tf_config.validate(config, way, who="this program")
            if chosen_keras.version() == 3:
                raise tf_config.TFConfigError(_OF_KERAS_3)
    role = roles.role_of(config, way)
    if role.evaluates:
        return tf.distribute.get_strategy()
    if config is None or way == "single":
        own_strategy = single() if callable(single) else single
        return own_strategy or tf.distribute.get_strategy()
    if not model_dir:
        raise tf_config.TFConfigError(
            "TF_CONFIG names a cluster, but the model has no model_dir: give it a folder that all "
            "tasks share."
        )
    if role.serves_only:
        with cli.refusing(tf_config.TFConfigError):  # Its port was taken since the check.
            sys.exit(server.serve(config, model_dir, until_gone=True))
    if role.saves:  # Before the other tasks of a refused run find this one.
        run_lock.hold_until_exit(model_dir)
    _strategies[os.environ["TF_CONFIG"]] = own_strategy = _join(way, config, model_dir)
    return own_strategy


def _join(way: str, config: TFConfig, model_dir: str) -> tf.distribute.Strategy:
    is_synchronous = way == "multi_worker_mirrored"
    if is_synchronous:
        # Before the strategy connects the workers: none of them may see a mark of an earlier run.
        worker_shutdown.remove_mark(model_dir, config)
    try:
        with cli.ended_by_ctrl_c(), cli.refusing(tf_config.TFConfigError):
            strategy_of_task = strategies.make(way, config)
    except gathering.MissingTasksError as error:
        sys.exit(lone_task.end(error, model_dir, config))
    if is_synchronous:
        worker_shutdown.exit_together(model_dir, config)
    return strategy_of_task


def cluster() -> TFConfig | None:
    """Returns the cluster in TF_CONFIG and this task, or None.

    Raises:
      SystemExit: TF_CONFIG is wrong (code 2).
    """
    with cli.refusing(tf_config.TFConfigError):
        return tf_config.load()


def way_of(config: TFConfig | None) -> str:
    """Returns the way in which a cluster trains, one of `tf_config.WAYS`.

    Args:
      config: The cluster. None for training alone.
    """
    if config is None or sum(map(len, config.training_cluster.values())) < 2:
        return "single"
    return "parameter_server" if config.num_ps else "multi_worker_mirrored"


def check(model_strategy: tf.distribute.Strategy, config: TFConfig | None) -> None:
    """Checks that a model was created in the strategy that trains it in a cluster.

    Args:
      model_strategy: The strategy of the model.
      config: The cluster, and a task of it that trains.

    Raises:
      TFConfigError: The model was created in another strategy.
    """
    name = {
        "parameter_server": "ParameterServerStrategy",
        "multi_worker_mirrored": "MultiWorkerMirroredStrategy",
    }.get(way_of(config))
    if name and not isinstance(model_strategy, getattr(tf.distribute, name)):
        raise tf_config.TFConfigError(
            f"TF_CONFIG names a cluster of several tasks, which needs {name}, but the model was "
            f"created under {type(model_strategy).__name__}: create and compile it in `with "
            "porting.strategy(model_dir).scope():`."
        )
