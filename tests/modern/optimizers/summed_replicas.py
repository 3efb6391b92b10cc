"""Sums the gradients of two replicas, and applies the doubled sums to a weight.

python -m tests.modern.optimizers.summed_replicas mirrored|parameter_server

Prints the sum of each replica and the weight. See tests/cluster/several_devices.py for the patches
that give a worker of ParameterServerStrategy two logical CPUs.
"""

import json
import sys

import tensorflow as tf
import tf_keras
from tensorflow.python.distribute import parameter_server_strategy_v2

from modern.cluster import ports
from modern.optimizers import replica_sums
from modern.process import cli

REPLICAS = 2


def served():
    """Returns a ParameterServerStrategy whose servers are in this process, and the servers."""
    extended = parameter_server_strategy_v2.ParameterServerStrategyV2Extended
    extended._set_num_gpus = lambda self: setattr(self, "_num_gpus_per_worker", REPLICAS)
    devices = tuple(f"/device:CPU:{i}" for i in range(REPLICAS))
    extended.worker_devices = property(lambda self: devices)
    one, other = ports.free_ports(2)
    cluster = tf.train.ClusterSpec({"worker": [f"localhost:{one}"], "ps": [f"localhost:{other}"]})
    config = tf.compat.v1.ConfigProto(device_count={"CPU": REPLICAS})
    servers = [
        tf.distribute.Server(cluster, job_name=name, task_index=0, protocol="grpc", config=config)
        for name in ("worker", "ps")
    ]
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    return tf.distribute.ParameterServerStrategy(resolver), servers


def main(kind):
    (cpu,) = tf.config.list_physical_devices("CPU")
    parts = [tf.config.LogicalDeviceConfiguration() for _ in range(REPLICAS)]
    tf.config.set_logical_device_configuration(cpu, parts)
    if kind == "mirrored":
        strategy, servers = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]), []
    else:
        strategy, servers = served()
    with strategy.scope():
        weight = tf.Variable([10.0, 10.0])
        optimizer = tf_keras.optimizers.legacy.SGD(1.0)

    def of_replica():
        number = tf.distribute.get_replica_context().replica_id_in_sync_group
        gradient = tf.ones([2]) * tf.cast(number + 1, tf.float32)
        sums = replica_sums.of([gradient])
        doubled = replica_sums.map_sums(lambda sums: [2 * one for one in sums], sums)
        replica_sums.apply(optimizer, doubled, [weight])
        return sums[0]

    @tf.function
    def step():
        return list(strategy.experimental_local_results(strategy.run(of_replica)))

    if servers:
        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        found = coordinator.fetch(coordinator.schedule(step))
    else:
        found = step()
    sums = [tf.convert_to_tensor(one).numpy().tolist() for one in found]
    print(json.dumps([sums, weight.numpy().tolist()]))
    cli.exit_at_once(0)  # The servers still run.


if __name__ == "__main__":
    main(*sys.argv[1:])
