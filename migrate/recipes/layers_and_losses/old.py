"""Layers of tf.layers and tf.contrib.layers, and the losses of tf.losses."""

import tempfile

import numpy as np
import tensorflow as tf

KERNEL = np.linspace(-0.5, 0.5, 3 * 3 * 2 * 4).reshape(3, 3, 2, 4).astype(np.float32)
UNITS = np.linspace(-9, 9, 20).reshape(4, 5).astype(np.float32)


def make_data():
    random = np.random.RandomState(0)
    return random.normal(size=(6, 8, 8, 2)).astype(np.float32)


def make_scores():
    random = np.random.RandomState(1)
    scores = random.normal(size=(6, 3)).astype(np.float32)
    return scores, scores.argmax(axis=1), np.array([1, 1, 0, 2, 0, 1], np.float32)


def layers():
    """Runs each layer once in training mode. Returns outputs and moving averages."""
    with tf.Graph().as_default(), tf.Session() as session:
        images = tf.constant(make_data())
        kernel = tf.constant_initializer(KERNEL)
        net = tf.layers.conv2d(images, 4, 3, padding="same", kernel_initializer=kernel)
        net = tf.layers.batch_normalization(net, training=True, name="norm")
        net = tf.layers.max_pooling2d(net, 2, 2)
        net = tf.reduce_mean(net, axis=[1, 2])
        dense = tf.contrib.layers.fully_connected(
            net,
            5,
            weights_initializer=tf.constant_initializer(UNITS),
            weights_regularizer=tf.contrib.layers.l2_regularizer(0.1),
        )
        normed = tf.contrib.layers.batch_norm(dense, is_training=True, scope="contrib_norm")
        dropped = tf.nn.dropout(tf.ones([1000, 10]), keep_prob=0.8, seed=1)
        session.run(tf.global_variables_initializer())
        session.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        remembered = {v.op.name: v for v in tf.global_variables() if "moving" in v.op.name}
        return {
            "dense": session.run(dense).tolist(),
            "normed": session.run(normed).tolist(),
            "penalty": float(session.run(tf.losses.get_regularization_loss())),
            "remembered": [v.ravel().tolist() for _, v in sorted(session.run(remembered).items())],
            "contrib_norm_learns": len(tf.trainable_variables("contrib_norm")),
            "dropped": round(float((session.run(dropped) == 0).mean()), 1),
        }


def losses():
    scores, classes, weights = make_scores()
    one_hot = np.eye(3, dtype=np.float32)[classes]
    with tf.Graph().as_default(), tf.Session() as session:
        tf.losses.sparse_softmax_cross_entropy(classes, scores)
        tf.losses.sparse_softmax_cross_entropy(classes, scores, weights)
        tf.losses.softmax_cross_entropy(one_hot, scores, label_smoothing=0.1)
        tf.losses.sigmoid_cross_entropy(one_hot, scores)
        tf.losses.mean_squared_error(one_hot, scores)
        tf.losses.huber_loss(one_hot, scores, delta=0.5)
        tf.losses.absolute_difference(one_hot, scores, weights[:, np.newaxis])
        return [float(loss) for loss in session.run(tf.losses.get_losses())]


def main(folder):
    return dict(layers(), losses=losses())


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
