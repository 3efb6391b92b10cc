"""Tests that SessionRunHooks of a program see the same in a bridged training as in an Estimator."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge import as_estimator
from migrate.bridge.jobs.job import CountingModelFn
from tests.migrate.bridge import small

LOSS = "mean_squared_error/value:0"


class Watch(tf.train.SessionRunHook):
    """Records its calls and results. Fetches the loss twice as often as the norm."""

    def __init__(self, stop_at=None):
        self.stop_at, self.seen, self.calls = stop_at, [], []

    def begin(self):
        self.calls.append("begin")
        self.loss = tf.get_default_graph().get_tensor_by_name(LOSS)
        self.step = tf.train.get_global_step()

    def after_create_session(self, session, coord):
        self.calls.append(int(session.run(self.step)))

    def before_run(self, run_context):
        if len(self.seen) == 0:
            return None
        if len(self.seen) % 2:
            return tf.train.SessionRunArgs(self.loss)
        return tf.train.SessionRunArgs({"step": self.step, "norm": ("norm:0", "norm"), "a": LOSS})

    def after_run(self, run_context, run_values):
        step = int(run_context.session.run({"now": self.step})["now"])
        self.seen.append((step, run_values.results))
        if step == self.stop_at:
            run_context.request_stop()

    def end(self, session):
        self.calls.append(("end", int(session.run(self.step))))


class AtEnd(tf.train.SessionRunHook):
    """Fetches a variable by its name, and fetches the last loss again at the end."""

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(["global_step:0", "dense/kernel:0", LOSS])

    def after_run(self, run_context, run_values):
        self.step, self.kernel, self.loss = run_values.results

    def end(self, session):
        self.last = session.run([LOSS, "dense/kernel:0"])


class Of(tf.train.SessionRunHook):
    """Hook that a model_fn creates with one of its tensors."""

    seen = []

    def __init__(self, tensor):
        self.tensor = tensor

    def before_run(self, run_context):
        return tf.train.SessionRunArgs([self.tensor])

    def after_run(self, run_context, run_values):
        self.seen.append(run_values.results[0])


def model_fn(features, labels, mode):
    outputs = small.model(features)
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    pairs = optimizer.compute_gradients(loss)
    tf.identity(tf.linalg.global_norm([gradient for gradient, _ in pairs]), name="norm")
    train_op = optimizer.apply_gradients(pairs, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, training_hooks=[Of(loss * 2)]
    )


def bridged(hooks, steps):
    model = bridge.KerasModelFn(model_fn)
    for count in steps:
        data = small.endless().take(count)
        model.fit(data, callbacks=as_estimator.run_hooks(hooks), verbose=0)


def as_it_was(hooks, steps):
    estimator = tf_estimator.Estimator(model_fn)
    tf.disable_resource_variables()  # As in TensorFlow 1.
    try:
        for count in steps:
            estimator.train(small.endless, hooks=hooks, steps=count)
    finally:
        tf.enable_resource_variables()


def watched(train):
    Of.seen = []
    hook = Watch(stop_at=7)
    train([hook], [5, 5, 2])
    return hook.calls, hook.seen, Of.seen


def test_hooks_see_what_they_saw():
    calls, seen, of_spec = watched(bridged)
    calls_before, seen_before, of_spec_before = watched(as_it_was)
    assert calls == calls_before
    assert calls == ["begin", 0, ("end", 5), "begin", 5, ("end", 7), "begin", 7, ("end", 9)]
    np.testing.assert_allclose(of_spec, of_spec_before, rtol=1e-5)
    assert [step for step, _ in seen] == [step for step, _ in seen_before] == [*range(1, 10)]
    for (_, found), (_, expected) in zip(seen, seen_before, strict=True):
        tf.nest.assert_same_structure(found, expected)
        for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-5)
    assert seen[2][1]["step"] == 3


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.compat.v2.distribute.MirroredStrategy(["CPU:0"]),
        lambda: tf.compat.v2.distribute.OneDeviceStrategy("CPU:0"),
    ],
)
def test_one_replica_of_a_strategy_shows_the_same(make):
    def trained(strategy):
        hook = Watch()
        with strategy.scope():
            model = bridge.KerasModelFn(model_fn)
        model.fit(small.input_fn(), callbacks=as_estimator.run_hooks([hook]), verbose=0)
        return hook

    found, expected = trained(make()), trained(tf.distribute.get_strategy())
    assert found.calls == expected.calls == ["begin", 0, ("end", 4)]
    np.testing.assert_allclose(found.seen[1][1], expected.seen[1][1], rtol=1e-5)
    assert found.seen[2][1]["norm"][0] == pytest.approx(expected.seen[2][1]["norm"][0], rel=1e-5)


def test_a_training_without_hooks_serves_none():
    Of.seen = []
    model = bridge.KerasModelFn(small.model_fn, {})
    hook = Watch()
    hook.before_run = lambda context: None
    model.fit(small.input_fn(), callbacks=as_estimator.run_hooks([hook]), verbose=0)
    model.fit(small.input_fn(), verbose=0)
    assert len(hook.seen) == 4


def test_logging_hooks_of_a_training_log(caplog):
    tf.get_logger().propagate = True
    hooks = [
        tf.train.LoggingTensorHook({"twice": LOSS}, every_n_iter=2),
        tf.train.StopAtStepHook(num_steps=3),
        tf.train.SummarySaverHook(save_steps=1, scaffold=tf.train.Scaffold()),
    ]
    with caplog.at_level("INFO", "tensorflow"):
        model = bridge.KerasModelFn(small.model_fn, {})
        model.fit(small.input_fn(), callbacks=as_estimator.run_hooks(hooks), verbose=0)
    assert sum(r.getMessage().startswith("twice = ") for r in caplog.records) == 2
    assert int(model.global_step) == 3


def test_migrate_train_runs_none_of_a_model_fns_own():
    model = CountingModelFn(model_fn)
    with pytest.raises(
        bridge.BridgeError, match="Of. They do not run.*many steps in one graph call"
    ):
        model.build_on(small.input_fn())


def test_names_of_variables_are_known_and_the_session_what_was_last():
    hook, model = AtEnd(), bridge.KerasModelFn(small.model_fn, {})
    model.fit(small.input_fn(), callbacks=as_estimator.run_hooks([hook]), verbose=0)
    np.testing.assert_array_equal(hook.kernel, model.variables_by_name["dense/kernel"])
    assert hook.last[0] == hook.loss
    np.testing.assert_array_equal(hook.last[1], hook.kernel)


class Graph(tf.train.SessionRunHook):
    """Reads the graph in each method. Fetches its own tensor at every third step."""

    def __init__(self):
        self.seen, self.twice, self.order = [], [], []

    def begin(self):
        self.order.append("begin")
        loss = tf.get_default_graph().get_tensor_by_name(LOSS)
        self.tensors = {"twice": loss * 2}
        self.names = [variable.op.name for variable in tf.trainable_variables()]

    def after_create_session(self, session, coord):
        self.order.append("session")
        assert session.graph is tf.get_default_graph()

    def before_run(self, run_context):
        self.step = tf.train.get_or_create_global_step()
        assert self.step.op.name == "global_step"
        run_context.session.graph.get_tensor_by_name(LOSS)
        due = int(run_context.session.run("global_step:0")) % 3 == 0
        return tf.train.SessionRunArgs(self.tensors) if due else None

    def after_run(self, run_context, run_values):
        assert tf.get_collection(tf.GraphKeys.LOSSES)
        self.seen.append(int(run_context.session.run(self.step)))
        if run_values.results:
            self.twice.append(run_values.results["twice"])

    def end(self, session):
        self.at_end = len(tf.trainable_variables())


def test_hooks_have_the_graph_around_them():
    one, other = Graph(), Graph()
    other.order = one.order
    model = bridge.KerasModelFn(small.model_fn, {})
    hooks = as_estimator.run_hooks(hook for hook in (one, other))
    history = model.fit(small.input_fn(), callbacks=hooks, verbose=0, epochs=4).history
    assert one.order == ["begin", "begin", "session", "session"]
    assert one.seen == [*range(1, 17)]
    assert one.names == ["dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"]
    assert one.at_end == len(one.names) == 4
    assert len(one.twice) == 6
    assert one.twice == other.twice
    assert np.mean(history["loss"]) < one.twice[0]  # Twice the first loss.


class Counter(tf.train.StepCounterHook):
    pass


class Stop(tf.train.StopAtStepHook):
    pass


def test_subclasses_of_tensorflows_own_end_a_training_on_endless_data(tmp_path):
    hooks = [Counter(2, output_dir=str(tmp_path)), Stop(num_steps=5)]
    model = bridge.KerasModelFn(small.model_fn, {})
    model.fit(small.endless(), callbacks=as_estimator.run_hooks(hooks), verbose=0)
    assert int(model.global_step) == 5
    model.fit(small.endless(), callbacks=as_estimator.run_hooks([Watch(stop_at=7)]), verbose=0)
    assert int(model.global_step) == 7


def assigns(self):
    variable = tf.trainable_variables()[0]
    self.reset = tf.assign(variable, tf.zeros_like(variable))


def restores(self):
    self.saver = tf.train.Saver(tf.trainable_variables())


@pytest.mark.parametrize(("begin", "kind"), [(assigns, "AssignVariableOp"), (restores, "SaveV2")])
def test_operations_of_hooks_that_write_are_refused(begin, kind):
    hook, found = Watch(), Watch.begin
    hook.begin = lambda: (found(hook), begin(hook))
    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match=rf"Watch makes .*\({kind}\).*with each step"):
        model.fit(small.input_fn(), callbacks=as_estimator.run_hooks([hook]), verbose=0)


@pytest.mark.parametrize("options", [{"steps_per_execution": 2}, {"jit_compile": True}])
def test_steps_that_are_not_single_are_refused(options):
    model = bridge.KerasModelFn(small.model_fn, {})
    model.compile(**options)
    with pytest.raises(bridge.BridgeError, match=f"do not run here, as {[*options][0]}"):
        model.fit(small.input_fn(), callbacks=as_estimator.run_hooks([Watch()]), verbose=0)


class Bad(tf.train.SessionRunHook):
    def __init__(self, asked, run=None):
        self.asked, self.run = asked, run

    def before_run(self, run_context):
        return self.asked()

    def after_run(self, run_context, run_values):
        run_context.session.run(self.run)


def args(fetches, **feeds):
    return lambda: tf.train.SessionRunArgs(fetches, **feeds)


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        (Bad(args(None, feed_dict={"x": 1})), "Bad feeds the step"),
        (Bad(args("nothing:0")), "Bad fetches 'nothing:0', which is not in the step"),
        (Bad(args(3)), "Bad fetches 3: it can fetch"),
        (Bad(args(None), LOSS), f"Bad runs {LOSS} in its session.*session_run_hook"),
        (Bad(args(None), [object()]), "Bad runs .*object.* in its session"),
    ],
)
def test_what_hooks_cannot_do_is_said(hook, message):
    model = bridge.KerasModelFn(small.model_fn, {})
    with pytest.raises(bridge.BridgeError, match=message):
        model.fit(small.input_fn(), callbacks=as_estimator.run_hooks([hook]), verbose=0)
