"""Reads TF_CONFIG: this task, the other tasks, and the number of trainers."""

import json
import os
import tempfile

import tensorflow as tf

SERVERS = {"ps": ["ps0:2222"], "worker": ["worker0:2222", "worker1:2222"]}
WITH_MASTER = dict(SERVERS, master=["master0:2222"])
WITH_CHIEF = dict(SERVERS, chief=["chief0:2222"])
TASKS = [
    {},
    {"cluster": WITH_MASTER, "task": {"type": "master", "index": 0}},
    {"cluster": WITH_MASTER, "task": {"type": "worker", "index": 1}},
    {"cluster": WITH_MASTER, "task": {"type": "ps", "index": 0}},
    {"cluster": WITH_CHIEF, "task": {"type": "evaluator", "index": 0}},
]


def read(task):
    os.environ["TF_CONFIG"] = json.dumps(task)
    config = tf.estimator.RunConfig()
    cluster = config.cluster_spec.as_dict()
    # "master" is an old name of the chief. num_worker_replicas counts the chief as a worker.
    task_type = {"master": "chief"}.get(config.task_type, config.task_type)
    return {
        "task": [task_type, config.task_id],
        "is_chief": config.is_chief,
        "trainers": config.num_worker_replicas,
        "servers": config.num_ps_replicas,
        "addresses": sorted(sum(cluster.values(), [])),
        "own_server": config.master,
    }


def main(folder):
    return {"tasks": [read(task) for task in TASKS]}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
