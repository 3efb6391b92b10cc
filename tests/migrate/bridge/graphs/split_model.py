"""Trains a model_fn with a partitioner on two parameter servers, and by an Estimator. A program.

    python -m tests.migrate.bridge.graphs.split_model AdamOptimizer

The argument is the name of an optimizer of tf.compat.v1.train or of tf.contrib.opt, which Keras may
lack. Prints as JSON the final values of both, by their names in the checkpoints, and the devices of
the bridge's variables. The strategy's own partitioner would split each part again.
"""

import json
import sys

import tensorflow as tf

from legacy import estimator as tf_estimator
from legacy.contrib import opt
from modern.process import cli, frame_memory
from tests.migrate.bridge import small, trained_twice
from tests.modern import in_process_cluster

tf1 = tf.compat.v1


def model_fn(features, labels, mode):
    with tf1.variable_scope("split", partitioner=tf1.fixed_size_partitioner(2)):
        outputs = small.model(features)
    loss = tf1.losses.mean_squared_error(labels, outputs)
    optimizer = getattr(tf1.train, sys.argv[1], None) or getattr(opt, sys.argv[1])
    train_op = optimizer(0.1).minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main():
    resolver, servers = in_process_cluster.served(ps=2)
    partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(1, max_shards=2)
    strategy = tf.distribute.ParameterServerStrategy(resolver, partitioner)
    model, found, expected = trained_twice.on_servers(strategy, model_fn, small.endless)
    devices = {name: part.device for name, part in model.variables_by_name.items()}
    print(json.dumps([found, expected, devices]), flush=True)
    del servers  # A deleted server stops.


if __name__ == "__main__":
    frame_memory.with_room(main)()
    cli.exit_at_once(0)  # The parameter servers never stop by themselves.
