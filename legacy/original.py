"""Makes the original tf.estimator importable again, on today's TensorFlow.

    pip install --no-deps tensorflow-estimator==2.15.0

    from legacy import original

    tf_estimator = original.load()          # the v2 API, as the last wheel has it
    tf_estimator_v1 = original.load("v1")

The last tensorflow-estimator imports four modules and reads one table entry that TensorFlow removed
together with tf.estimator. This file supplies them, as TensorFlow 2.15 had them, and only where
TensorFlow lacks them. It is the one file of the toolkit that imports from `tensorflow.python`. It
serves programs that need a part that `legacy.estimator` leaves out, and it is the oracle of its
tests. Nothing else needs them.

TPUs are not supported: the TPU classes of the wheel raise `NotImplementedError`.
"""

from __future__ import annotations

import copy
import importlib
import importlib.metadata
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

from legacy import keras_choice

VERSION = "2.15.0"
PACKAGE = "tensorflow_estimator"
INSTALL = f"pip install --no-deps tensorflow-estimator=={VERSION}"


def load(api: str = "v2") -> types.ModuleType:
    """Imports the original package's public API.

    Args:
      api: "v2" for the former tf.estimator, "v1" for the former tf.compat.v1.estimator.

    Returns:
      The module.

    Raises:
      ImportError: The package is not installed, or not in the version that is supported here.
      ValueError: `api` is unknown.
    """
    if api not in ("v1", "v2"):
        raise ValueError(f"api={api!r}: use 'v1' or 'v2'.")
    check_installed()
    supply()
    return importlib.import_module(f"{PACKAGE}.python.estimator.api._{api}.estimator")


def check_installed() -> None:
    """Raises ImportError, with instructions, if the original package is not installed."""
    if importlib.util.find_spec(PACKAGE) is None:
        raise ImportError(
            f"The original tf.estimator is not installed. Install its last version, which needs "
            f"nothing but TensorFlow, with: {INSTALL}"
        )
    try:
        version = importlib.metadata.version("tensorflow-estimator")
    except importlib.metadata.PackageNotFoundError:
        return  # Its version is unknown without metadata, for example on PYTHONPATH.
    if version != VERSION:
        raise ImportError(
            f"tensorflow-estimator {version} is installed, and only {VERSION} works with "
            f"today's TensorFlow. Replace it with: {INSTALL}"
        )


def supply() -> None:
    """Adds the modules to TensorFlow that the original package imports and TensorFlow removed.

    Safe to call twice. A module that TensorFlow still has is left unchanged.
    """
    keras_choice.use_legacy_keras()
    _supply_export_table()
    for name, make in _MISSING.items():
        if name in sys.modules or importlib.util.find_spec(name) is not None:
            continue
        module = types.ModuleType(name, f"Supplied by {__name__}.")
        module.__dict__.update(make())
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        # The import system binds a submodule in its parent. Here it does not load the module.
        setattr(importlib.import_module(parent), child, module)


def _supply_export_table() -> None:
    from tensorflow.python.util import tf_export

    if hasattr(tf_export, "ESTIMATOR_API_NAME"):
        return
    # The decorator of exported symbols looks up the names of its attributes by the API's name.
    name = tf_export.ESTIMATOR_API_NAME = "estimator"
    attributes = type(tf_export.API_ATTRS[tf_export.TENSORFLOW_API_NAME])
    for table, suffix in ((tf_export.API_ATTRS, ""), (tf_export.API_ATTRS_V1, "_v1")):
        table[name] = attributes(
            f"_estimator_api_names{suffix}", f"_estimator_api_constants{suffix}"
        )


def _placeholders(*names: str) -> Callable[[], dict[str, Any]]:
    """Returns a factory of classes that can be imported but raise NotImplementedError when used."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} drives a TPU, which the original tf.estimator can do with "
            "TensorFlow 2.15 or older only. Set use_tpu=False, or port the job to TPUStrategy."
        )

    return lambda: {name: type(name, (), {"__init__": refuse}) for name in names}


def _tpu_embedding() -> dict[str, Any]:
    optimizers = ("Adagrad", "Adam", "Ftrl", "Momentum", "ProximalAdagrad", "RMSProp")
    names = [f"{optimizer}SlotVariableNames" for optimizer in optimizers]
    names += [f"{name}Parameters" for name in (*optimizers, "StochasticGradientDescent")]
    names += ["EnqueueData", "FeatureConfig", "TableConfig", "TPUEmbedding"]
    return {**_placeholders(*names)(), "TRAINING": "training", "INFERENCE": "inference"}


def _coordinated_training() -> dict[str, Any]:
    """Returns the functions that the package calls in the removed module `estimator_training`."""
    return {
        function.__name__: function
        for function in (
            init_run_config,
            should_run_distribute_coordinator,
            train_and_evaluate,
            estimator_train,
            estimator_evaluate,
        )
    }


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


_MISSING: dict[str, Callable[[], dict[str, Any]]] = {
    "tensorflow.python.distribute.estimator_training": _coordinated_training,
    "tensorflow.python.tpu.tpu_embedding": _tpu_embedding,
    "tensorflow.python.tpu.tpu_embedding_gradient": _placeholders(
        "create_dummy_table_variables",
        "get_gradients_through_dummy_table_variables",
        "hook_dummy_table_variables_to_activations",
    ),
    "tensorflow.python.tpu.session_support": _placeholders(
        "GracefulShutdownHook",
        "ResetComputation",
        "ShutdownAllWorkers",
        "ShutdownLameWorkers",
        "start_worker_watchdog",
    ),
}
