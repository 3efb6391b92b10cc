"""A two-layer regression in v1 and in Keras, just large enough to show an optimizer's effect."""

import numpy as np
import tensorflow as tf

from modern.process.chosen_keras import keras, tf_variable

tf1 = tf.compat.v1

_RNG = np.random.default_rng(7)
X = _RNG.normal(size=(16, 4)).astype(np.float32)
Y = _RNG.normal(size=(16, 1)).astype(np.float32)


def _loss(kernel, bias, head):
    hidden = tf.nn.tanh(tf.matmul(X, kernel) + bias)
    return tf.reduce_mean(tf.square(tf.matmul(hidden, head) - Y))


def train_v1(make_optimizer, steps, output, start=None, partitions=None, scope=None):
    """Trains in a session, as an Estimator does, and saves with a Saver.

    Returns:
      The loss before each step.
    """
    with tf.Graph().as_default(), tf1.Session() as session:
        step = tf1.train.get_or_create_global_step()
        parts = tf1.fixed_size_partitioner(partitions) if partitions else None
        normal = tf1.random_normal_initializer(seed=1)
        with tf1.variable_scope("net"):
            kernel = tf1.get_variable(
                "hidden/kernel", (4, 3), initializer=normal, partitioner=parts
            )
            bias = tf1.get_variable("hidden/bias", (3,), initializer=normal)
            head = tf1.get_variable("head/kernel", (3, 1), initializer=normal)
        loss = _loss(tf1.convert_to_tensor(kernel), bias, head)
        with tf1.variable_scope(scope) if scope else tf.name_scope("train"):
            train = make_optimizer().minimize(loss, global_step=step)
        saver = tf1.train.Saver()
        session.run(tf1.global_variables_initializer())
        if start:
            saver.restore(session, start)
        losses = [session.run([loss, train])[0] for _ in range(steps)]
        saver.save(session, output)
    return losses


def build():
    """Builds the model of the Keras side, whose variables have other names."""
    first = keras.layers.Dense(3, "tanh", name="hidden")
    return keras.Sequential(
        [keras.Input((4,)), first, keras.layers.Dense(1, use_bias=False, name="head")]
    )


def train_keras(make_optimizer, steps, output, start=None):
    """Trains as `train_v1`, with a tf.train.Checkpoint of the model and the optimizer."""
    model, optimizer = build(), make_optimizer()
    variables = model.trainable_variables
    if hasattr(optimizer, "build"):
        optimizer.build(variables)
    else:
        optimizer.apply_gradients([(tf.zeros_like(v), v) for v in variables])
        optimizer.iterations.assign(0)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    if start:
        checkpoint.read(start).assert_existing_objects_matched()
    losses = []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(X) - Y))
        gradients = tape.gradient(loss, [tf_variable(variable) for variable in variables])
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        losses.append(loss.numpy())
    checkpoint.write(output)
    return losses
