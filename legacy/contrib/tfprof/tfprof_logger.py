"""tf.contrib.tfprof.tfprof_logger: writes information about operations for the profiler."""

import tensorflow as tf

from legacy.contrib import _missing

write_op_log = tf.compat.v1.profiler.write_op_log

__getattr__ = _missing.attribute_of("tfprof.tfprof_logger")

__all__ = ["write_op_log"]
