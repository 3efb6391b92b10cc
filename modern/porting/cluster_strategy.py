"""The strategy of a program that was an Estimator's, in the cluster that TF_CONFIG describes.

>>> import tensorflow as tf
>>> strategy("model_dir") is tf.distribute.get_strategy()  # there is no TF_CONFIG here
True

An Estimator found its part in a cluster when it was trained; a Keras model is made for a strategy.
https://www.tensorflow.org/guide/migrate/multi_worker_cpu_gpu_training
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import tensorflow as tf

from modern.cluster import roles, tf_config
from modern.cluster.tf_config import TFConfig
from modern.porting import worker_shutdown
from modern.process import cli
from modern.tasks import server
from modern.training import strategies

# A process can join a cluster once.
_joined: dict[str, tf.distribute.Strategy] = {}


def strategy(
    model_dir: str | None,
    single: tf.distribute.Strategy | Callable[[], tf.distribute.Strategy | None] | None = None,
) -> tf.distribute.Strategy:
    """Returns the strategy to make the model in, by the part that TF_CONFIG gives this process.

    Without a cluster, and where this is its only task, that is `single`. In a cluster with
    parameter servers the chief has a ParameterServerStrategy; a worker and a parameter server serve
    it in this call, until its process has ended, and end then. (An Estimator's worker went on with
    the program.) In a cluster of workers, with or without a chief, each has a
    MultiWorkerMirroredStrategy. An evaluator takes no part, and has the default one.

    Call it before any operation of TensorFlow. Further models of a program have the same one.

    Args:
      model_dir: of the training, seen by all tasks; None only without a cluster.
      single: the strategy without a cluster, such as a MirroredStrategy, or what makes it: after
        one has been made, a process cannot join a ring any more. None for the default one.

    Raises:
      TFConfigError: the cluster is wrong; the message says what to change.
      SystemExit: this was a worker or a parameter server, and has served.
    """
    if os.environ.get("TF_CONFIG") in _joined:
        return _joined[os.environ["TF_CONFIG"]]
    config = tf_config.load()
    way = way_of(config)
    role = roles.role_of(config, way)
    if way != "single":
        tf_config.validate(config, way, who="this program")
    if role.evaluates:
        return tf.distribute.get_strategy()
    if way == "single":
        made = single() if callable(single) else single
        return made or tf.distribute.get_strategy()
    if not model_dir:
        raise tf_config.TFConfigError(
            "TF_CONFIG names a cluster, and the model has no model_dir: give it one that all tasks "
            "see, where they find what the others have done."
        )
    if role.serves_only:
        sys.exit(server.serve(config, model_dir, until_gone=True))
    _joined[os.environ["TF_CONFIG"]] = made = _join(way, config, model_dir)
    return made


def _join(way: str, config: TFConfig, model_dir: str) -> tf.distribute.Strategy:
    is_ring = way == "multi_worker_mirrored"
    if is_ring:
        worker_shutdown.come(model_dir, config)
    with cli.ended_by_ctrl_c():
        made = strategies.make(way, config)
    if is_ring:
        worker_shutdown.together(model_dir, config)
    return made


def way_of(config: TFConfig | None) -> str:
    """Returns how a cluster trains, of `tf_config.WAYS`.

    Args:
      config: the cluster; None is training here, alone.
    """
    if config is None or sum(map(len, config.training_cluster.values())) < 2:
        return "single"
    return "parameter_server" if config.num_ps else "multi_worker_mirrored"


def check(model_strategy: tf.distribute.Strategy, config: TFConfig | None) -> None:
    """Checks that a model was made in the strategy that trains it in a cluster.

    Args:
      model_strategy: that of the model.
      config: the cluster, and a task of it that trains.

    Raises:
      TFConfigError: it was not.
    """
    name = {
        "parameter_server": "ParameterServerStrategy",
        "multi_worker_mirrored": "MultiWorkerMirroredStrategy",
    }.get(way_of(config))
    if name and not isinstance(model_strategy, getattr(tf.distribute, name)):
        raise tf_config.TFConfigError(
            f"TF_CONFIG names a cluster of several tasks, which {name} trains, and the "
            f"model was made under {type(model_strategy).__name__}: make and compile it in "
            "`with porting.strategy(model_dir).scope():`."
        )
