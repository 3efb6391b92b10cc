"""Standalone client mode, in which this process trains on TensorFlow servers that run elsewhere.

    # In each task of the cluster, with its TF_CONFIG:
    contrib.distribute.run_standard_tensorflow_server().join()

    # Anywhere:
    config = estimator.RunConfig(
        experimental_distribute=contrib.distribute.DistributeConfig(
            train_distribute=strategy, remote_cluster={"worker": ["a:2222", "b:2222"]}
        )
    )
    classifier = estimator.Estimator(model_fn, config=config)
    estimator.train_and_evaluate(classifier, train_spec, eval_spec)

As in TensorFlow 2.15, a strategy with one graph per worker runs one thread per worker, and only the
chief's thread runs the hooks. A strategy with one graph for all workers runs one session. If the
cluster has an evaluator, this process evaluates each checkpoint during the training.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.cluster import roles
from legacy.estimator.run_config import STANDALONE_CLIENT, RunConfig, copy_config
from modern.cluster import health

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1


def is_wanted(config: RunConfig) -> bool:
    """Returns whether a config names a remote cluster to train on.

    Args:
      config: The RunConfig.
    """
    return getattr(config, "_distribute_coordinator_mode", None) == STANDALONE_CLIENT


def run(
    estimator: Estimator,
    purpose: str,
    call: Callable[[Any, bool], Any],
    evaluate: Callable[[Any, Callable[[], bool]], Any] | None = None,
) -> Any:
    """Trains or evaluates on the servers of the config's remote_cluster.

    Args:
      estimator: The Estimator.
      purpose: "train" or "eval". Selects `train_distribute` or `eval_distribute`.
      call: A function that runs one task. Its arguments are a copy of the Estimator, and a bool
        that is true for the chief.
      evaluate: A function that evaluates during the training if the cluster has an evaluator. Its
        arguments are a copy of the Estimator, and a function that returns true if a task has
        failed and no checkpoint will follow.

    Returns:
      The return value of `call` for the chief.

    Raises:
      ValueError: The cluster has no task that trains, or the strategy cannot train there.
      tf.errors.DeadlineExceededError: A server does not answer.
      Exception: The first exception that a task raised.
    """
    config = estimator.config
    cluster = {
        job: list(tasks)
        for job, tasks in tf.train.ClusterSpec(config.cluster_spec).as_dict().items()
    }
    evaluates = bool(cluster.pop("evaluator", None))
    places = _places(cluster, getattr(config, f"{purpose}_distribute"))
    _wait_for_servers(cluster, config.session_creation_timeout_secs)
    results: dict[bool, Any] = {}

    def of_task(place: roles.Place) -> None:
        local = _local_copy(estimator, purpose, place, cluster)
        results[place.is_chief] = call(local, place.is_chief)

    coordinator = tf1.train.Coordinator()
    tasks = [functools.partial(of_task, place) for place in places]
    if evaluates and evaluate is not None:
        local = _local_copy(estimator, "eval", roles.Place(task_type="evaluator"), {})
        tasks.append(functools.partial(evaluate, local, coordinator.should_stop))
    # Daemons, because `join` gives up on a thread that still waits for a lost server.
    threads = [
        threading.Thread(target=_call_watched, args=(coordinator, task), daemon=True)
        for task in tasks
    ]
    for thread in threads:
        thread.start()
    # Waits for all threads and raises the first exception of a thread.
    coordinator.join(threads, stop_grace_period_secs=_GRACE_SECS)
    return results[True]


def check_one_graph(config: RunConfig, purpose: str, method: str) -> None:
    """Checks that a standalone client can run a method of Estimator.

    Args:
      config: The RunConfig, with a strategy for this purpose.
      purpose: "train" or "eval".
      method: The name of the method, for error messages.

    Raises:
      ValueError: The cluster has an evaluator, or the strategy has one graph per worker.
    """
    if "evaluator" in tf.train.ClusterSpec(config.cluster_spec).jobs:
        raise ValueError(
            "'evaluator' job is not supported if you don't use `train_and_evaluate`: leave it out "
            f"of remote_cluster={config.cluster_spec} to call Estimator.{method}."
        )
    strategy = getattr(config, f"{purpose}_distribute")
    if strategy.extended.experimental_between_graph:
        raise ValueError(
            f"`Estimator.{method}` API is not supported for {type(strategy).__name__} with "
            "`STANDALONE_CLIENT` mode: use train_and_evaluate."
        )


_GRACE_SECS = 120
_POLL_SECS = 0.2
_REMIND_SECS = 30.0


def _wait_for_servers(cluster: dict[str, list[str]], timeout_secs: float) -> None:
    """Waits until all servers of the cluster accept connections."""
    start_time = last_log = time.monotonic()
    addresses = [address for tasks in cluster.values() for address in tasks]
    while missing := [address for address in addresses if not health.accepts(address)]:
        now = time.monotonic()
        if now - start_time > timeout_secs:
            raise tf.errors.DeadlineExceededError(
                None,
                None,
                f"The servers {', '.join(missing)} of remote_cluster did not answer within "
                f"{timeout_secs} s (session_creation_timeout_secs). Start them with "
                "contrib.distribute.run_standard_tensorflow_server().join().",
            )
        if now - last_log > _REMIND_SECS:
            tf1.logging.info("Waiting for the servers %s.", ", ".join(missing))
            last_log = now
        time.sleep(_POLL_SECS)


def _call_watched(coordinator: Any, call: Callable[[], Any]) -> None:
    with coordinator.stop_on_exception():
        call()


def _places(cluster: dict[str, list[str]], strategy: Any) -> Iterable[roles.Place]:
    """Returns the tasks that this process runs.

    These are all trainers, or only the first one if the strategy has one graph for all workers.
    """
    tasks = [
        {"type": job, "index": index}
        for job in ("chief", "worker")
        for index in range(len(cluster.get(job, ())))
    ]
    if not tasks:
        raise ValueError(
            f"remote_cluster has the jobs {sorted(cluster)}, and none of them trains: name at "
            "least a chief or a worker."
        )
    if not strategy.extended.experimental_between_graph:
        tasks = tasks[:1]
    return [roles.place_for_strategy({"cluster": cluster, "task": t}) for t in tasks]


def _local_copy(
    estimator: Estimator, purpose: str, place: roles.Place, cluster: dict[str, list[str]]
) -> Any:
    """Returns a copy of the Estimator for the task at a place, with its own strategy."""
    config = copy_config(estimator.config)
    config._distribute_coordinator_mode = None
    # The copy needs a master even in a cluster of one task, because that is another process.
    master = f"grpc://{cluster[place.task_type][place.task_id]}" if cluster else ""
    config._set_place(dataclasses.replace(place, master=master, evaluation_master=master))
    local = copy.copy(estimator)
    local._config = config
    if not cluster:
        return local
    # `configure` changes a strategy in place, and each thread configures it for another task.
    strategy = copy.deepcopy(getattr(config, f"{purpose}_distribute"))
    _configure(strategy, place, cluster)
    setattr(config, f"_{purpose}_distribute", strategy)
    setattr(local, f"_{purpose}_distribution", strategy)
    return local


def _configure(strategy: Any, place: roles.Place, cluster: dict[str, list[str]]) -> None:
    """Configures a strategy for the remote cluster."""
    if strategy.extended.experimental_between_graph:
        strategy.configure(None, cluster, place.task_type, place.task_id)
        return
    try:
        strategy.configure(None, cluster)
    except AssertionError as error:  # MirroredStrategy raises it for clusters it cannot run on.
        raise ValueError(
            f"{type(strategy).__name__} cannot be used on remote_cluster={cluster}: use "
            "MultiWorkerMirroredStrategy or ParameterServerStrategy, and train_and_evaluate."
        ) from error
