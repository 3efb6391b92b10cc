"""Tests of the axes of charts."""

import pytest

from benchmarks.reporting import axes


@pytest.mark.parametrize("wide", [-3.2, 0.0, 1e-9, 0.7, 2.3, 41_000.0])
def test_ticks_are_few_and_cover_the_range(wide):
    low, high = sorted((0.0, wide))
    ticks = axes.ticks(low, high, 4)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 2 <= len(ticks) <= 6


def test_a_scale_maps_the_ends_to_the_edges():
    scale, box = axes.Scale(10.0, -1.0, 3.0), axes.BOX
    assert (scale.x(0), scale.x(10)) == (box["left"], box["right"])
    assert (scale.y(-1), scale.y(3)) == (box["bottom"], box["top"])
