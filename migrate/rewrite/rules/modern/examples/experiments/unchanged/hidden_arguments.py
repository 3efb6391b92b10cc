from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
def experiment_fn(output_dir):
    return contrib.learn.Experiment(tf_estimator.Estimator(model_fn, output_dir), f, f, **options)
contrib.learn.learn_runner.run(experiment_fn, "model")
