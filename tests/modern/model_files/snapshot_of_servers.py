"""Takes a snapshot of variables on two parameter servers, and prints what it cost. A program.

    python -m tests.modern.model_files.snapshot_of_servers

Prints as JSON the step, and the MB by which the memory of this process grows. Both servers run in
this process, and each has a variable of 64 MB. With the argument `planted`, the function that reads
the values makes its results on the coordinator.
"""

import json
import sys

import psutil
import tensorflow as tf

from modern.model_files import remote_writes
from modern.process import cli
from tests.modern import in_process_cluster

ROWS = 1 << 20


def main():
    if sys.argv[1:] == ["planted"]:
        vars(remote_writes)["_device_of_input"] = lambda operation: ""
    resolver, servers = in_process_cluster.served(ps=2)
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    with strategy.scope():
        step = tf.Variable(7, dtype=tf.int64)
        tables = [tf.Variable(tf.zeros([ROWS, 16])) for _ in range(2)]
    writer = remote_writes.Writer(tf.train.Checkpoint(tables=tables), step)
    before = psutil.Process().memory_info().rss
    snapshot = writer.snapshot()
    grown = (psutil.Process().memory_info().rss - before) / 1e6
    print(json.dumps({"step": snapshot.step, "grown_mb": grown}), flush=True)
    del servers  # A deleted server stops.


if __name__ == "__main__":
    main()
    cli.exit_at_once(0)  # The parameter servers never stop by themselves.
