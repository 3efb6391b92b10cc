from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
def experiment_fn(output_dir):
    experiment = contrib.learn.Experiment(tf_estimator.Estimator(model_fn, output_dir), f, f)
    experiment.extend_train_hooks(hooks)
    return experiment
contrib.learn.learn_runner.run(experiment_fn, "model")
