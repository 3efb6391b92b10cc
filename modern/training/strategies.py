"""The tf.distribute strategy that a flag names, and the dataset that it distributes.

>>> from modern.training import strategies
>>> strategies.make("single", None).num_replicas_in_sync
1
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeAlias

import tensorflow as tf

from modern.cluster import gathering, tf_config
from modern.cluster.tf_config import TFConfig
from modern.process import choices
from modern.training import unconverted

ShareFn = Callable[[int, "int | tf.Tensor"], tf.data.Dataset]
Distributed: TypeAlias = "tf.data.Dataset | tf.distribute.DistributedDataset | OnEachWorker"


# The clusters of the strategies of `make`. ParameterServerStrategy does not provide its own.
_clusters: weakref.WeakKeyDictionary[tf.distribute.Strategy, TFConfig] = weakref.WeakKeyDictionary()


def make(
    name: str,
    config: TFConfig | None,
    communication: str = "auto",
    min_shard_bytes: int = choices.MIN_SHARD_BYTES,
) -> tf.distribute.Strategy:
    """Makes the strategy of this task. A multi-worker strategy thereby starts or joins the cluster.

    Args:
      name: One of `choices.STRATEGIES`.
      config: This task and its cluster, already validated. None for training alone.
      communication: One of `choices.COMMUNICATIONS`, for MultiWorkerMirroredStrategy.
      min_shard_bytes: The minimum size of a part when ParameterServerStrategy splits a variable
        over the parameter servers.

    Returns:
      The strategy. Call this function before any other TensorFlow op runs (a rule of
      tf.distribute).

    Raises:
      TFConfigError: The port of this task is in use.
      MissingTasksError: Other tasks have not started within ten minutes.
    """
    strategy = _make(name, config, communication, min_shard_bytes)
    if config is not None:
        _clusters[strategy] = config
    return strategy


def cluster_of(strategy: tf.distribute.Strategy) -> TFConfig | None:
    """Returns the cluster that a strategy of `make` has joined. None for other strategies."""
    is_of_cluster = isinstance(
        strategy,
        tf.distribute.MultiWorkerMirroredStrategy | tf.distribute.ParameterServerStrategy,
    )
    return _clusters.get(strategy) if is_of_cluster else None


def _make(
    name: str, config: TFConfig | None, communication: str, min_shard_bytes: int
) -> tf.distribute.Strategy:
    if name == "single":
        return tf.distribute.get_strategy()
    if name == "mirrored":
        gpus = tf.config.list_logical_devices("GPU")
        devices = gpus or tf.config.list_logical_devices("CPU")
        return tf.distribute.MirroredStrategy([device.name for device in devices])
    if config is not None:
        gathering.wait_for_all(config, gathering.LIMIT_S)
    own_server = (config.name, config.address) if config else ("worker-0", None)
    with tf_config.server_start(*own_server):
        return _of_cluster(name, config, communication, min_shard_bytes)


def _of_cluster(
    name: str, config: TFConfig | None, communication: str, min_shard_bytes: int
) -> tf.distribute.Strategy:
    if name == "multi_worker_mirrored":
        implementation = tf.distribute.experimental.CommunicationImplementation[
            communication.upper()
        ]
        return tf.distribute.MultiWorkerMirroredStrategy(
            cluster_resolver=_resolver(config) if config else None,
            communication_options=tf.distribute.experimental.CommunicationOptions(
                implementation=implementation
            ),
        )
    assert config is not None  # `tf_config.validate` requires a cluster.
    return tf.distribute.ParameterServerStrategy(
        _resolver(config),
        variable_partitioner=tf.distribute.experimental.partitioners.MinSizePartitioner(
            min_shard_bytes, max_shards=config.num_ps
        ),
    )


def _resolver(config: TFConfig) -> tf.distribute.cluster_resolver.ClusterResolver:
    """Returns a resolver for the parsed TF_CONFIG: `master` renamed to chief, and no evaluator."""
    return tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec(
            {name: list(tasks) for name, tasks in config.training_cluster.items()}
        ),
        task_type=config.task_type,
        task_id=config.task_index,
        rpc_layer="grpc",
    )


def replicas_of_trainer(strategy: tf.distribute.Strategy) -> int:
    """Returns the number of replicas of one trainer: its GPUs, or 1 on a CPU.

    Args:
      strategy: Any strategy. All trainers of a strategy have the same number of devices.
    """
    # Under the strategies of several tasks, these are the devices of one task.
    return 1 if _is_default(strategy) else len(strategy.extended.worker_devices)


def distribute(
    strategy: tf.distribute.Strategy,
    share: ShareFn,
    replicas: int,
    trainer: int = 0,
    autoshard: str = "off",
) -> Distributed:
    """Returns the training data as `model.fit` takes them.

    Args:
      strategy: A strategy from `make`.
      share: Makes the dataset of one replica from (replicas, replica), in batches of a replica.
      replicas: The number of replicas of all trainers.
      trainer: The index of this task among the trainers. Ignored on a coordinator.
      autoshard: One of `choices.AUTOSHARD_POLICIES`. Unless it is "off", `share(1, 0)` is batched
        for all replicas and TensorFlow splits it.

    Returns:
      A dataset, distributed if the strategy needs it.
    """
    if autoshard == "off":
        replicas_each = replicas_of_trainer(strategy)

        def of_trainer(index: int | tf.Tensor) -> tf.data.Dataset:
            return _in_turn(
                [
                    share(replicas, index * replicas_each + replica)
                    for replica in range(replicas_each)
                ]
            )

        return distribute_in_turn(strategy, of_trainer, replicas // replicas_each, trainer)
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy[
        autoshard.upper()
    ]
    return strategy.experimental_distribute_dataset(share(1, 0).with_options(options))


def distribute_in_turn(
    strategy: tf.distribute.Strategy,
    batches: Callable[[int | tf.Tensor], tf.data.Dataset],
    trainers: int,
    trainer: int = 0,
) -> Distributed:
    """Returns the training data as `model.fit` takes them, of batches for a trainer's replicas.

    Args:
      strategy: A strategy from `make`.
      batches: Makes the batches of a trainer from its index. Its replicas take them in turn.
      trainers: The number of trainers.
      trainer: The index of this task. Ignored on a coordinator.
    """
    if isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return _on_each_worker(strategy, batches, trainers)
    if _computes_on_one_cpu(strategy):
        return OwnShare(lambda: batches(trainer))
    return strategy.distribute_datasets_from_function(lambda _: batches(trainer))


def distribute_to_each(
    strategy: tf.distribute.Strategy, make: Callable[[], tf.data.Dataset]
) -> tf.distribute.DistributedDataset | OnEachWorker:
    """Returns data for `model.fit` of which each replica takes whole batches, in turn.

    An Estimator distributed the batches of an input_fn in this way. Keras splits each batch.

    Args:
      strategy: Any strategy.
      make: Makes the batches. Under ParameterServerStrategy it runs on each worker.
    """
    make = unconverted.unconverted(make)
    if _computes_on_one_cpu(strategy):
        return OwnShare(make)
    if isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return OnEachWorker(make)
    return strategy.distribute_datasets_from_function(lambda _: make())


def in_scope(
    strategy: tf.distribute.Strategy, make: Callable[[], tf.data.Dataset]
) -> Callable[[], tf.data.Dataset]:
    """Returns a function that makes data in a strategy's scope, as an Estimator's input_fn did.

    For example, it can read `tf.distribute.get_strategy().num_replicas_in_sync` to choose a batch
    size.

    Args:
      strategy: Any strategy. Workers of ParameterServerStrategy make data outside its scope.
      make: The function that makes the data.
    """
    if isinstance(strategy, tf.distribute.ParameterServerStrategy) or _is_default(strategy):
        return make

    def in_the_scope() -> tf.data.Dataset:
        with strategy.scope():
            return make()

    return in_the_scope


def first_replica(strategy: tf.distribute.Strategy) -> int:
    """Returns the index of this process's first replica among all synchronous replicas.

    Args:
      strategy: Any strategy. The coordinator of ParameterServerStrategy has no replica and gets 0.
    """
    if not isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy):
        return 0

    @tf.function
    def first() -> tf.Tensor:
        replica_ids = strategy.run(
            lambda: tf.distribute.get_replica_context().replica_id_in_sync_group
        )
        return strategy.experimental_local_results(replica_ids)[0]

    # The caller may be in a graph, where the result would be a tensor.
    with tf.init_scope():
        return int(first())


class OnEachWorker:
    """The data of a coordinator's workers that have several devices.

    Args:
      make: Makes the batches of a worker, in a function that the worker runs.
    """

    def __init__(self, make: Callable[[], tf.data.Dataset]) -> None:
        self._make = make

    def __call__(self, context: tf.distribute.InputContext) -> tf.data.Dataset:
        """Returns the batches for `Strategy.distribute_datasets_from_function`."""
        del context
        return self._make()


class OwnShare(tf.distribute.DistributedDataset):
    """The dataset of a task that computes on one CPU, without TensorFlow's distributed iterator.

    The distributed iterator copies batches to several devices, which is useless for one CPU. And
    deleting it, which `fit` does when it returns, takes up to 20 s more often than not: tf.data's
    tuning thread, which cannot be switched off there, misses its cancellation.

    Args:
      make: Makes the task's batches for its replica. Under ParameterServerStrategy, Keras makes the
        coordinator call this object on each worker instead of iterating over it.
    """

    def __init__(self, make: Callable[[], tf.data.Dataset]) -> None:
        self._make = make

    def __call__(self) -> tf.data.Dataset:
        """Returns the dataset of the worker that calls this, in a graph."""
        return self._make()

    def __iter__(self) -> tf.data.Iterator:
        return iter(self._make())

    @property
    def element_spec(self) -> Any:
        """The spec of the batch that a replica gets in a step."""
        return self._make().element_spec


def _computes_on_one_cpu(strategy: tf.distribute.Strategy) -> bool:
    """Returns whether each task of the strategy has one replica, on a CPU."""
    if _is_default(strategy):
        return True
    devices = strategy.extended.worker_devices
    return len(devices) == 1 and "CPU" in devices[0].upper()


def _is_default(strategy: tf.distribute.Strategy) -> bool:
    return not tf.distribute.has_strategy() and strategy is tf.distribute.get_strategy()


def _in_turn(shares: list[tf.data.Dataset]) -> tf.data.Dataset:
    """Returns a batch of each share in turn."""
    if len(shares) == 1:
        return shares[0]
    turns = tf.data.Dataset.range(len(shares)).repeat()
    return tf.data.Dataset.choose_from_datasets(shares, turns)


def _on_each_worker(
    strategy: tf.distribute.ParameterServerStrategy,
    batches: Callable[[int | tf.Tensor], tf.data.Dataset],
    workers: int,
) -> OnEachWorker | OwnShare:
    """Returns a dataset that each worker makes for itself.

    All workers run the same traced function, which cannot tell on which worker it runs. So each
    worker draws a number from a counter on a parameter server. A worker that returns after a
    failure draws a new number and takes the next share in turn.
    """
    with strategy.scope():
        drawn = tf.Variable(0, trainable=False, name="shares_drawn")

    def draw() -> tf.data.Dataset:
        return batches((drawn.assign_add(1, read_value=True) - 1) % workers)

    if _computes_on_one_cpu(strategy):
        return OwnShare(draw)
    return OnEachWorker(draw)
