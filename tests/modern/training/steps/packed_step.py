"""Packs and runs a step of Keras on two parameter servers: MODULE kept|planted.

Prints the number of packed tensors, whether the step's graph has a cycle, and the logs of two
steps. A planted step neglects the order in which it uses a variable, and is not run.
"""

import graphlib
import json
import sys

import tensorflow as tf
import tf_keras

from modern.process import cli
from modern.training.steps import packed_transfers
from tests.modern import in_process_cluster


class Model(tf_keras.Model):
    """A model whose step reads variables before and after it changes them, as metrics do."""

    def __init__(self):
        super().__init__()
        self.parts = [tf.Variable(float(number), name=f"part_{number}") for number in range(4)]

    def train_step(self, data):
        first, *others = self.parts
        total = tf.cast(data, tf.float32) + sum(one + 0.0 for one in (first, *others))
        for one in others:
            one.assign_add(total)
        return {"before": total, "after": sum(one * 2.0 for one in others)}


def main(mode):
    resolver, servers = in_process_cluster.served(ps=2)
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    with strategy.scope():
        model = Model()
        model.compile()
    for _ in range(2):
        packed_transfers.pack_steps(model)
    if mode == "planted":
        packed_transfers._add_order_of_uses = lambda graph, sources: None
    step = tf.function(model.train_step).get_concrete_function(tf.TensorSpec([], tf.int32))
    operations = step.graph.get_operations()
    needed = {one: [x.op for x in one.inputs] + one.control_inputs for one in operations}
    try:
        has_cycle = not [*graphlib.TopologicalSorter(needed).static_order()]
    except graphlib.CycleError:
        has_cycle = True
    logs = {}
    if mode != "planted":
        numbers = tf_keras.utils.experimental.DatasetCreator(
            lambda _: tf.data.Dataset.from_tensors(1).repeat()
        )
        logs = model.fit(numbers, steps_per_epoch=2, verbose=0).history
    packs = sum(one.name.startswith("packed_transfers/concat") for one in operations)
    print(json.dumps({"packs": packs, "has_cycle": has_cycle, "logs": logs}), flush=True)
    del servers


if __name__ == "__main__":
    main(sys.argv[1])
    cli.exit_at_once(0)  # The parameter servers never stop by themselves.
