from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
def experiment_fn(config, hparams):
    return contrib.learn.Experiment(tf_estimator.Estimator(model_fn, config=config), f, f)
config = contrib.learn.RunConfig(master="grpc://host:2222", model_dir="model")
contrib.learn.learn_runner.run(experiment_fn, run_config=config)
