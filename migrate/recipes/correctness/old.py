"""Computes the values to compare with a port, step by step, from known weights."""

import tempfile

import numpy as np
import tensorflow as tf

LEARNING_RATE, PENALTY = 0.01, 1e-2
SHAPES = {
    "hidden/kernel": (4, 6),
    "norm/gamma": (6,),
    "norm/beta": (6,),
    "norm/moving_mean": (6,),
    "norm/moving_variance": (6,),
    "logits/kernel": (6, 3),
    "logits/bias": (3,),
}


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(16, 4)).astype(np.float32)
    return x, x[:, :3].argmax(axis=1)


def known_weights(name):
    """Returns weights that are positive, as variances must be, and all different, to show swaps."""
    seed = sorted(SHAPES).index(name)
    return np.random.RandomState(seed).uniform(0.2, 1.0, SHAPES[name]).astype(np.float32)


def network(features, training):
    net = tf.layers.dense(
        features,
        6,
        use_bias=False,  # the norm cancels a bias, whose gradient would be rounding errors
        kernel_regularizer=tf.contrib.layers.l2_regularizer(PENALTY),
        name="hidden",
    )
    net = tf.layers.batch_normalization(net, training=training, name="norm")
    return tf.layers.dense(tf.nn.relu(net), 3, name="logits")


def main(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        features, labels = (tf.constant(array) for array in make_data())
        with tf.variable_scope(""):
            evaluated = network(features, training=False)
        with tf.variable_scope("", reuse=True):
            trained = network(features, training=True)
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, trained)
        # The network is built twice in this graph, so its penalty is collected twice.
        loss += tf.losses.get_regularization_losses()[0]
        gradients = tf.gradients(loss, tf.trainable_variables())
        optimizer = tf.train.AdamOptimizer(LEARNING_RATE)
        with tf.control_dependencies(updates + gradients):
            step = optimizer.apply_gradients(zip(gradients, tf.trainable_variables()))
        session.run(tf.global_variables_initializer())
        variables = {v.op.name: v for v in tf.global_variables() if v.op.name in SHAPES}
        for name, variable in variables.items():
            variable.load(known_weights(name), session)
        found = {
            "parameters": {name: v.shape.num_elements() for name, v in variables.items()},
            "outputs": session.run(evaluated).tolist(),
            "loss": float(session.run(loss)),
            "gradients": [gradient.tolist() for gradient in session.run(gradients)],
        }
        session.run(step)
        found["after"] = {name: session.run(v).tolist() for name, v in variables.items()}
        return found


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
