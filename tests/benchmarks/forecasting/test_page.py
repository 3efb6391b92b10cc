"""Tests of the page of a forecast."""

import re
import xml.etree.ElementTree

import pytest

from benchmarks.forecasting import page
from benchmarks.forecasting.forecast import Forecast
from benchmarks.forecasting.step_times import Cluster
from benchmarks.reporting import axes
from tests.benchmarks.forecasting.examples import NETWORK, ON_PS, SYNCHRONOUS

COSTS = {"parameter_server": ON_PS, "multi_worker_mirrored": SYNCHRONOUS, "<b>": ON_PS}


@pytest.fixture(scope="module")
def text():
    return page.render(Forecast(COSTS, Cluster(NETWORK), 4))


def polygons(text):
    """Returns the points of each polygon, by chart."""
    charts = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    return [
        [
            [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]
            for polygon in xml.etree.ElementTree.fromstring(chart).iter("polygon")
        ]
        for chart in charts
    ]


def test_each_chart_has_an_area_for_each_way_inside_of_its_axes(text):
    charts = polygons(text)
    assert [len(chart) for chart in charts] == [3, 3]
    box = axes.BOX
    for points in (point for chart in charts for area in chart for point in area):
        assert box["left"] <= points[0] <= box["right"]
        assert box["top"] <= points[1] <= box["bottom"]


def test_an_area_goes_from_the_highest_to_the_lowest_figures(text):
    area = polygons(text)[0][0]
    cluster = Cluster(NETWORK)
    # The fastest is a synchronous worker alone: 64 examples in half a second.
    scale = axes.Scale(4.0, 0.0, axes.ticks(0.0, 128.0, 4)[-1])
    assert area[0] == pytest.approx((scale.x(1), scale.y(cluster.speed(ON_PS, 1).high)), abs=0.1)
    assert area[3] == pytest.approx((scale.x(4), scale.y(cluster.speed(ON_PS, 4).high)), abs=0.1)
    assert area[-1] == pytest.approx((scale.x(1), scale.y(cluster.speed(ON_PS, 1).low)), abs=0.1)


def test_the_page_has_the_figures_and_sentences_as_text(text):
    # 256 examples in 9.54 to 4 s.
    assert "<td>27–64</td>" in text
    assert "2 workers fill the links of 1 ps" in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text


def test_the_page_needs_nothing_from_elsewhere(text):
    assert not re.search(r"https?://|<script|src=", text)


def test_it_is_written(tmp_path, text):
    path = page.write(Forecast(COSTS, Cluster(NETWORK), 4), tmp_path / "forecast.html")
    assert path.read_text() == text
