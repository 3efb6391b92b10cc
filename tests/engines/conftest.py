"""Fixtures of the tests on engines."""

import pytest

from tests.engines import namespaces, slurm


@pytest.fixture
def slurm_cluster(tmp_path):
    """Returns a SLURM cluster of three nodes."""
    if reason := namespaces.obstacle(slurm.PACKAGES):
        pytest.skip(reason)
    folder = tmp_path / "slurm"
    folder.mkdir()
    with slurm.cluster(folder) as one:
        yield one
