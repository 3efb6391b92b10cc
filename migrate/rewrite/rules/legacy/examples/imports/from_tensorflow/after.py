from legacy import contrib
from legacy.compat.v1 import estimator
from tensorflow.compat.v1 import flags
x = estimator.ModeKeys.EVAL, callable(contrib.layers.flatten), flags is not None
