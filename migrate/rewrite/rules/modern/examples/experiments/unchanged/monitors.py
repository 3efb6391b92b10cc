from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
def experiment_fn(output_dir):
    job = tf_estimator.Estimator(model_fn, output_dir)
    monitor = contrib.learn.monitors.PrintTensor(["loss"])
    return contrib.learn.Experiment(job, f, f, train_monitors=[monitor])
contrib.learn.learn_runner.run(experiment_fn, "model")
