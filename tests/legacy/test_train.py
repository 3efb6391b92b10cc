"""Tests of the app's RunConfig. tests/cluster and tests/benchmarks test its trainings."""

import json
import os
import subprocess
import sys

CODE = """
import json, os
from absl import flags
from legacy import train
from modern.cluster import tf_config
train.define_flags()
flags.FLAGS(["train"])
seeds = []
for task in (None, ["chief", 0], ["worker", 0], ["worker", 1], ["evaluator", 0]):
    config = None
    if task:
        cluster = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}
        text = {"cluster": cluster, "task": {"type": task[0], "index": task[1]}}
        config = tf_config.parse(json.dumps(text))
    app = train.App(None, config, "task")
    seeds.append(app._run_config("/tmp/none", 5).tf_random_seed)
print(json.dumps(seeds))
"""


def test_each_trainer_has_a_seed_for_its_dropout():
    environment = {name: value for name, value in os.environ.items() if name != "TF_CONFIG"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    alone, chief, *workers, evaluator = json.loads(done.stdout.splitlines()[-1])
    assert alone == chief == evaluator == 5
    assert len({chief, *workers}) == 3
