"""Tests our estimator against the recorded facts of the original. `make oracle` records them."""

import copy
import json

import pytest

from tests.conftest import OBSERVATION
from tests.oracle import compare, record

# These tests wait for all of the oracle's programs, which start with the session.
pytestmark = [pytest.mark.cluster]

RECORDED = {
    (path.parent.name, path.stem): path for path in sorted(record.RECORDED.glob("*/*.json"))
}
# `make test` runs the parts of tf.contrib that public programs use most: layers, slim, learn, rnn,
# training (hparams), summary and framework. The programs of v1 cover contrib.tpu.
USUAL_CONTRIB = {
    "contrib_framework",
    "contrib_hparams",
    "contrib_layers",
    "contrib_learn_estimator",
    "contrib_rnn",
    "contrib_slim",
    "contrib_summaries",
}
PROGRAMS = [
    pytest.param(
        api,
        name,
        marks=pytest.mark.slow if api == "contrib" and name not in USUAL_CONTRIB else [],
    )
    for api, name in RECORDED
]


@pytest.fixture(scope="module")
def seen(request):
    """Returns the facts of our programs, which conftest.py starts when the session begins."""
    return request.config.stash[OBSERVATION].facts()


@pytest.mark.parametrize(("api", "name"), PROGRAMS)
def test_program(seen, api, name):
    facts = seen[api][name]
    assert "raised" not in facts, facts["raised"]
    expected = json.loads(RECORDED[api, name].read_text())["facts"]
    lines = compare.differences(expected, facts)
    assert not lines, "\n".join(lines)


def test_the_usual_parts_of_contrib_are_programs():
    assert {("contrib", name) for name in USUAL_CONTRIB} <= set(RECORDED)


def test_all_programs_are_recorded():
    known = {(api, name) for api in record.VERSIONS for name in record.observe.program_names(api)}
    assert set(RECORDED) == known, "run `make oracle`"


def test_a_difference_is_seen():
    facts = json.loads(RECORDED["v2", "linear_regression"].read_text())["facts"]
    planted = copy.deepcopy(facts)
    planted["losses"][3][1] *= 1.0001
    planted["variables"]["kernel"][1] = [1, 2]
    del planted["metrics"]["error"]
    lines = compare.differences(facts, planted)
    assert [line.split(":")[0] for line in lines] == [
        "/losses[3][1]",
        "/metrics/error",
        "/variables/kernel[1][0]",
        "/variables/kernel[1][1]",
    ]
