"""Tests that updates of variables and their reads run in the order of the program."""

import types

import numpy as np
import pytest
import tensorflow as tf

from migrate.port.in_program import update_order

tf1 = tf.compat.v1


def waits_for(operation, other):
    """Returns whether an operation of a graph waits for another one."""
    stack, seen = [operation], {operation}
    while stack:
        here = stack.pop()
        if here is other:
            return True
        before = {*(tensor.op for tensor in here.inputs), *here.control_inputs} - seen
        seen |= before
        stack += before
    return False


@pytest.fixture(params=[False, True], ids=["reference", "resource"])
def weights(request):
    """Yields a function that creates a variable."""
    with tf.Graph().as_default():

        def create(name, value=1.0):
            return tf1.get_variable(name, initializer=np.float32(value), use_resource=request.param)

        yield create


def test_the_gradients_of_a_gan_read_the_weights_of_the_other_side_first(weights):
    d, g = weights("d"), weights("g")
    fake = tf.square(g) * d
    optimizers = [tf1.train.GradientDescentOptimizer(0.5) for _ in range(2)]
    d_step = optimizers[0].minimize(tf.square(fake - 1.0), var_list=[d])
    g_step = optimizers[1].minimize(-fake, var_list=[g])
    train_op = tf.group(d_step, g_step)
    # A resource variable is read once, before both steps.
    assert (update_order.order([train_op, fake]) > 0) == (d.op.type == "VariableV2")
    assert update_order.order([train_op, fake]) == 0
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        session.run(train_op)
        assert session.run([d, g]) == [1.0, 2.0]  # The gradient of g is 2 * g * d, with the old d.


def test_reads_stay_on_their_side_of_an_update(weights):
    weight = weights("w")
    before = tf.square(weight)
    update = tf1.assign(weight, 3.0)
    after = tf.multiply(weight, 2.0)
    assert update_order.order([tf.group(update, before, after)]) > 0
    reads = [tensor.op for tensor in after.op.inputs if tensor.op.type == "ReadVariableOp"]
    update_op = (
        update.op
        if hasattr(update, "op") and update.op.type == "Assign"
        else next(
            one
            for one in tf1.get_default_graph().get_operations()
            if one.type == "AssignVariableOp" and one.name != "w/Assign"
        )
    )
    assert waits_for(update_op, before.op) or waits_for(update_op, before.op.inputs[0].op)
    assert waits_for(reads[0] if reads else after.op, update_op)


def test_an_order_of_the_program_is_kept(weights):
    weight = weights("w")
    update = tf1.assign_add(weight, 1.0)
    with tf.control_dependencies([update]):
        loss = tf.square(weight.read_value())
    assert update_order.order([loss]) == 0


def test_two_updates_run_in_the_order_of_the_program(weights):
    weight = weights("w")
    updates = [tf1.assign_add(weight, 1.0).op, tf1.assign(weight, 5.0).op]
    step = tf.group(*updates)
    assert update_order.order([step]) == 1
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        for _ in range(3):
            session.run(step)
            assert session.run(weight) == 5.0


def test_a_read_that_the_step_does_not_run_is_not_added(weights):
    weight = weights("w")
    fed = tf1.placeholder(tf.float32, [])
    unused = weight * fed
    update = tf1.assign(weight, 3.0)
    assert update_order.order([tf.group(update)]) == 0
    assert not waits_for(update.op, unused.op)


def test_operations_of_a_loop_are_left_alone(weights):
    weight = weights("w")
    total = tf1.while_loop(lambda i: i < 3.0, lambda i: i + weight, [0.0])
    update = tf1.assign(weight, 3.0)
    update_order.order([tf.group(update, total)])
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        session.run([update, total])


@pytest.mark.parametrize(
    "name", ["legacy.estimator.estimator", "legacy.contrib.learn.estimators.estimator"]
)
def test_the_step_of_an_estimator_is_ordered_once_it_is_built(weights, name):
    weight, notes = weights("w"), []

    class Estimator:
        def _call_model_fn(self, features, labels, mode):
            regularization = tf.square(weight)
            step = tf.group(tf1.assign(weight, features), regularization)
            return types.SimpleNamespace(train_op=step, loss=regularization)

    patches = update_order.patches(lambda: notes.append("ordered"))
    patches[name](types.SimpleNamespace(Estimator=Estimator))
    spec = Estimator()._call_model_fn(3.0, None, "train")
    assert notes == ["ordered"]
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        assert session.run([spec.loss, spec.train_op])[0] == 1.0
