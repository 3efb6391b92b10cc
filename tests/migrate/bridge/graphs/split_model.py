"""Trains a model_fn with a partitioner on two parameter servers, and by an Estimator. A program.

    python -m tests.migrate.bridge.graphs.split_model AdamOptimizer

The argument is the name of an optimizer of tf.compat.v1.train or of tf.contrib.opt, which Keras may
lack. Prints as JSON the final values of both, by their names in the checkpoints, and the devices of
the bridge's variables. The strategy's own partitioner would split each part again.
"""

import json
import sys
import tempfile
import warnings

from modern.process import cli, frame_memory, quiet_import

warnings.simplefilter("ignore")
quiet_import.import_tensorflow()

import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402

from legacy import estimator as tf_estimator  # noqa: E402
from legacy.contrib import opt  # noqa: E402
from migrate import bridge  # noqa: E402
from modern.cluster import ports  # noqa: E402
from tests.migrate.bridge import small  # noqa: E402

STEPS = 3
tf1 = tf.compat.v1


def model_fn(features, labels, mode):
    with tf1.variable_scope("split", partitioner=tf1.fixed_size_partitioner(2)):
        outputs = small.model(features)
    loss = tf1.losses.mean_squared_error(labels, outputs)
    optimizer = getattr(tf1.train, sys.argv[1], None) or getattr(opt, sys.argv[1])
    train_op = optimizer(0.1).minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def values(folder):
    reader = tf.train.load_checkpoint(folder)
    return {name: reader.get_tensor(name).tolist() for name in reader.get_variable_to_shape_map()}


def main():
    addresses = [f"localhost:{port}" for port in ports.free_ports(3)]
    cluster = tf.train.ClusterSpec({"worker": addresses[:1], "ps": addresses[1:]})
    tasks = [("worker", 0), ("ps", 0), ("ps", 1)]
    servers = [tf.distribute.Server(cluster, *task) for task in tasks]
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(1, max_shards=2)
    strategy = tf.distribute.ParameterServerStrategy(resolver, partitioner)
    with strategy.scope():
        model = bridge.KerasModelFn(model_fn)
    data = tf_keras.utils.experimental.DatasetCreator(lambda _: small.endless())
    model.fit(data, steps_per_epoch=STEPS, verbose=0)
    with tempfile.TemporaryDirectory() as folder:
        model.save_estimator_checkpoint(f"{folder}/model.ckpt")
        found = values(folder)
    with tempfile.TemporaryDirectory() as folder:
        tf_estimator.Estimator(model_fn, folder).train(small.endless, steps=STEPS)
        expected = values(folder)
    devices = {name: part.device for name, part in model.variables_by_name.items()}
    print(json.dumps([found, expected, devices]), flush=True)
    del servers  # A deleted server stops.


if __name__ == "__main__":
    frame_memory.with_room(main)()
    cli.exit_at_once(0)  # The parameter servers never stop by themselves.
