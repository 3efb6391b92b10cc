"""Test of the resolver of TPUs."""

import pytest

from legacy.contrib import cluster_resolver, distribute


def test_a_resolver_is_created_and_a_tpu_is_refused():
    resolver = cluster_resolver.TPUClusterResolver("")
    assert (resolver.master(), resolver.get_master(), resolver.cluster_spec()) == ("", "", None)
    assert resolver.num_accelerators() == {"TPU": 0}
    for named in (
        cluster_resolver.TPUClusterResolver("my-tpu", zone="us-central1-b"),
        cluster_resolver.NamedTPUClusterResolver(["my-tpu"]),
    ):
        assert named.master() == ""
    with pytest.raises(ValueError, match="provide a TPU Name"):
        cluster_resolver.NamedTPUClusterResolver()
    with pytest.raises(NotImplementedError, match="use MirroredStrategy"):
        distribute.TPUStrategy(resolver)
