"""Reads TF_CONFIG by a ClusterResolver, which strategies take, and computes the rest."""

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


def modernized(task):
    """Renames "master" to "chief", the name that today's strategies know."""
    renamed = {"master": "chief"}
    cluster = {renamed.get(name, name): hosts for name, hosts in task.get("cluster", {}).items()}
    own = task.get("task", {})
    own = dict(own, type=renamed.get(own["type"], own["type"])) if own else {}
    return dict(task, cluster=cluster, task=own)


def read(task):
    os.environ["TF_CONFIG"] = json.dumps(modernized(task))
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    task_type, task_id = resolver.task_type or "worker", resolver.task_id or 0
    # An evaluator sees the cluster but is no part of it.
    evaluates = task_type == "evaluator"
    cluster = {} if evaluates else resolver.cluster_spec().as_dict()
    alone = not cluster and not evaluates
    trainers = len(cluster.get("chief", [])) + len(cluster.get("worker", []))
    return {
        "task": [task_type, task_id],
        "is_chief": task_type == "chief" or alone,
        "trainers": 1 if alone else trainers,
        "servers": len(cluster.get("ps", [])),
        "addresses": sorted(sum(cluster.values(), [])),
        "own_server": f"grpc://{cluster[task_type][task_id]}" if cluster else "",
    }


def main(folder):
    return {"tasks": [read(task) for task in TASKS]}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
