"""A model_fn of its own with arrays in memory: flags, tf.app.run, hooks, checkpoints, predict."""

import itertools
import json
import logging

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("model_dir", None, "Where the model goes.")
flags.DEFINE_float("learning_rate", 0.05, "The learning rate.")
flags.DEFINE_list("units", ["4", "3"], "Hidden units.")
FLAGS = flags.FLAGS

COLUMNS = ["length", "width", "height"]
DATA = np.random.RandomState(0).rand(48, 3).astype(np.float32)
AGES = (DATA.sum(axis=1) * 2).astype(np.float32)


class StepLog(logging.Handler):
    """Keeps the steps that were logged."""

    def __init__(self):
        logging.Handler.__init__(self)
        self.steps = []

    def emit(self, record):
        text = record.getMessage()
        if text.startswith("loss = "):
            self.steps.append(text.split("step = ")[1].split(" ")[0])


class Watch(tf.train.SessionRunHook):
    """Feeds the rate of dropout, and stops the training at a step."""

    def __init__(self, last):
        self.last, self.seen = last, []

    def before_run(self, run_context):
        step = tf.train.get_global_step()
        return tf.train.SessionRunArgs([step], feed_dict={"keep:0": 1.0})

    def after_run(self, run_context, run_values):
        self.seen.append(int(run_values.results[0]))
        if self.seen[-1] >= self.last:
            run_context.request_stop()

    def end(self, session):
        self.seen.append("end")


class Listener(tf.train.CheckpointSaverListener):
    """Records the saves."""

    def __init__(self):
        self.calls = []

    def before_save(self, session, global_step_value):
        self.calls.append(["before", int(global_step_value)])

    def after_save(self, session, global_step_value):
        self.calls.append(["after", int(global_step_value)])


def model_fn(features, labels, mode, params):
    net = tf.stack([features[name] for name in COLUMNS], axis=1)
    keep = tf.placeholder_with_default(0.9 if mode == "train" else 1.0, [], name="keep")
    for units in params.units:
        start = tf.constant_initializer(0.3)
        net = tf.layers.dense(net, units, activation=tf.nn.relu, kernel_initializer=start)
    net = tf.nn.dropout(net, keep_prob=keep)
    age = tf.layers.dense(net, 1, kernel_initializer=tf.ones_initializer(), name="age")[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"age": age})
    loss = tf.losses.mean_squared_error(labels, age)
    rate = tf.train.exponential_decay(params.rate, tf.train.get_global_step(), 4, 0.5, True)
    train_op = tf.contrib.layers.optimize_loss(
        loss,
        tf.train.get_global_step(),
        rate,
        "Momentum" if params.momentum is None else params.momentum,
    )
    metrics = {"rmse": tf.metrics.root_mean_squared_error(labels, age)}
    return tf.estimator.EstimatorSpec(mode, None, loss, train_op, metrics)


def input_fn(epochs):
    features = {name: DATA[:, i] for i, name in enumerate(COLUMNS)}
    return tf.estimator.inputs.numpy_input_fn(
        features, AGES, batch_size=8, num_epochs=epochs, shuffle=False
    )


def main(argv):
    handler = StepLog()
    logger = logging.getLogger("tensorflow")
    level = logger.level
    logger.addHandler(handler)
    tf.logging.set_verbosity(tf.logging.INFO)
    params = tf.contrib.training.HParams(rate=FLAGS.learning_rate, momentum=None, units=[9])
    params.parse("units=[{}]".format(",".join(FLAGS.units)))
    params.momentum = lambda rate: tf.train.MomentumOptimizer(rate, 0.5)
    config = tf.estimator.RunConfig(
        FLAGS.model_dir, save_checkpoints_steps=3, log_step_count_steps=2, save_summary_steps=2
    )
    estimator = tf.estimator.Estimator(model_fn, params=params, config=config)
    watch, listener = Watch(7), Listener()
    estimator.train(input_fn(None), hooks=[watch], max_steps=20, saving_listeners=[listener])
    results = estimator.evaluate(input_fn(1), name="all")
    print(json.dumps({name: float(value) for name, value in results.items()}))
    predictions = itertools.islice(estimator.predict(input_fn(1)), 3)
    ages = [float(prediction["age"]) for prediction in predictions]
    print(json.dumps([ages, watch.seen, listener.calls, handler.steps]))
    asked = {name: FLAGS.__flags[name].value for name in ("model_dir", "units")}
    print(json.dumps([asked, len(argv), sorted(estimator.get_variable_names())]))
    print(json.dumps("{}".format({"age": np.float32(0.5)})))
    logger.removeHandler(handler)
    logger.setLevel(level)
    return 3


if __name__ == "__main__":
    tf.app.run()
