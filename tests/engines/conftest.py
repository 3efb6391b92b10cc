"""Fixtures of the tests on engines."""

import pytest

from tests.engines import compose, namespaces, slurm


@pytest.fixture
def slurm_cluster(tmp_path):
    """Returns a SLURM cluster of three nodes."""
    if reason := namespaces.obstacle(slurm.PACKAGES):
        pytest.skip(reason)
    folder = tmp_path / "slurm"
    folder.mkdir()
    with slurm.cluster(folder) as one:
        yield one


@pytest.fixture
def compose_engine(tmp_path):
    """Returns podman, driven by docker compose."""
    if reason := compose.obstacle():
        pytest.skip(reason)
    folder = tmp_path / "engine"
    folder.mkdir()
    with compose.engine(folder) as one:
        yield one
