from tensorflow import contrib, estimator, flags
x = estimator.ModeKeys.EVAL, callable(contrib.layers.flatten), flags is not None
