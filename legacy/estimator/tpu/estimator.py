"""TPUEstimator, which runs programs that were written for TPUs on CPUs and GPUs.

>>> import tensorflow as tf
>>> from legacy.estimator.tpu.config import RunConfig
>>> from legacy.estimator.tpu.spec import TPUEstimatorSpec
>>> def model_fn(features, labels, mode, params):
...     weight = tf.compat.v1.get_variable("weight", [])
...     loss = tf.reduce_mean(tf.square(features * weight - labels))
...     optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)
...     train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())
...     return TPUEstimatorSpec(mode, loss=loss, train_op=train_op)
>>> def input_fn(params):
...     return tf.data.Dataset.from_tensors((1.0, 2.0)).repeat().batch(params["batch_size"])
>>> estimator = TPUEstimator(model_fn, config=RunConfig(), use_tpu=False, train_batch_size=8)
>>> estimator.train(input_fn, max_steps=2).get_variable_names()
['global_step', 'weight']
"""

from __future__ import annotations

import enum
import math
import weakref
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, construction
from legacy.estimator.estimator import Estimator
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec
from legacy.estimator.tpu import params as own_params
from legacy.estimator.tpu.config import (
    InputPipelineConfig,
    RunConfig,
    check_positive_integer,
    parse_iterations_per_loop,
)
from legacy.estimator.tpu.hooks import ExamplesPerSecondHook
from legacy.estimator.tpu.spec import TPUEstimatorSpec

tf1 = tf.compat.v1

_NO_PARAMS = (
    "{} ({}) does not include params argument, required by TPUEstimator to pass batch size as "
    'params["batch_size"]'
)


class ExportSavedModelApiVersion(enum.Enum):
    """Versions of the API that exports a SavedModel for TPUs."""

    V1 = 1
    V2 = 2


class TPUEstimator(Estimator):
    """An Estimator whose functions get the batch size as `params["batch_size"]`.

    With `use_tpu=True` it can be constructed and can export. `train`, `evaluate` and `predict`
    raise an error, because TPUs are not supported.

    Args:
      model_fn: Model function with an argument `params`. It returns a `TPUEstimatorSpec` or an
        `EstimatorSpec`.
      model_dir: Directory of the model. See Estimator.
      config: A `tpu.RunConfig`. Required.
      params: Hyperparameters, without "batch_size" and "context". Both functions get them with
        "batch_size" (if it is set for the mode). The model_fn also gets "use_tpu".
      use_tpu: If true, uses a TPU.
      train_batch_size: Batch size of `train`.
      eval_batch_size: Batch size of `evaluate`.
      predict_batch_size: Batch size of `predict`.
      batch_axis: For TPUs only.
      eval_on_tpu: If true, `use_tpu` also applies to `evaluate`.
      export_to_tpu: If true, requests a graph for TPUs. No such graph is written, and a warning is
        logged.
      export_to_cpu: If true, exports a graph for CPUs and GPUs.
      warm_start_from: Checkpoint or settings. See Estimator.
      embedding_config_spec: An `EmbeddingConfigSpec`, for TPUs only.
      export_saved_model_api_version: For TPUs only.

    Raises:
      ValueError: If an argument is invalid.
      TypeError: If a batch size is not an integer, or if `model_fn` is not callable.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any] | None = None,
        model_dir: str | None = None,
        config: RunConfig | None = None,
        params: Any = None,
        use_tpu: bool = True,
        train_batch_size: int | None = None,
        eval_batch_size: int | None = None,
        predict_batch_size: int | None = None,
        batch_axis: Any = None,
        eval_on_tpu: bool = True,
        export_to_tpu: bool = True,
        export_to_cpu: bool = True,
        warm_start_from: Any = None,
        embedding_config_spec: Any = None,
        export_saved_model_api_version: Any = ExportSavedModelApiVersion.V1,
    ) -> None:
        del batch_axis
        if not isinstance(config, RunConfig):
            raise ValueError(
                f"`config` must be provided with type `tpu_config.RunConfig`, and is {config!r}."
            )
        own_params.check(params)
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size,
            ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }
        if use_tpu:
            _check_for_tpu(self._batch_sizes, config.tpu_config, embedding_config_spec)
        _check_embedding(embedding_config_spec, config.tpu_config, use_tpu and eval_on_tpu)
        if export_saved_model_api_version not in (*ExportSavedModelApiVersion, 1, 2):
            raise ValueError(
                "export_saved_model_api_version should be 1 or 2; got "
                f"{export_saved_model_api_version}."
            )
        if not callable(model_fn):
            raise TypeError(f"model_fn must be a function, and is {model_fn!r}.")
        construction.check_model_fn(model_fn, params)
        self._modes_on_tpu = _modes_on_tpu(use_tpu, eval_on_tpu)
        # Graphs with an input. In any other graph, the model_fn is called for an export, which has
        # no batch size. The references are weak, so that old graphs can be freed.
        self._graphs_with_input: Any = weakref.WeakSet()
        self._export_to_cpu = export_to_cpu
        self._export_to_tpu = export_to_tpu
        self._log_every = _log_intervals(config)
        super().__init__(
            model_fn=self._augment_model_fn(model_fn),
            model_dir=model_dir,
            # ExamplesPerSecondHook also counts steps.
            config=config.replace(log_step_count_steps=None),
            params=params or {},
            warm_start_from=warm_start_from,
        )

    def _call_input_fn(
        self, input_fn: Callable[..., Any], mode: str | None, input_context: Any = None
    ) -> Any:
        """Calls an input function on the CPU, with the arguments that it declares."""
        names = arguments.names(input_fn)
        if "params" not in names:
            raise ValueError(_NO_PARAMS.format("input_fn", input_fn))
        self._check_runs_here(mode)
        self._graphs_with_input.add(tf1.get_default_graph())
        params = self._with_batch_size(self.params, mode)
        argument_values = {
            "params": params,
            "config": self.config,
            "mode": mode,
            "input_context": input_context,
        }
        with tf.device("/cpu:0"):
            return input_fn(
                **{name: argument_values[name] for name in names if name in argument_values}
            )

    def _check_runs_here(self, mode: str | None) -> None:
        if mode in self._modes_on_tpu:
            raise RuntimeError(
                f"TPUEstimator(use_tpu=True) in mode {mode!r}: Cannot find any TPU cores in the "
                "system, because TPUs are not supported here. Use use_tpu=False, which runs the "
                "same program on CPUs and GPUs, or train on TPUs with tf.distribute.TPUStrategy."
            )
        slices = self._config.tpu_config.eval_training_input_configuration
        if mode != ModeKeys.TRAIN and slices == InputPipelineConfig.SLICED:
            raise ValueError(
                "Invalid TPUConfig `eval_training_input_configuration` value. SLICED mode only "
                "works on use_tpu = True."
            )

    def _with_batch_size(self, params: Any, mode: str | None) -> Any:
        size = self._batch_sizes.get(mode)
        return (
            params if size is None else own_params.with_value(params, own_params.BATCH_SIZE, size)
        )

    def _augment_model_fn(self, model_fn: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps the user's model_fn as a model_fn of Estimator."""

        def model_fn_of_tpu(features: Any, labels: Any, mode: str, config: Any, params: Any) -> Any:
            names = arguments.names(model_fn)
            if labels is not None and "labels" not in names:
                raise ValueError("model_fn does not take labels, but input_fn returns labels.")
            if "params" not in names:
                raise ValueError(_NO_PARAMS.format("model_fn", model_fn))
            if tf1.get_default_graph() in self._graphs_with_input:
                params = self._with_batch_size(params, mode)
            params = own_params.with_value(params, own_params.USE_TPU, False)
            argument_values = {"labels": labels, "mode": mode, "config": config, "params": params}
            tf1.logging.info("Running %s on CPU/GPU", mode)
            spec = model_fn(
                features=features,
                **{name: argument_values[name] for name in names if name in argument_values},
            )
            if isinstance(spec, TPUEstimatorSpec):
                spec = spec.as_estimator_spec()
            return self._with_examples_hook(spec, mode, config)

        return model_fn_of_tpu

    def _with_examples_hook(self, spec: Any, mode: str, config: Any) -> Any:
        if self._log_every is None or not isinstance(spec, EstimatorSpec):
            return spec
        hook = ExamplesPerSecondHook(
            self._batch_sizes.get(mode),
            output_dir=self.model_dir if config.save_summary_steps else None,
            **self._log_every,
        )
        return spec._replace(training_hooks=(*spec.training_hooks, hook))

    def _export_all_saved_models(self, *args: Any, **kwargs: Any) -> bytes:
        """Writes a SavedModel for CPUs and GPUs."""
        if not self._export_to_cpu and not self._export_to_tpu:
            raise ValueError("One of export_to_cpu and export_to_tpu must be true.")
        if not self._export_to_cpu:
            raise ValueError(
                "export_to_cpu=False leaves only a graph for TPUs, which are not supported. Use "
                "export_to_cpu=True."
            )
        if self._export_to_tpu:
            tf1.logging.warning(
                "export_to_tpu=True has no effect: the SavedModel has a graph for CPUs and GPUs "
                "alone."
            )
        return super()._export_all_saved_models(*args, **kwargs)


def _check_for_tpu(sizes: dict[str, int | None], tpu_config: Any, embedding: Any) -> None:
    """Performs the checks of the original that do not need a TPU."""
    if sizes[ModeKeys.TRAIN] is None:
        raise ValueError("`train_batch_size` cannot be `None`")
    check_positive_integer(sizes[ModeKeys.TRAIN], "train_batch_size")
    inputs = tpu_config.per_host_input_for_training
    if inputs == InputPipelineConfig.PER_SHARD_V1 and tpu_config.num_cores_per_replica:
        raise ValueError(
            "Model parallelism only supports per host input for training. Please adjust "
            "TPURunconfig.per_host_input_for_training."
        )
    for mode, name in ((ModeKeys.EVAL, "eval"), (ModeKeys.PREDICT, "predict")):
        if sizes[mode] is not None:
            check_positive_integer(sizes[mode], f"{name}_batch_size")
    allowed = (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.PER_HOST_V2)
    if embedding and inputs not in allowed:
        raise ValueError(
            f"Only PER_HOST_V1 and PER_HOST_V2 is supported when using TPU Embedding; got {inputs}."
        )


def _check_embedding(embedding: Any, tpu_config: Any, evaluates_on_tpu: bool) -> None:
    if embedding and not evaluates_on_tpu and embedding.partition_strategy == "mod":
        raise ValueError("Mod sharding of embedding tables not supported on CPU.")
    if tpu_config.num_shards == 1 and tpu_config.num_cores_per_replica is None:
        if embedding is not None:
            raise ValueError(
                "Setting TPUConfig.num_shards==1 is unsupported when embedding_config_spec is not "
                "None."
            )
        tf1.logging.warning(
            "Setting TPUConfig.num_shards==1 is an unsupported behavior. Please fix as soon as "
            "possible (leaving num_shards as None.)"
        )


def _modes_on_tpu(use_tpu: bool, eval_on_tpu: bool) -> tuple[str, ...]:
    if not use_tpu:
        if eval_on_tpu:
            tf1.logging.warning("eval_on_tpu ignored because use_tpu is False.")
        return ()
    return (ModeKeys.TRAIN, ModeKeys.PREDICT, *([ModeKeys.EVAL] if eval_on_tpu else []))


def _log_intervals(config: RunConfig) -> dict[str, Any] | None:
    """Returns the intervals of the hook that counts examples, or None for no hook.

    A TPU returns to its host after `iterations_per_loop` steps or seconds. The config's
    `log_step_count_steps` is converted to these loops.
    """
    iterations = parse_iterations_per_loop(config.tpu_config.iterations_per_loop)
    if iterations.unit == "seconds":
        return {"every_n_steps": None, "every_n_secs": iterations.value}
    if config.log_step_count_steps is None:
        return None
    every_n_loops = math.ceil(config.log_step_count_steps / iterations.value)
    return {"every_n_steps": every_n_loops, "every_n_secs": None}
