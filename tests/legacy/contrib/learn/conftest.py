"""Fixtures of the tests of contrib.learn."""

import json

import pytest

CLUSTER = {"master": ["h0:1"], "worker": ["h1:1", "h2:1"], "ps": ["h3:1"]}


@pytest.fixture
def in_task(monkeypatch):
    def set_it(task_type, environment="cloud"):
        content = {"cluster": CLUSTER, "task": {"type": task_type, "index": 0}}
        monkeypatch.setenv("TF_CONFIG", json.dumps({**content, "environment": environment}))

    monkeypatch.delenv("TF_CONFIG", raising=False)
    return set_it
