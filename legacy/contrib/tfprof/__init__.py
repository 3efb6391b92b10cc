"""tf.contrib.tfprof: the profiler of graphs, which became tf.profiler.

Files in reading order:
model_analyzer  prints the numbers of parameters and operations in a graph
tfprof_logger   writes information about operations that the profiler cannot see
"""

from legacy.contrib import _missing
from legacy.contrib.tfprof import model_analyzer, tfprof_logger

__getattr__ = _missing.attribute_of("tfprof")

__all__ = ["model_analyzer", "tfprof_logger"]
