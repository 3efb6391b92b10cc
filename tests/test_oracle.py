"""Tests our estimator against the recorded facts of the original. `make oracle` records them."""

import copy
import json

import pytest

from tests.conftest import OBSERVATION
from tests.oracle import compare, record

# These tests wait for all of the oracle's programs, which start with the session. On two cores with
# other work, they take more than the 15 minutes that a test may hang.
pytestmark = [pytest.mark.cluster, pytest.mark.timeout(2700)]

RECORDED = {
    (path.parent.name, path.stem): path for path in sorted(record.RECORDED.glob("*/*.json"))
}
# Programs that `make test` runs with both APIs. Of the others that both have, it runs those of v2.
BOTH_APIS = {
    "canned_dnn",
    "core_train",
    "export_serving",
    "train_and_evaluate",
}


def _is_slow(api, name):
    """Says whether only `make test-all` runs a program. This includes all programs of contrib."""
    return api == "contrib" or (api == "v1" and ("v2", name) in RECORDED and name not in BOTH_APIS)


PROGRAMS = [
    pytest.param(api, name, marks=pytest.mark.slow if _is_slow(api, name) else [])
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


def test_the_programs_of_both_apis_are_recorded():
    assert {(api, name) for api in ("v1", "v2") for name in BOTH_APIS} <= set(RECORDED)


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
