"""The hooks that TensorFlow has, in a training, an evaluation and a prediction."""

import logging
import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1


class Recorder(tf1.train.SessionRunHook):
    """Records the calls of its methods, with their arguments."""

    def __init__(self, calls, name):
        self._calls = calls
        self._name = name

    def begin(self):
        self._calls.append(self._name + " begin")

    def after_create_session(self, session, coord):
        self._calls.append(self._name + " after_create_session")

    def before_run(self, run_context):
        self._calls.append(self._name + " before_run")

    def after_run(self, run_context, run_values):
        self._calls.append(self._name + " after_run")

    def end(self, session):
        self._calls.append(self._name + " end")


class Listener(tf1.train.CheckpointSaverListener):
    """The same of a listener."""

    def __init__(self, calls):
        self._calls = calls

    def begin(self):
        self._calls.append("listener begin")

    def before_save(self, session, global_step_value):
        self._calls.append("listener before_save {}".format(global_step_value))

    def after_save(self, session, global_step_value):
        self._calls.append("listener after_save {}".format(global_step_value))

    def end(self, session, global_step_value):
        self._calls.append("listener end {}".format(global_step_value))


def input_fn(repeat=None):
    x = np.linspace(-1, 1, 16, dtype="float32").reshape(8, 2)
    y = x.sum(1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((x, y)).repeat(repeat).batch(2)


def make(estimator, folder, calls, **config):
    def model_fn(features, labels, mode):
        kernel = tf1.get_variable("kernel", [2, 1], initializer=tf1.ones_initializer())
        fed = tf1.placeholder_with_default(0.0, [], name="fed")
        predictions = tf.matmul(features, kernel) + fed
        spec = {"predictions": {"y": predictions}}
        if mode != "infer":
            loss = tf.reduce_mean(tf.square(predictions - labels), name="error")
            tf1.summary.scalar("fed", fed)
            optimizer = tf1.train.GradientDescentOptimizer(0.1)
            spec["loss"] = loss
            spec["train_op"] = optimizer.minimize(loss, tf1.train.get_global_step())
        return estimator.EstimatorSpec(
            mode,
            training_hooks=[Recorder(calls, "spec")],
            training_chief_hooks=[Recorder(calls, "chief")],
            evaluation_hooks=[Recorder(calls, "spec")],
            prediction_hooks=[Recorder(calls, "spec")],
            **spec,
        )

    config = estimator.RunConfig(
        model_dir=folder, tf_random_seed=1, session_config=facts.one_by_one(), **config
    )
    return estimator.Estimator(model_fn, config=config)


def order(estimator, folder):
    calls = []
    trained = make(estimator, folder, calls, save_checkpoints_steps=2)
    trained.train(
        input_fn, hooks=[Recorder(calls, "own")], steps=3, saving_listeners=[Listener(calls)]
    )
    calls.append("evaluate")
    trained.evaluate(input_fn, hooks=[Recorder(calls, "own")], steps=2)
    calls.append("predict")
    list(trained.predict(lambda: input_fn(1), hooks=[Recorder(calls, "own")]))
    return calls


class Lines(logging.Handler):
    """Collects the log lines."""

    def __init__(self):
        logging.Handler.__init__(self)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def all_hooks(estimator, folder):
    trained = make(estimator, folder, [], save_summary_steps=2, log_step_count_steps=2)
    lines, writer = Lines(), os.path.join(folder, "summaries")
    with tf.Graph().as_default():  # Outside of a graph its event file cannot be opened.
        profiler = estimator.ProfilerHook(save_steps=4, output_dir=os.path.join(folder, "profile"))
    hooks = [
        estimator.FeedFnHook(lambda: {"fed:0": 0.5}),
        estimator.NanTensorHook("error:0"),
        estimator.LoggingTensorHook(
            {"e": "error:0", "fed": "fed:0"},
            every_n_iter=2,
            at_end=True,
            formatter=lambda values: "VALUES %.4f %.4f" % (values["e"], values["fed"]),
        ),
        estimator.StepCounterHook(every_n_steps=2, output_dir=os.path.join(folder, "counter")),
        estimator.SummarySaverHook(
            save_steps=3, output_dir=writer, scaffold=tf1.train.Scaffold(summary_op="fed_1:0")
        ),
        profiler,
        estimator.GlobalStepWaiterHook(wait_until_step=0),
        estimator.StopAtStepHook(last_step=5),
    ]
    logger = logging.getLogger("tensorflow")
    verbosity = tf1.logging.get_verbosity()
    tf1.logging.set_verbosity("INFO")
    logger.addHandler(lines)
    trained.train(input_fn, hooks=hooks, steps=9)
    logger.removeHandler(lines)
    tf1.logging.set_verbosity(verbosity)
    final = estimator.FinalOpsHook("kernel/read:0" if _reads() else "kernel/Read/ReadVariableOp:0")
    trained.evaluate(input_fn, steps=1, hooks=[final])
    return {
        "lines": [line for line in lines.lines if line.startswith("VALUES")],
        "losses~": [line for line in lines.lines if line.startswith("loss")],
        "step": int(trained.get_variable_value("global_step")),
        "final": facts.plain(final.final_ops_values),
        "scalars": facts.scalars(folder),
        "summaries": facts.scalars(writer),
        "profiles": facts.files(os.path.join(folder, "profile")),
        "counter": facts.files(os.path.join(folder, "counter")),
    }


def _reads():
    """Whether variables are the old ones."""
    with tf.Graph().as_default():
        return not hasattr(tf1.get_variable("v", []), "handle")


def own_saver(estimator, folder):
    """A CheckpointSaverHook of the user's replaces the Estimator's, and gets the listeners."""
    calls = []
    trained = make(estimator, folder, [])
    hook = estimator.CheckpointSaverHook(folder, save_steps=3, checkpoint_basename="own.ckpt")
    trained.train(input_fn, hooks=[hook], steps=4, saving_listeners=[Listener(calls)])
    return {"calls": calls, "files": facts.files(folder)}


def nan(estimator, folder):
    trained = make(estimator, folder, [])
    hook = estimator.FeedFnHook(lambda: {"fed:0": float("nan")})
    return facts.error(trained.train, input_fn, hooks=[hook], steps=3)[0]


def by_hand(estimator, folder):
    """Returns the errors of the hooks."""
    found = {
        "timer": facts.error(estimator.SecondOrStepTimer, every_secs=1, every_steps=1),
        "stop": facts.error(estimator.StopAtStepHook, num_steps=1, last_step=1),
        "saver": facts.error(estimator.CheckpointSaverHook, folder, save_secs=1, save_steps=1),
        "summary": facts.error(estimator.SummarySaverHook, save_steps=1),
        "logging": facts.error(estimator.LoggingTensorHook, ["t"], every_n_iter=0),
    }
    return {name: error and error[0] for name, error in found.items()}


def input_state(estimator, folder):
    """The place in the input is saved, and a training goes on from there."""
    hook_type = getattr(tf.data.experimental, "CheckpointInputPipelineHook", None)
    if hook_type is None:
        from legacy.estimator.hooks import CheckpointInputPipelineHook as hook_type
    seen = []

    class See(tf1.train.SessionRunHook):
        def before_run(self, run_context):
            return tf1.train.SessionRunArgs("features:0")

        def after_run(self, run_context, run_values):
            seen.append(facts.plain(run_values.results))

    def model_fn(features, labels, mode):
        features = tf.identity(features, name="features")
        loss = tf.reduce_sum(tf1.get_variable("w", []) * tf.cast(features, tf.float32))
        step = tf1.train.get_global_step()
        train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    config = estimator.RunConfig(model_dir=folder, save_checkpoints_steps=2)
    trained = estimator.Estimator(model_fn, config=config)
    for _ in range(2):
        trained.train(
            lambda: tf.data.Dataset.range(100).batch(2), hooks=[See(), hook_type(trained)], steps=3
        )
    return {"seen": seen, "files": facts.files(folder)}


def run(estimator, folder):
    parts = (order, all_hooks, own_saver, nan, by_hand, input_state)
    return {part.__name__: part(estimator, os.path.join(folder, part.__name__)) for part in parts}
