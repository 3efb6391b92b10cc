"""Tests that programs give the same results after each rung, except as listed in `expected`."""

import pytest

from tests.migrate.same_run import campaign, expected

FAST = ("cnn_digits",)


def _marked(name):
    return pytest.param(name, marks=() if name in FAST else pytest.mark.slow)


@pytest.fixture(scope="module")
def processes():
    with campaign.Processes() as found:
        yield found


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", [*map(_marked, campaign.ALL)])
def test_a_program_gives_the_same_results_after_each_rung(name, processes, tmp_path):
    climb = campaign.Climb(name, tmp_path, processes)
    if name in expected.NOT_RUN:
        assert expected.NOT_RUN[name] in climb.before.output
        return
    assert climb.before.exit_code == 0, climb.before.output
    wrong = {}
    for rung in campaign.RUNGS:
        result = climb.result(rung)
        if not _is_expected(result, expected.BY_RUNG.get((name, rung))):
            wrong[rung] = result
    assert not wrong, "\n".join(f"{rung}: {result}" for rung, result in wrong.items())


def _is_expected(result, one):
    if one is None:
        return result.verdict in ("same", campaign.UNCHANGED)
    return result.verdict == one.verdict and any(one.line in line for line in result.lines)


def test_what_is_expected_is_of_programs_and_rungs_that_there_are():
    assert {name for name, _ in expected.BY_RUNG} | {*expected.NOT_RUN} <= {*campaign.ALL}
    assert {rung for _, rung in expected.BY_RUNG} <= {*campaign.RUNGS}
    assert {*FAST} <= {*campaign.ALL}
