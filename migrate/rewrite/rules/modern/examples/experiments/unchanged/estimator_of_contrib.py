from legacy import contrib
def experiment_fn(output_dir):
    return contrib.learn.Experiment(contrib.learn.LinearRegressor([], output_dir), f, f)
contrib.learn.learn_runner.run(experiment_fn, "model")
