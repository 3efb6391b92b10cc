"""Input by the strategy: an input_fn for each worker, or one dataset that it splits."""

import tempfile

import numpy as np
import tensorflow as tf

EXAMPLES, BATCH_SIZE, STEPS = 20, 4, 3  # BATCH_SIZE is per worker
DEVICES = ["/device:CPU:0", "/device:CPU:1"]


def input_fn(context):
    dataset = tf.data.Dataset.range(EXAMPLES)
    dataset = dataset.shard(context.num_input_pipelines, context.input_pipeline_id)
    return dataset.repeat().batch(BATCH_SIZE)


def batches_of(worker):
    # strategy.distribute_datasets_from_function(input_fn) passes the same context on that worker.
    context = tf.distribute.InputContext(
        num_input_pipelines=2, input_pipeline_id=worker, num_replicas_in_sync=2
    )
    return [batch.numpy().tolist() for batch in input_fn(context).take(STEPS)]


def divided_batches(strategy):
    """Returns each step's examples from one global dataset that the strategy divides."""
    dataset = tf.data.Dataset.range(EXAMPLES).repeat()
    dataset = dataset.batch(BATCH_SIZE * strategy.num_replicas_in_sync)
    steps = []
    for batch in strategy.experimental_distribute_dataset(dataset.take(STEPS)):
        parts = strategy.experimental_local_results(batch)
        steps.append(sorted(np.concatenate([part.numpy() for part in parts]).tolist()))
    return steps


def make_two_cpus():
    cpu = tf.config.list_physical_devices("CPU")[0]
    two = [tf.config.LogicalDeviceConfiguration()] * 2
    tf.config.set_logical_device_configuration(cpu, two)


def main(folder):
    make_two_cpus()
    strategy = tf.distribute.MirroredStrategy(DEVICES)
    return {
        "worker_0": batches_of(0),
        "worker_1": batches_of(1),
        "steps": divided_batches(strategy),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
