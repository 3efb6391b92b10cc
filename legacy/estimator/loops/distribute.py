"""Training and evaluation of a model_fn under a tf.distribute strategy, in graph mode.

    strategy = tf.compat.v1.distribute.MirroredStrategy()
    config = RunConfig(train_distribute=strategy)

The model_fn is called once per replica. As in the original, a batch of the input function is the
batch of one replica, and the logged loss is the mean over replicas. v1 optimizers divide the loss
by the number of replicas and sum the gradients. A step therefore minimizes the mean loss of the
global batch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.run_config import INDEPENDENT_WORKER
from legacy.estimator.spec import EstimatorSpec
from modern.process import log_filters

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1


class IteratorInitializerHook(tf1.train.SessionRunHook):
    """Initializes a distributed input in each new session.

    Args:
      iterator: The return value of a strategy's `make_input_fn_iterator`.
    """

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        """Creates the initializer before the graph is finalized."""
        self._initializer = self._iterator.initialize()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Initializes the input, so that it starts from the beginning."""
        session.run(self._initializer)


def in_graph_mode(strategy: Any) -> Any:
    """Returns the equivalent of a strategy that works in graph mode.

    Args:
      strategy: A strategy. None or a strategy of `tf.compat.v1.distribute` is returned unchanged. A
        MirroredStrategy, OneDeviceStrategy, MultiWorkerMirroredStrategy or CentralStorageStrategy
        of `tf.distribute` is replaced by its counterpart in `tf.compat.v1.distribute`.

    Returns:
      A `tf.compat.v1.distribute.Strategy`, or None.

    Raises:
      ValueError: The strategy has no counterpart in graph mode.
    """
    if strategy is None or isinstance(strategy, tf1.distribute.Strategy):
        return strategy
    if isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy):
        return tf1.distribute.experimental.MultiWorkerMirroredStrategy()
    if isinstance(strategy, tf.distribute.MirroredStrategy):
        return tf1.distribute.MirroredStrategy(list(strategy.extended.worker_devices))
    if isinstance(strategy, tf.distribute.OneDeviceStrategy):
        return tf1.distribute.OneDeviceStrategy(strategy.extended.worker_devices[0])
    if isinstance(strategy, tf.distribute.experimental.CentralStorageStrategy):
        return tf1.distribute.experimental.CentralStorageStrategy(
            list(strategy.extended.worker_devices), strategy.extended.parameter_devices[0]
        )
    raise ValueError(
        f"{strategy!r} cannot be used as train_distribute or eval_distribute. Use one of "
        "tf.compat.v1.distribute: MirroredStrategy, OneDeviceStrategy, or below `experimental` "
        "MultiWorkerMirroredStrategy, ParameterServerStrategy or CentralStorageStrategy."
    )


def scope(strategy: Any) -> contextlib.AbstractContextManager[Any]:
    """Returns the strategy's scope, or an empty context for None."""
    return contextlib.nullcontext() if strategy is None else strategy.scope()


def session_config(strategy: Any, config: Any) -> Any:
    """Returns a session config with the settings that a strategy needs.

    Args:
      strategy: The strategy. None returns the config unchanged.
      config: A ConfigProto. It is not modified.

    Returns:
      A ConfigProto. If the user has not set the number of CPU devices, it is the number that the
      strategy uses.
    """
    if strategy is None:
        return config
    new_config = tf1.ConfigProto()
    new_config.CopyFrom(config)
    cpus = [d for d in strategy.extended.worker_devices if "CPU" in d.upper()]
    if len(cpus) > 1 and "CPU" not in new_config.device_count:
        new_config.device_count["CPU"] = len(cpus)
    new_config = strategy.update_config_proto(new_config)
    # This optimization merges all-reduces depending on the other fetches of a step. The chief
    # fetches more than the workers, for example summaries. Its all-reduces would then not match
    # theirs, and all tasks would wait forever.
    rewrite = new_config.graph_options.rewrite_options
    rewrite.scoped_allocator_optimization = rewrite.OFF
    return new_config


def make_iterator(strategy: Any, dataset_fn: Callable[[Any], Any]) -> Any:
    """Makes the input iterator of all replicas of this process.

    Args:
      strategy: The strategy.
      dataset_fn: A function from a `tf.distribute.InputContext` to a Dataset of batches for one
        replica.

    Returns:
      An iterator. Its `get_next()` returns one element per replica, as the strategy's per-replica
      values.
    """
    # TensorFlow's own iterator triggers this deprecation warning about its dataset's options.
    log_filters.hide_warnings("To make it possible to preserve tf.data options")
    return strategy.make_input_fn_iterator(dataset_fn)


@contextlib.contextmanager
def optimizers_scale(strategy: Any) -> Iterator[None]:
    """Makes v1 optimizers divide the loss by the number of replicas, as they did for Estimator.

    The optimizers read the private attribute `_scale_loss_for_estimator` of the strategy, and
    TensorFlow has no public way to set it. Without it, the sum of the gradients over the replicas
    would multiply the learning rate by their number.

    Args:
      strategy: The strategy. The attribute is reset at the end.

    Raises:
      RuntimeError: The strategies of this TensorFlow version do not have the attribute.
    """
    if not hasattr(strategy, "_scale_loss_for_estimator"):
        raise RuntimeError(
            f"TensorFlow {tf.__version__} cannot scale losses for Estimator under {strategy!r}. "
            "Use an earlier TensorFlow, or train without train_distribute."
        )
    strategy._scale_loss_for_estimator = True
    try:
        yield
    finally:
        strategy._scale_loss_for_estimator = False


def replicate(
    strategy: Any, model_fn: Callable[[Any, Any], EstimatorSpec], features: Any, labels: Any
) -> EstimatorSpec:
    """Calls the model_fn on each replica and merges the specs.

    Args:
      strategy: The strategy. The caller has entered its scope.
      model_fn: A function from one replica's features and labels to a spec.
      features: The features of all replicas, as the strategy's per-replica values.
      labels: The labels of all replicas, or None.

    Returns:
      One spec with the reduced loss, the grouped train ops and metric updates, a scaffold that runs
      all initializers, and the hooks of the first replica.
    """
    specs: list[EstimatorSpec] = []

    def replica_fn(features: Any, labels: Any) -> Any:
        spec = model_fn(features, labels)
        specs.append(spec)
        return spec.loss

    loss = strategy.extended.call_for_each_replica(replica_fn, args=(features, labels))
    first_spec = specs[0]
    train_ops = [spec.train_op for spec in specs if spec.train_op is not None]
    metrics = {
        name: (value, tf.group(*[tf.nest.flatten(spec.eval_metric_ops[name][1]) for spec in specs]))
        for name, (value, _) in first_spec.eval_metric_ops.items()
    }
    return first_spec._replace(
        loss=strategy.reduce(_loss_reduction(), loss, axis=None),
        train_op=tf.group(*train_ops) if train_ops else None,
        eval_metric_ops=metrics,
        scaffold=_scaffold([spec.scaffold for spec in specs]),
    )


def _loss_reduction() -> tf.distribute.ReduceOp:
    """Returns the reduction of the replicas' losses to the reported loss.

    If a v1 optimizer has scaled the losses, the reported loss is their mean, or their sum if the
    model_fn's last loss had the reduction SUM. Keras optimizers do not scale losses. A model_fn
    then divides by the number of examples of all replicas itself, so the losses are summed.
    """
    if getattr(tf1.get_default_graph(), "_is_loss_scaled_by_optimizer", False):
        return tf1.distribute.get_loss_reduction()
    return tf.distribute.ReduceOp.SUM


def _scaffold(scaffolds: list[Any]) -> Any:
    """Returns one scaffold that runs the initializers of all replicas' scaffolds."""
    first_scaffold = scaffolds[0]

    def group_ops(name: str) -> Any:
        operations = [getattr(scaffold, name) for scaffold in scaffolds]
        existing = [operation for operation in operations if operation is not None]
        return tf.group(*existing) if existing else None

    def join_lists(name: str) -> Any:
        lists = [getattr(scaffold, name) for scaffold in scaffolds]
        return tf.concat(lists, 0) if all(values is not None for values in lists) else None

    return tf1.train.Scaffold(
        init_op=group_ops("init_op"),
        local_init_op=group_ops("local_init_op"),
        ready_op=join_lists("ready_op"),
        ready_for_local_init_op=join_lists("ready_for_local_init_op"),
        copy_from_scaffold=first_scaffold,
    )


def check_evaluator(config: RunConfig) -> None:
    """Checks that `eval_distribute` works on an evaluator, which is outside of the cluster.

    Args:
      config: The RunConfig of a task that evaluates checkpoints.

    Raises:
      ValueError: The task is an evaluator, and `eval_distribute` needs the cluster's ps.
    """
    strategy = config.eval_distribute
    with_ps = tf1.distribute.experimental.ParameterServerStrategy
    if config.task_type == "evaluator" and isinstance(strategy, with_ps):
        raise ValueError(
            f"eval_distribute={strategy!r} cannot be used by the evaluator, which takes no part "
            "in the cluster and sees no ps. Leave eval_distribute out, or use MirroredStrategy."
        )


def is_independent_worker(config: RunConfig) -> bool:
    """Returns whether this process is one task of a cluster that trains under a strategy."""
    return getattr(config, "_distribute_coordinator_mode", None) == INDEPENDENT_WORKER


def is_multi_worker(config: RunConfig) -> bool:
    """Returns whether several processes train synchronously, each with a copy of all variables."""
    return (
        config.train_distribute is not None
        and not config.num_ps_replicas
        and config.num_worker_replicas > 1
        and bool(config.cluster_spec.jobs)
    )
