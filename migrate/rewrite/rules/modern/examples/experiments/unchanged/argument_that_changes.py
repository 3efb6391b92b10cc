from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
steps = 1
experiment = contrib.learn.Experiment(tf_estimator.Estimator(model_fn, "m"), f, f, None, steps)
steps = 2
experiment.train()
