"""Test of the network of TensorFlow 1's MNIST tutorial."""

import numpy as np
import tensorflow as tf

from legacy.private_api import mnist_tutorial as mnist

tf1 = tf.compat.v1


def test_the_network_learns_its_batch():
    images = np.random.RandomState(0).uniform(size=(5, 784)).astype("float32")
    labels = np.arange(5, dtype=np.int32)
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        logits = mnist.inference(tf.constant(images), 16, 8)
        loss = mnist.loss(logits, tf.constant(labels))
        step = mnist.training(loss, 0.1)
        correct = mnist.evaluation(logits, tf.constant(labels))
        session.run(tf1.global_variables_initializer())
        found = session.run([logits, loss, correct])
        chances = np.exp(found[0]) / np.exp(found[0]).sum(1, keepdims=True)
        np.testing.assert_allclose(found[1], -np.log(chances[labels, labels]).mean(), rtol=1e-5)
        assert found[2] == (found[0].argmax(1) == labels).sum()
        for _ in range(30):
            session.run(step)
        (counter,) = (v for v in tf1.global_variables() if v.op.name == "global_step")
        assert session.run(counter) == 30
        assert session.run(loss) < found[1] / 2
