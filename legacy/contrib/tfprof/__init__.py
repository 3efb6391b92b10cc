"""tf.contrib.tfprof: what a graph costs. It became tf.profiler."""

from legacy.contrib import _missing
from legacy.contrib.tfprof import model_analyzer, tfprof_logger

__getattr__ = _missing.attribute_of("tfprof")

__all__ = ["model_analyzer", "tfprof_logger"]
