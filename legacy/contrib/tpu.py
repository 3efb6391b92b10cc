"""tf.contrib.tpu: TPUEstimator and what belongs to it, for CPUs and GPUs.

    config = tpu.RunConfig(model_dir="/tmp/model", tpu_config=tpu.TPUConfig(100))
    estimator = tpu.TPUEstimator(
        model_fn, config=config, use_tpu=False, train_batch_size=32, eval_batch_size=32
    )

Names that need a TPU to do anything are here, so that programs which mention them run without one;
they refuse when they are called.
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
      name: A name for the scope.

    Yields:
      The variable scope.
    """
    with tf.compat.v1.tpu.bfloat16_scope(name) as scope:
        yield scope


def cross_replica_sum(x: tf.Tensor, group_assignment: Any = None, name: str | None = None) -> Any:
    """Returns the tensor: without a TPU there is one replica.

    Args:
      x: The tensor.
      group_assignment: Not used.
      name: A name for the operation.
    """
    del group_assignment
    return tf.identity(x, name)


def outside_compilation(computation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function: without a TPU everything is outside.

    Args:
      computation: The function.
      *args: Its arguments.
      **kwargs: Its arguments.

    Returns:
      What it returns.
    """
    return computation(*args, **kwargs)


def repeat(n: int, body: Callable[..., Any], inputs: Any = None, **kwargs: Any) -> Any:
    """Calls a function so many times, in the graph.

    Args:
      n: How many times.
      body: From tensors to as many tensors.
      inputs: The first tensors; None is none.
      **kwargs: Not used.

    Returns:
      The last tensors; where there are none, an operation.
    """
    inputs = list(inputs or [])

    def step(i: tf.Tensor, *values: Any) -> Any:
        found = body(*values)
        if isinstance(found, tf.Operation):
            found = [found]
        wait = [each for each in tf.nest.flatten(found) if each is not None]
        with tf.control_dependencies(wait):
            kept = tf.nest.flatten(found) if values else []
            return [i + 1, *(tf.identity(each) for each in kept)]

    del kwargs
    count, *last = tf.while_loop(lambda i, *_: i < n, step, [tf.constant(0), *inputs])
    if not last:
        return tf.group(count)
    return last[0] if len(last) == 1 else last


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
      export_dir_base: The folder in which a folder named by the time is made.
      serving_input_receiver_fn: Returns a `ServingInputReceiver`.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.
      checkpoint_path: The checkpoint; None is the latest.
      strip_default_attrs: Not used: they are left out in every case.

    Returns:
      The SavedModel's folder.
    """
    del strip_default_attrs
    return estimator.export_saved_model(
        export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path
    )


def _refused(name: str) -> Callable[..., NoReturn]:
    """Makes a function that exists and refuses."""

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        _missing.refuse(f"tpu.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Refused: tf.contrib.tpu.{name} needs a TPU."
    return refuse


def core(num: int) -> str:
    """Returns the device of a TPU's core.

    Args:
      num: The core's number.
    """
    return f"device:TPU_REPLICATED_CORE:{num}"


class TPUDistributionStrategy:
    """Refused: needs a TPU.

    Args:
      tpu_cluster_resolver: Not used.
      using_single_core: Not used.

    Raises:
      NotImplementedError: Always.
    """

    def __init__(self, tpu_cluster_resolver: Any = None, using_single_core: bool = False) -> None:
        _missing.refuse("tpu.TPUDistributionStrategy")


batch_parallel = _refused("batch_parallel")

initialize_system = _refused("initialize_system")
keras_to_tpu_model = _refused("keras_to_tpu_model")
replicate = _refused("replicate")
rewrite = _refused("rewrite")
shard = _refused("shard")
shutdown_system = _refused("shutdown_system")

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
