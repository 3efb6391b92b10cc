from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
from legacy.contrib.learn.utils import saved_model_export_utils
def experiment_fn(output_dir):
    best = saved_model_export_utils.make_best_model_export_strategy(serving_fn)
    job = tf_estimator.Estimator(model_fn, output_dir)
    return contrib.learn.Experiment(job, f, f, export_strategies=best)
contrib.learn.learn_runner.run(experiment_fn, "model")
