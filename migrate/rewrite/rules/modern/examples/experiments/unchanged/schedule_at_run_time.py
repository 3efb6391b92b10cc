from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
import sys
def experiment_fn(output_dir):
    return contrib.learn.Experiment(tf_estimator.Estimator(model_fn, output_dir), f, f)
contrib.learn.learn_runner.run(experiment_fn, "model", schedule=sys.argv[1])
