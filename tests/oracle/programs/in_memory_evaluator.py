"""experimental.InMemoryEvaluatorHook and make_stop_at_checkpoint_step_hook."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def model_fn(features, labels, mode, params):
    weight = tf1.get_variable("weight", [2, 1], initializer=tf1.ones_initializer())
    if mode == "eval" and params["extra"]:
        tf1.get_variable("only_here", [1], initializer=tf1.ones_initializer())
    predictions = tf.matmul(features, weight)
    loss = tf.reduce_mean(tf.square(predictions - labels))
    train_op = tf1.train.MomentumOptimizer(0.1, 0.9).minimize(loss, tf1.train.get_global_step())
    return params["spec"](
        mode,
        predictions=predictions,
        loss=loss,
        train_op=train_op,
        scaffold=params["scaffold"](mode) if "scaffold" in params else None,
        eval_metric_ops={"error": tf1.metrics.mean_absolute_error(labels, predictions)},
    )


def input_fn(repeat=None):
    x = np.linspace(-1, 1, 16, dtype="float32").reshape(8, 2)
    y = 3 * x.sum(1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((x, y)).repeat(repeat).batch(3)


def make(estimator, folder, scaffold=None, extra=False):
    params = {"spec": estimator.EstimatorSpec, "extra": extra}
    if scaffold:
        params["scaffold"] = scaffold
    config = estimator.RunConfig(model_dir=folder, tf_random_seed=1)
    return estimator.Estimator(model_fn, config=config, params=params)


class Counter(tf1.train.SessionRunHook):
    """Counts the sessions and the steps that it sees."""

    def __init__(self):
        self.sessions = 0
        self.steps = 0

    def after_create_session(self, session, coord):
        self.sessions += 1

    def after_run(self, run_context, run_values):
        self.steps += 1


def evaluated(estimator, folder, extra=False, **kwargs):
    trained = make(estimator, folder, extra=extra)
    counter = Counter()
    hook = estimator.experimental.InMemoryEvaluatorHook(
        trained, lambda: input_fn(1), hooks=[counter], **kwargs
    )
    trained.train(input_fn, hooks=[hook], steps=6)
    trained.train(input_fn, hooks=[hook], steps=2)
    return {
        "scalars": facts.scalars(trained.eval_dir(kwargs.get("name"))),
        "evaluate": extra or facts.plain(trained.evaluate(lambda: input_fn(1))),
        "sessions": counter.sessions,
        "steps": counter.steps,
        "files": facts.files(folder),
    }


def errors(estimator, folder):
    make_hook = estimator.experimental.InMemoryEvaluatorHook
    trained = make(estimator, folder)

    def train(scaffold):
        other = make(estimator, folder, scaffold)
        other.train(input_fn, hooks=[make_hook(other, input_fn, steps=1)], steps=1)

    def saver(mode):
        if mode == "eval":
            return tf1.train.Scaffold(saver=tf1.train.Saver(defer_build=True))
        return tf1.train.Scaffold()

    def init_fn(mode):
        if mode == "eval":
            return tf1.train.Scaffold(init_fn=lambda scaffold, session: None)
        return tf1.train.Scaffold()

    found = {
        "every 0": facts.error(make_hook, trained, input_fn, every_n_iter=0),
        "every None": facts.error(make_hook, trained, input_fn, every_n_iter=None),
        "steps 0": facts.error(make_hook, trained, input_fn, steps=0),
        "hooks": facts.error(make_hook, trained, input_fn, hooks=[3]),
        "saver": facts.error(train, saver),
        "init_fn": facts.error(train, init_fn),
    }
    return {key: error and error[0] for key, error in found.items()}


def stop_at_checkpoint(estimator, folder):
    trained = make(estimator, folder)
    hook = estimator.experimental.make_stop_at_checkpoint_step_hook(trained, 3)
    trained.train(input_fn, hooks=[hook], steps=6)
    return [type(hook).__name__, int(trained.get_variable_value("global_step"))]


def run(estimator, folder):
    return {
        "default": evaluated(estimator, os.path.join(folder, "default")),
        "named": evaluated(
            estimator, os.path.join(folder, "named"), True, name="x", steps=2, every_n_iter=4
        ),
        "errors": errors(estimator, os.path.join(folder, "errors")),
        "stop_at_checkpoint": stop_at_checkpoint(estimator, os.path.join(folder, "stop")),
    }
