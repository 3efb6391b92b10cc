"""tf.contrib.tpu: TPUEstimator and its configuration, for CPUs and GPUs.

    config = tpu.RunConfig(model_dir="/tmp/model", tpu_config=tpu.TPUConfig(100))
    estimator = tpu.TPUEstimator(
        model_fn, config=config, use_tpu=False, train_batch_size=32, eval_batch_size=32
    )

Functions and classes that need a TPU, such as `shard`, exist but raise NotImplementedError when
they are called. Programs that only mention them therefore run without a TPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import tensorflow as tf

from legacy.contrib import _missing
from legacy.estimator.estimator import Estimator
from legacy.estimator.tpu import (
    InputPipelineConfig,
    RunConfig,
    TPUConfig,
    TPUEstimator,
    TPUEstimatorSpec,
)
from legacy.estimator.tpu.cross_shard_optimizer import CrossShardOptimizer

AsyncCheckpointSaverHook = tf.compat.v1.train.CheckpointSaverHook


@contextlib.contextmanager
def bfloat16_scope(name: str | None = None) -> Iterator[Any]:
    """Computes in bfloat16 and keeps variables in float32, in the layers of tf.compat.v1.

    Args:
      name: Name of the scope.

    Yields:
      The variable scope.
    """
    with tf.compat.v1.tpu.bfloat16_scope(name) as scope:
        yield scope


def cross_replica_sum(x: tf.Tensor, group_assignment: Any = None, name: str | None = None) -> Any:
    """Returns the tensor unchanged, because only one replica exists without a TPU.

    Args:
      x: The tensor.
      group_assignment: Not used.
      name: Name of the operation.
    """
    del group_assignment
    return tf.identity(x, name)


def outside_compilation(computation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function directly, because nothing is compiled without a TPU.

    Args:
      computation: The function.
      *args: Positional arguments of the function.
      **kwargs: Keyword arguments of the function.

    Returns:
      The return value of the function.
    """
    return computation(*args, **kwargs)


def repeat(n: int, body: Callable[..., Any], inputs: Any = None, **kwargs: Any) -> Any:
    """Calls a function `n` times, in the graph.

    Args:
      n: Number of calls.
      body: Function from tensors to the same number of tensors.
      inputs: Tensors for the first call. None is an empty list.
      **kwargs: Not used.

    Returns:
      The tensors of the last call, or an operation if the function takes no tensors.
    """
    inputs = list(inputs or [])

    def step(i: tf.Tensor, *values: Any) -> Any:
        results = body(*values)
        if isinstance(results, tf.Operation):
            results = [results]
        # The next call starts after all results, also if the function takes no tensors.
        wait = [result for result in tf.nest.flatten(results) if result is not None]
        with tf.control_dependencies(wait):
            outputs = tf.nest.flatten(results) if values else []
            return [i + 1, *(tf.identity(output) for output in outputs)]

    del kwargs
    count, *last_values = tf.while_loop(lambda i, *_: i < n, step, [tf.constant(0), *inputs])
    if not last_values:
        return tf.group(count)
    return last_values[0] if len(last_values) == 1 else last_values


def export_estimator_savedmodel(
    estimator: Estimator,
    export_dir_base: str,
    serving_input_receiver_fn: Callable[[], Any],
    assets_extra: Any = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
    strip_default_attrs: bool = False,
) -> bytes:
    """Writes a SavedModel of an Estimator, for CPUs.

    Args:
      estimator: The Estimator.
      export_dir_base: Folder in which a folder with a timestamp as its name is created.
      serving_input_receiver_fn: Function that returns a `ServingInputReceiver`.
      assets_extra: Files to copy, by path inside `assets.extra`.
      as_text: If true, writes `saved_model.pbtxt`.
      checkpoint_path: The checkpoint. None is the latest one.
      strip_default_attrs: Not used. Default attributes are always stripped.

    Returns:
      The folder of the SavedModel.
    """
    del strip_default_attrs
    return estimator.export_saved_model(
        export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path
    )


def _refuse(name: str) -> Callable[..., NoReturn]:
    """Returns a function that exists, and raises NotImplementedError when it is called."""

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        _missing.refuse(f"tpu.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Refused: tf.contrib.tpu.{name} needs a TPU."
    return refuse


def core(num: int) -> str:
    """Returns the device of a TPU core.

    Args:
      num: Number of the core.
    """
    return f"device:TPU_REPLICATED_CORE:{num}"


class TPUDistributionStrategy:
    """Placeholder whose constructor raises an error, because it needs a TPU.

    Args:
      tpu_cluster_resolver: Not used.
      using_single_core: Not used.

    Raises:
      NotImplementedError: Always.
    """

    def __init__(self, tpu_cluster_resolver: Any = None, using_single_core: bool = False) -> None:
        _missing.refuse("tpu.TPUDistributionStrategy")


batch_parallel = _refuse("batch_parallel")

initialize_system = _refuse("initialize_system")
keras_to_tpu_model = _refuse("keras_to_tpu_model")
replicate = _refuse("replicate")
rewrite = _refuse("rewrite")
shard = _refuse("shard")
shutdown_system = _refuse("shutdown_system")

__getattr__ = _missing.attribute_of("tpu")

__all__ = [
    "AsyncCheckpointSaverHook",
    "CrossShardOptimizer",
    "InputPipelineConfig",
    "RunConfig",
    "TPUConfig",
    "TPUDistributionStrategy",
    "TPUEstimator",
    "TPUEstimatorSpec",
    "batch_parallel",
    "bfloat16_scope",
    "core",
    "cross_replica_sum",
    "export_estimator_savedmodel",
    "initialize_system",
    "keras_to_tpu_model",
    "outside_compilation",
    "repeat",
    "replicate",
    "rewrite",
    "shard",
    "shutdown_system",
]
