"""A cluster for ParameterServerStrategy whose servers run in this process."""

import tensorflow as tf

from modern.cluster import ports


def served(ps=1):
    """Starts a worker and parameter servers.

    Args:
      ps: The number of parameter servers.

    Returns:
      The resolver of the cluster, and the servers. A server that is deleted stops.
    """
    addresses = [f"localhost:{port}" for port in ports.free_ports(1 + ps)]
    cluster = tf.train.ClusterSpec({"worker": addresses[:1], "ps": addresses[1:]})
    tasks = [("worker", 0), *(("ps", index) for index in range(ps))]
    servers = [tf.distribute.Server(cluster, *task) for task in tasks]
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    return resolver, servers
