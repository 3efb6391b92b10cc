"""Test of the resolver of TPUs."""

import pytest

from legacy.contrib import cluster_resolver, distribute


def test_a_tpu_is_refused_and_none_is_not():
    resolver = cluster_resolver.TPUClusterResolver("")
    assert (resolver.master(), resolver.get_master(), resolver.cluster_spec()) == ("", "", None)
    assert resolver.num_accelerators() == {"TPU": 0}
    with pytest.raises(NotImplementedError, match="leave the TPU's name out"):
        cluster_resolver.TPUClusterResolver("my-tpu", zone="us-central1-b")
    with pytest.raises(NotImplementedError, match="use MirroredStrategy"):
        distribute.TPUStrategy(resolver)
