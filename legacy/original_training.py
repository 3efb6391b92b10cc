"""Training of the original Estimators in a cluster, by TensorFlow's distribute coordinator.

    config = original.load().RunConfig(train_distribute=strategy)
    original_training.should_run_distribute_coordinator(config)

TensorFlow removed its module `estimator_training`, which the original package calls. `original`
supplies these functions in its place, under the same names.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any


def init_run_config(config: Any, tf_config: dict[str, Any]) -> None:
    """Completes an original RunConfig that names a strategy.

    Args:
      config: The RunConfig, whose own arguments are set.
      tf_config: TF_CONFIG, parsed.

    Raises:
      ValueError: A strategy or the cluster is named twice.
    """
    import tensorflow as tf
    from tensorflow.python.distribute import distribute_coordinator as coordinator

    distribution = config._experimental_distribute
    for name in ("train_distribute", "eval_distribute"):
        strategy = getattr(distribution, name, None)
        if strategy and getattr(config, f"_{name}"):
            raise ValueError(
                f"Either `{name}` or `experimental_distribute.{name}` can be set, not both."
            )
        if strategy:
            setattr(config, f"_{name}", strategy)
    cluster = tf.train.ClusterSpec(tf_config.get("cluster", {}))
    remote = getattr(distribution, "remote_cluster", None) if config._train_distribute else None
    config._init_distributed_setting_from_environment_var({})
    if remote and cluster:
        raise ValueError(
            "Cannot set both the cluster of TF_CONFIG and experimental_distribute.remote_cluster."
        )
    if remote:
        mode = coordinator.CoordinatorMode.STANDALONE_CLIENT
        config._cluster_spec = remote
    elif cluster and config._train_distribute and "master" not in cluster.jobs:
        mode = coordinator.CoordinatorMode.INDEPENDENT_WORKER
        config._cluster_spec = cluster  # The rest comes from the coordinator, task by task.
    else:
        mode = None
        config._init_distributed_setting_from_environment_var(tf_config)
        config._maybe_overwrite_session_config_for_distributed_training()
    config._distribute_coordinator_mode = mode


def should_run_distribute_coordinator(config: Any) -> bool:
    """Returns whether training goes through TensorFlow's distribute coordinator."""
    mode = getattr(config, "_distribute_coordinator_mode", None)
    return mode in ("standalone_client", "independent_worker") and bool(config.cluster_spec)


def train_and_evaluate(
    estimator: Any, train_spec: Any, eval_spec: Any, executor_class: Callable[..., Any]
) -> None:
    """Runs train_and_evaluate of an original Estimator under a strategy in a cluster.

    Args:
      estimator: The Estimator.
      train_spec: Its TrainSpec.
      eval_spec: Its EvalSpec.
      executor_class: The class of the package that evaluates continuously.
    """
    independent = estimator.config._distribute_coordinator_mode == "independent_worker"

    def train(strategy: Any) -> None:
        local, is_chief = _local_copy(estimator, "train", strategy)
        # A hook's tensors belong to one graph. A standalone client builds many graphs, so only the
        # chief's graph runs the hooks.
        hooks = list(train_spec.hooks) if independent or is_chief else []
        local.train(train_spec.input_fn, max_steps=train_spec.max_steps, hooks=hooks)

    def evaluate(strategy: Any) -> None:
        local, _ = _local_copy(estimator, "eval", strategy)
        executor_class(local, train_spec, eval_spec)._start_continuous_evaluation()

    _run_coordinator(estimator.config, "train", train, evaluate)


def estimator_train(estimator: Any, train_distributed: Callable[..., Any], hooks: list[Any]) -> Any:
    """Runs Estimator.train from a standalone client."""
    return _run_standalone(estimator, "train", train_distributed, hooks)


def estimator_evaluate(
    estimator: Any, evaluate_distributed: Callable[..., Any], hooks: list[Any]
) -> Any:
    """Runs Estimator.evaluate from a standalone client."""
    return _run_standalone(estimator, "eval", evaluate_distributed, hooks)


def _run_standalone(
    estimator: Any, purpose: str, run_distributed: Callable[..., Any], hooks: list[Any]
) -> Any:
    config = estimator.config
    method = {"train": "train", "eval": "evaluate"}[purpose]
    strategy = getattr(config, f"_{purpose}_distribute")
    if config._distribute_coordinator_mode != "standalone_client":
        raise ValueError(
            f"Estimator.{method} in a cluster works from a standalone client only; use "
            "train_and_evaluate where TF_CONFIG names the cluster."
        )
    if strategy.extended.experimental_between_graph:
        raise ValueError(
            f"Estimator.{method} is not supported for {type(strategy).__name__} from a standalone "
            "client; use train_and_evaluate."
        )

    def run(strategy: Any) -> Any:
        local, is_chief = _local_copy(estimator, purpose, strategy)
        result = run_distributed(local, strategy, hooks if is_chief else [])
        return local if purpose == "train" else result

    return _run_coordinator(config, purpose, run)


def _run_coordinator(
    config: Any,
    purpose: str,
    run: Callable[[Any], Any],
    evaluate: Callable[[Any], None] | None = None,
) -> Any:
    from tensorflow.python.distribute import distribute_coordinator as coordinator

    standalone = config._distribute_coordinator_mode == "standalone_client"
    return coordinator.run_distribute_coordinator(
        run,
        getattr(config, f"_{purpose}_distribute"),
        evaluate,
        config._eval_distribute,
        mode=config._distribute_coordinator_mode,
        cluster_spec=config.cluster_spec if standalone else None,
        session_config=config.session_config,
    )


def _local_copy(estimator: Any, purpose: str, strategy: Any) -> tuple[Any, bool]:
    """Copies an Estimator for the current worker context. Returns the copy and `is_chief`."""
    from tensorflow.python.distribute import distribute_coordinator_context

    context = distribute_coordinator_context.get_current_worker_context()
    local = copy.deepcopy(estimator)
    config = local._config
    setattr(config, f"_{purpose}_distribute", strategy)
    setattr(local, f"_{purpose}_distribution", strategy)
    _place(config, context)
    config._distribute_coordinator_mode = None  # Otherwise it would start the coordinator.
    return local, context.is_chief


def _place(config: Any, context: Any) -> None:
    """Writes the task and the cluster of a worker context into a RunConfig."""
    import tensorflow as tf

    config._service = None
    config._task_type, config._task_id = context.task_type, context.task_id
    config._master = config._evaluation_master = context.master_target
    config._is_chief = context.is_chief
    cluster = context.cluster_spec
    if cluster and context.task_type == "evaluator":
        config._cluster_spec = tf.train.ClusterSpec({})
        config._num_ps_replicas = config._num_worker_replicas = 0
        config._global_id_in_cluster = None
        return
    config._cluster_spec = cluster
    sizes = {job: len(tasks) for job, tasks in cluster.as_dict().items()} if cluster else {}
    config._num_ps_replicas = sizes.get("ps", 0)
    config._num_worker_replicas = sizes.get("worker", 0) + sizes.get("chief", 0) or 1
    config._global_id_in_cluster = 0
    if cluster and context.task_type:
        # Global ids count the chief first and the parameter servers last.
        order = sorted(sizes, key=lambda job: (job != "chief", job == "ps", job))
        preceding_jobs = order[: order.index(context.task_type)]
        config._global_id_in_cluster = sum(sizes[job] for job in preceding_jobs) + context.task_id
