"""Estimator.train: steps, hooks and their order, losses, summaries, seeds, the global step."""

import os

import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def input_fn():
    return tf.data.Dataset.from_tensors(([1.0], [2.0])).repeat()


def short_input_fn():
    return tf.data.Dataset.from_tensors(([1.0], [2.0])).repeat(3)


def counting(estimator, **parts):
    """A model function that counts steps; `parts` are the spec's, or make it."""

    def model_fn(features, labels, mode):
        made = {key: value() if callable(value) else value for key, value in parts.items()}
        loss = made.pop("loss", None)
        if loss is None:
            loss = tf.constant(1.0)
        step = tf1.train.get_global_step()
        train_op = made.pop("train_op", None)
        if train_op is None:
            with tf.control_dependencies([features]):  # Or the input would never end.
                train_op = tf1.assign_add(step, 1)
        return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, **made)

    return model_fn


class Noting(tf1.train.SessionRunHook):
    """Writes down when it is called, in a list that several share."""

    def __init__(self, name, notes):
        self.name, self.notes = name, notes

    def begin(self):
        self.notes.append("begin " + self.name)

    def after_create_session(self, session, coord):
        self.notes.append("session " + self.name)

    def before_run(self, run_context):
        self.notes.append("before " + self.name)

    def after_run(self, run_context, run_values):
        self.notes.append("after " + self.name)

    def end(self, session):
        self.notes.append("end " + self.name)


class Listener(tf1.train.CheckpointSaverListener):
    def __init__(self, notes, stop_at=None):
        self.notes, self.stop_at = notes, stop_at

    def begin(self):
        self.notes.append("begin")

    def before_save(self, session, step):
        self.notes.append(["before", int(step)])

    def after_save(self, session, step):
        self.notes.append(["after", int(step)])
        return step == self.stop_at

    def end(self, session, step):
        self.notes.append(["end", int(step)])


def kind(call, *args, **kwargs):
    raised = facts.error(call, *args, **kwargs)
    return None if raised is None else {"type": raised[0], "text~": raised[1][:200]}


def checkpoints(folder):
    state = tf.train.get_checkpoint_state(folder)
    if state is None:
        return None
    return [os.path.basename(path) for path in state.all_model_checkpoint_paths]


def run(estimator, folder):
    def new(name, model_fn=None, **settings):
        config = estimator.RunConfig(os.path.join(folder, name), **settings)
        return estimator.Estimator(model_fn or counting(estimator), config=config)

    return {
        "steps": steps(estimator, new),
        "order": order(estimator, new),
        "losses": losses(estimator, new),
        "graph": graphs(estimator, new),
        "global step": global_steps(estimator, new),
    }


def steps(estimator, new):
    one = new("steps")
    notes = []
    found = {"returns self": one.train(input_fn, steps=5) is one}

    def reached():
        return int(one.get_variable_value("global_step"))

    found["5"] = reached()
    one.train(input_fn, steps=5)
    found["5+5"] = reached()
    one.train(input_fn, max_steps=12)
    found["max 12"] = reached()
    one.train(input_fn, max_steps=12, hooks=[Noting("a", notes)])
    one.train(input_fn, max_steps=3, hooks=["not checked"])
    found["skipped"] = [reached(), notes]
    one.train(short_input_fn)
    found["input ends"] = reached()
    one.train(lambda: short_input_fn().take(0))
    found["empty"] = reached()
    found["errors"] = {
        str(sorted(arguments.items())): kind(one.train, input_fn, **arguments)
        for arguments in (
            {"steps": 0},
            {"steps": -1},
            {"max_steps": 0},
            {"max_steps": -1},
            {"steps": 1, "max_steps": 20},
            {"hooks": ["a"]},
            {"hooks": 5},
            {"saving_listeners": ["a"]},
            {"saving_listeners": [5]},
        )
    }
    found["files"] = facts.files(one.model_dir)
    return found


def order(estimator, new):
    notes = []
    model_fn = counting(
        estimator,
        training_chief_hooks=lambda: [Noting("chief", notes)],
        training_hooks=lambda: [Noting("training", notes)],
        evaluation_hooks=lambda: [Noting("evaluation", notes)],
    )
    new("order", model_fn).train(input_fn, hooks=[Noting("user", notes)], steps=2)
    return notes


def losses(estimator, new):
    found = {}

    def losses_input_fn():
        return tf.data.Dataset.from_tensor_slices([1.0, 2.0, float("nan"), 4.0, 5.0])

    def loss_is_feature(features, mode):
        return counting(estimator, loss=lambda: features)(features, None, mode)

    notes = []
    one = new("nan", loss_is_feature)
    found["nan"] = kind(one.train, losses_input_fn, hooks=[Noting("a", notes)])
    found["nan notes"] = notes
    found["nan saved"] = checkpoints(one.model_dir)
    for name, shape in (("vector", [1]), ("matrix", [1, 1])):
        model_fn = counting(estimator, loss=lambda shape=shape: tf.reshape(tf.constant(2.5), shape))
        other = new(name, model_fn, save_summary_steps=1)
        other.train(input_fn, steps=2)
        found[name] = facts.scalars(other.model_dir)

    def with_summaries(features, labels, mode):
        tf1.summary.scalar("own", 4.0)
        tf1.summary.scalar("loss", 8.0)
        return counting(estimator)(features, labels, mode)

    summed = new(
        "summaries",
        with_summaries,
        save_summary_steps=2,
        log_step_count_steps=2,
        session_config=facts.one_by_one(),
    )
    summed.train(input_fn, steps=5)
    found["summaries"] = facts.scalars(summed.model_dir)
    none = new("no summaries", save_summary_steps=0, log_step_count_steps=None)
    none.train(input_fn, steps=3)
    found["no summaries"] = facts.scalars(none.model_dir)
    return found


def graphs(estimator, new):
    seen = {}

    def model_fn(features, labels, mode):
        graph = tf1.get_default_graph()
        seen["seed"] = graph.seed
        seen["features"] = [features.device, features.op.type]
        seen["finalized"] = graph.finalized
        seen["eager"] = tf.executing_eagerly()
        seen["global step"] = tf1.train.get_global_step().op.name
        seen["operations"] = len(graph.get_operations()) > 0
        seen["random"] = tf.random.uniform([], dtype=tf.float32)
        return counting(estimator)(features, labels, mode)

    values = []

    class Values(tf1.train.SessionRunHook):
        def before_run(self, run_context):
            return tf1.train.SessionRunArgs(seen["random"])

        def after_run(self, run_context, run_values):
            values.append(float(run_values.results))
            seen["losses"] = len(tf1.get_collection(tf1.GraphKeys.LOSSES))
            seen["saver"] = [len(tf1.get_collection(tf1.GraphKeys.SAVERS))]

    new("graph", model_fn, tf_random_seed=17).train(input_fn, steps=3, hooks=[Values()])
    del seen["random"]
    del seen["features"][0]
    return [seen, values]


def global_steps(estimator, new):
    found = {}
    by_two = new(
        "by two",
        counting(estimator, train_op=lambda: tf1.assign_add(tf1.train.get_global_step(), 2)),
    )
    by_two.train(input_fn, steps=5)
    found["by two"] = int(by_two.get_variable_value("global_step"))
    notes = []
    still = new(
        "still",
        lambda features, mode: estimator.EstimatorSpec(
            mode, loss=tf.constant(1.0), train_op=tf.identity(features)
        ),
    )
    still.train(lambda: short_input_fn().map(lambda x, y: x), steps=2, hooks=[Noting("a", notes)])
    found["still"] = [int(still.get_variable_value("global_step")), notes.count("after a")]

    class Own(estimator.Estimator):
        def _create_and_assert_global_step(self, graph):
            return None

    def makes_it(features, labels, mode):
        tf1.train.get_or_create_global_step()
        return counting(estimator)(features, labels, mode)

    own = Own(makes_it, os.path.join(os.path.dirname(still.model_dir), "own"))
    own.train(input_fn, steps=2)
    found["own"] = int(own.get_variable_value("global_step"))
    without = Own(
        lambda features: estimator.EstimatorSpec(
            "train", loss=tf.constant(1.0), train_op=tf.no_op()
        ),
        os.path.join(os.path.dirname(still.model_dir), "without"),
    )
    found["without~"] = kind(without.train, lambda: tf.constant(1.0), steps=2)
    return found
