"""Process settings that must be applied before TensorFlow's first op."""

from __future__ import annotations

import ctypes
import sys

import tensorflow as tf
import tf_keras

# Constants of mallopt, and the largest value that glibc accepts for the mmap threshold (malloc.h,
# malloc/malloc.c).
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGEST_MMAP_THRESHOLD = 32 << 20
_NEVER_TRIM = 2**31 - 1


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
    keep_large_buffers()
    tf.config.threading.set_intra_op_parallelism_threads(intra_op_threads)
    tf.config.threading.set_inter_op_parallelism_threads(inter_op_threads)
    if logical_cpus > 1:
        (cpu,) = tf.config.list_physical_devices("CPU")
        parts = [tf.config.LogicalDeviceConfiguration() for _ in range(logical_cpus)]
        tf.config.set_logical_device_configuration(cpu, parts)
    if deterministic:
        tf.config.experimental.enable_op_determinism()
    tf_keras.utils.set_random_seed(seed)


def keep_large_buffers() -> None:
    """Makes glibc keep freed buffers of up to 32 MB instead of returning them to the system.

    Gradients and messages of several MB are allocated in each step. If they were returned to the
    system each time, they would cost a page fault and the clearing of the page for every 4 KB.
    Without glibc this does nothing. TensorFlow sets its own threshold when it creates the kind of
    dataset iterator that strategies use, so call this function again after that.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    mallopt(_M_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
    mallopt(_M_TRIM_THRESHOLD, _NEVER_TRIM)
