"""Selects the examples of each of two workers by hand, with shard, before other transformations."""

import json
import os
import tempfile

import tensorflow as tf

EXAMPLES, BATCH_SIZE, STEPS = 20, 4, 3  # BATCH_SIZE is per worker
CLUSTER = {"chief": ["host0:2222"], "worker": ["host1:2222"], "ps": ["host2:2222"]}


def input_fn(config):
    dataset = tf.data.Dataset.range(EXAMPLES)
    dataset = dataset.shard(config.num_worker_replicas, config.global_id_in_cluster)
    return dataset.repeat().batch(BATCH_SIZE)


def batches_of(task_type):
    task = {"type": task_type, "index": 0}
    os.environ["TF_CONFIG"] = json.dumps({"cluster": CLUSTER, "task": task})
    config = tf.estimator.RunConfig()  # an Estimator passes it to the input_fn
    with tf.Graph().as_default(), tf.Session() as session:
        batch = tf.data.make_one_shot_iterator(input_fn(config)).get_next()
        return [session.run(batch).tolist() for _ in range(STEPS)]


def main(folder):
    workers = [batches_of("chief"), batches_of("worker")]
    return {
        "worker_0": workers[0],
        "worker_1": workers[1],
        "steps": [sorted(one + other) for one, other in zip(*workers)],
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
