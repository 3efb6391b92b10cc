"""Reads data in several calls of `fit` as the coordinator of one worker. A program.

    python -m tests.modern.training.data.resumed_on_workers

Prints as JSON, for each kind of data, the numbers that each call of `fit` has read, and those of a
call in between whose data are not resumable.
"""

import json

import tensorflow as tf
import tf_keras

from modern.process import cli
from modern.training.data import resumable
from modern.training.strategies import OnEachWorker, OwnShare
from tests.modern import in_process_cluster


class Summing(tf_keras.Model):
    """A model whose step adds the number that it reads to `total`."""

    def __init__(self):
        super().__init__()
        self.total = tf.Variable(0, dtype=tf.int64, trainable=False)

    def train_step(self, data):
        self.total.assign_add(data)
        return {}


def numbers(start):
    return tf.data.Dataset.counter(start)


def read(model, data, steps):
    """Returns the sum of the numbers that a call of `fit` reads."""
    model.total.assign(0)
    model.fit(data, steps_per_epoch=steps, verbose=0)
    return int(model.total)


def main():
    resolver, servers = in_process_cluster.served()
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    kinds = {
        "several devices": OnEachWorker(lambda: numbers(0)),
        "own share": OwnShare(lambda: numbers(0)),
        "distributed": strategy.experimental_distribute_dataset(numbers(0)),
    }
    found = {}
    for kind, kept in kinds.items():
        with strategy.scope():
            model = Summing()
        model.compile()
        with resumable.resumable(kept, strategy) as data:
            first = read(model, data, 3)
            other = read(model, OwnShare(lambda: numbers(100)), 2)
            found[kind] = [first, other, read(model, data, 2)]
    print(json.dumps(found), flush=True)
    del servers  # A deleted server stops.


if __name__ == "__main__":
    main()
    cli.exit_at_once(0)  # The parameter server never stops by itself.
