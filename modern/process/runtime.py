"""Process settings that must be applied before TensorFlow's first op."""

from __future__ import annotations

import tensorflow as tf

from modern.process import malloc
from modern.process.chosen_keras import keras


def configure(
    seed: int,
    deterministic: bool = False,
    intra_op_threads: int = 0,
    inter_op_threads: int = 0,
    logical_cpus: int = 1,
) -> None:
    """Applies the flags of the same names. Call it once, before any other use of TensorFlow.

    Raises:
      RuntimeError: TensorFlow has run ops already.
    """
    malloc.tune()
    tf.config.threading.set_intra_op_parallelism_threads(intra_op_threads)
    tf.config.threading.set_inter_op_parallelism_threads(inter_op_threads)
    if logical_cpus > 1:
        (cpu,) = tf.config.list_physical_devices("CPU")
        parts = [tf.config.LogicalDeviceConfiguration() for _ in range(logical_cpus)]
        tf.config.set_logical_device_configuration(cpu, parts)
    if deterministic:
        tf.config.experimental.enable_op_determinism()
    keras.utils.set_random_seed(seed)
