"""A model, and experiments that only record their way, for the tests of Experiment."""

import tensorflow as tf

from legacy.contrib import learn


def model_fn(features, labels, mode):
    weight = tf.compat.v1.get_variable("weight", [])
    loss = tf.square(weight - labels)
    step = tf.compat.v1.train.get_global_step()
    return weight, loss, tf.compat.v1.assign_add(step, 1)


def input_fn():
    return tf.constant(1.0), tf.constant(1.0)


class Recorder(learn.Experiment):
    """Experiment whose methods only return their names."""

    def train(self, delay_secs=None):
        return "train"

    def train_and_evaluate(self):
        return "train_and_evaluate"

    def run_std_server(self):
        return "run_std_server"
