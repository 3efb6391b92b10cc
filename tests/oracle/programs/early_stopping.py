"""experimental.make_early_stopping_hook and the stop_if_* hooks."""

import os

import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1

# (step, loss, accuracy)
EVALUATIONS = ((10, 0.8, 0.5), (20, 0.7, 0.6), (30, 0.4, 0.7), (35, 0.41, 0.68))


def model_fn(features, labels, mode, params):
    weight = tf1.get_variable("weight", [], initializer=tf1.zeros_initializer())
    loss = tf.reduce_mean(tf.square(weight * features - labels))
    train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(loss, tf1.train.get_global_step())
    return params["spec"](mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensors(([1.0], [2.0])).repeat()


def make(estimator, folder, **config):
    config = estimator.RunConfig(model_dir=folder, **config)
    return estimator.Estimator(model_fn, config=config, params={"spec": estimator.EstimatorSpec})


def write_evaluations(folder):
    with tf.Graph().as_default():
        writer = tf1.summary.FileWriter(folder)
        for step, loss, accuracy in EVALUATIONS:
            values = {"loss": loss, "accuracy": accuracy}
            summary = tf1.Summary(
                value=[tf1.Summary.Value(tag=k, simple_value=v) for k, v in values.items()]
            )
            writer.add_summary(summary, step)
        writer.close()


def stopped_at(trained, hooks):
    """At which step a training of at most five more ends."""
    begun = int(trained.get_variable_value("global_step")) if trained.latest_checkpoint() else 0
    trained.train(input_fn, hooks=hooks, steps=5)
    return int(trained.get_variable_value("global_step")) - begun


def decisions(estimator, folder):
    trained = make(estimator, folder)
    os.makedirs(trained.eval_dir())
    write_evaluations(trained.eval_dir())
    own = estimator.experimental
    often = {"run_every_secs": None, "run_every_steps": 2}
    found = {}
    for threshold in (0.65, 0.8):
        for min_steps in (0, 33, 100):
            hook = own.stop_if_higher_hook(
                trained, "accuracy", threshold, min_steps=min_steps, **often
            )
            found["higher {} {}".format(threshold, min_steps)] = stopped_at(trained, [hook])
    for threshold in (0.3, 0.405):
        for min_steps in (0, 33):
            hook = own.stop_if_lower_hook(trained, "loss", threshold, min_steps=min_steps, **often)
            found["lower {} {}".format(threshold, min_steps)] = stopped_at(trained, [hook])
    for steps in (5, 6):
        hook = own.stop_if_no_increase_hook(trained, "accuracy", steps, **often)
        found["no increase {}".format(steps)] = stopped_at(trained, [hook])
        hook = own.stop_if_no_decrease_hook(trained, "loss", steps, min_steps=11, **often)
        found["no decrease {}".format(steps)] = stopped_at(trained, [hook])
    elsewhere = own.stop_if_lower_hook(trained, "loss", 1, eval_dir=folder + "/none", **often)
    found["elsewhere"] = stopped_at(trained, [elsewhere])
    found["by time"] = stopped_at(trained, [own.stop_if_lower_hook(trained, "loss", 1)])
    missing = own.stop_if_lower_hook(trained, "precision", 1, **often)
    found["missing"] = facts.error(stopped_at, trained, [missing])[0]
    return found


def predicate(estimator, folder):
    trained = make(estimator, folder, save_checkpoints_steps=2)
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) == 3

    hook = estimator.experimental.make_early_stopping_hook(
        trained, should_stop, run_every_secs=None, run_every_steps=3
    )
    trained.train(input_fn, hooks=[hook], max_steps=20)
    return {
        "asked": len(asked),
        "step": int(trained.get_variable_value("global_step")),
        "stop": bool(trained.get_variable_value("signal_early_stopping/STOP")),
        "variables": facts.variables(folder),
        "files": facts.files(folder),
    }


def errors(estimator, folder):
    trained = make(estimator, folder)
    own = estimator.experimental
    found = {
        "no estimator": facts.error(own.make_early_stopping_hook, object(), lambda: True),
        "both": facts.error(own.make_early_stopping_hook, trained, lambda: True, 60, 100),
        "none": facts.error(own.make_early_stopping_hook, trained, lambda: True, None, None),
        "not callable": facts.error(own.make_early_stopping_hook, trained, 3),
    }
    in_step = tf1.distribute.experimental.MultiWorkerMirroredStrategy()
    trained = make(estimator, folder, train_distribute=in_step)
    found["seconds in step"] = facts.error(own.make_early_stopping_hook, trained, lambda: True)
    return {key: error[0] for key, error in found.items()}


def run(estimator, folder):
    return {
        "decisions": decisions(estimator, os.path.join(folder, "decisions")),
        "predicate": predicate(estimator, os.path.join(folder, "predicate")),
        "errors": errors(estimator, os.path.join(folder, "errors")),
    }
