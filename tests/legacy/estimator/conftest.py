"""Fixtures of the tests of Estimator."""

import json

import pytest

from legacy import estimator
from tests.legacy.estimator import models


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)


@pytest.fixture
def environ(monkeypatch):
    """Returns a function that sets TF_CONFIG."""

    def set_it(cluster=None, task_type=None, index=None, **more):
        task = {"type": task_type, "index": index}
        content = {"task": {k: v for k, v in task.items() if v is not None}, **more}
        if cluster is not None:
            content["cluster"] = cluster
        monkeypatch.setenv("TF_CONFIG", json.dumps(content))

    return set_it


@pytest.fixture
def trained(tmp_path):
    """Returns an Estimator after ten steps."""
    return estimator.Estimator(models.model_fn, tmp_path / "model").train(
        models.dataset, max_steps=10
    )
