"""Tests for the results of a job as JSON."""

from modern.cluster import tf_config
from tests.migrate.cluster import commands, manifests


def test_as_json(capsys):
    master = {"master": ["a:1"], "worker": ["b:1"], "ps": ["c:1"]}
    text = manifests.tf_config("master", 0, master)
    (found,) = commands.as_json(capsys, text, "--batch-size=64")["jobs"]
    assert found["legacy"]["trainers"] == 2
    assert '"master"' in found["legacy"]["tasks"][0]["tf_config"]
    served = found["parameter_server"]
    assert [task["task"] for task in served["tasks"]] == ["chief-0", "worker-0", "worker-1", "ps-0"]
    assert (served["added"], served["batch"][0]["batch_size"]) == (["worker-1"], 64)
    for task in served["tasks"]:
        config = tf_config.parse(task["tf_config"])
        assert (config.name, config.address) == (task["task"], task["address"])
    synchronous = found["multi_worker_mirrored"]
    assert [choice["batch_size"] for choice in synchronous["batch"]] == [32, 64]
    assert synchronous["removed"] == ["ps-0"]
