"""contrib.learn: learn_runner, monitors and RunConfig."""

import json
import os

from tests.oracle import facts
from tests.oracle.programs import contrib_learn_estimator as plain
from tests.oracle.programs.contrib_learn_experiment import make

APIS = ("contrib",)


def stopping(tf, folder):
    """An early stop by a monitor, whose loss is the same again and again."""
    learn = tf.contrib.learn
    estimator = make(tf, folder).estimator
    estimator.params = {"rate": 0.0}
    monitor = learn.monitors.ValidationMonitor(
        input_fn=plain.make_input_fn(tf, 1),
        every_n_steps=2,
        early_stopping_rounds=6,
        check_interval_secs=None,
    )
    capture = learn.monitors.CaptureVariable("kernel", every_n=3, first_n=2)
    estimator.fit(input_fn=plain.make_input_fn(tf), steps=100, monitors=[monitor, capture])
    return {
        "stopped": monitor.early_stopped,
        "best": int(monitor.best_step),
        "last": int(estimator.get_variable_value("global_step")),
        "captured": sorted(int(step) for step in capture.values),
    }


def running(tf, folder):
    learn = tf.contrib.learn
    run = learn.learn_runner.run
    config = learn.RunConfig(model_dir=folder, save_checkpoints_steps=4)

    def experiment_fn(run_config, hparams):
        estimator = learn.Estimator(
            plain.make_model_fn(tf, "ops"), config=run_config, params=hparams.values()
        )
        return learn.Experiment(
            estimator, plain.make_input_fn(tf), plain.make_input_fn(tf, 1), train_steps=5
        )

    def by_folder(output_dir):
        return make(tf, output_dir, train_steps=5)

    hparams = tf.contrib.training.HParams(rate=0.1)
    found = {
        "default": sorted(run(experiment_fn, run_config=config, hparams=hparams)[0]),
        "folder": sorted(run(by_folder, output_dir=folder + "2", schedule="test")),
    }
    other = learn.RunConfig(model_dir=folder + "3")
    errors = {
        "both": (by_folder, {"output_dir": folder, "run_config": config}),
        "none": (by_folder, {}),
        "not callable": ("x", {"output_dir": folder}),
        "hparams": (by_folder, {"output_dir": folder, "hparams": hparams}),
        "no folder": (experiment_fn, {"run_config": learn.RunConfig()}),
        "schedule": (by_folder, {"output_dir": folder + "4", "schedule": "never"}),
        "property": (by_folder, {"output_dir": folder + "4", "schedule": "eval_steps"}),
        "another": (lambda output_dir: 1, {"output_dir": folder}),
        "other config": (
            lambda c, h: experiment_fn(other, h),
            {"run_config": config, "hparams": hparams},
        ),
    }
    for name in errors:
        function, arguments = errors[name]
        error = facts.error(run, function, **arguments)
        found[name] = error and error[0]
    return found


def configs(tf):
    learn = tf.contrib.learn
    cluster = {
        "master": ["a:1"],
        "ps": ["b:1", "c:1"],
        "worker": ["d:1", "e:1"],
    }
    found = {}
    held = os.environ.pop("TF_CONFIG", None)
    for environment in ("cloud", None):
        for task in (None, ("master", 0), ("worker", 1), ("worker", 0), ("ps", 1), ("other", 0)):
            given = {}
            if task:
                given = {"cluster": cluster, "task": {"type": task[0], "index": task[1]}}
            if environment:
                given["environment"] = environment
            os.environ["TF_CONFIG"] = json.dumps(given)
            try:
                config = learn.RunConfig()
                found["{} {}".format(environment, task)] = [
                    config.master,
                    config.task_type,
                    config.task_id,
                    config.is_chief,
                    config.num_ps_replicas,
                    config.num_worker_replicas,
                    config.environment,
                    config.evaluation_master,
                    learn.RunConfig.get_task_id(),
                ]
            except Exception as error:
                found["{} {}".format(environment, task)] = type(error).__name__
    os.environ["TF_CONFIG"] = json.dumps({"model_dir": "/m"})
    found["folder"] = [learn.RunConfig().model_dir, facts.error(learn.RunConfig, model_dir="/n")[0]]
    os.environ.pop("TF_CONFIG")
    if held:
        os.environ["TF_CONFIG"] = held
    one = learn.RunConfig(save_checkpoints_steps=3, tf_random_seed=2)
    found["saving"] = [one.save_checkpoints_secs, one.save_checkpoints_steps]
    found["default"] = [learn.RunConfig().save_checkpoints_secs, learn.RunConfig().tf_random_seed]
    found["same uid"] = one.uid() == learn.RunConfig().uid()
    found["other uid"] = one.uid() == learn.RunConfig(model_dir="/x").uid()
    found["replaced"] = one.replace(model_dir="/y").model_dir
    return found


def run(tf, folder):
    return {
        "stopping": stopping(tf, os.path.join(folder, "a")),
        "running": running(tf, os.path.join(folder, "b")),
        "configs": configs(tf),
    }
