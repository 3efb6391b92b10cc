"""Ours against what was recorded of the original; `make oracle` records again."""

import concurrent.futures
import copy
import json
import pathlib
import subprocess
import sys

import pytest

from tests.oracle import compare, record

# Three processes, for as long as all programs take.
pytestmark = [pytest.mark.cluster, pytest.mark.timeout(900)]

ROOT = pathlib.Path(__file__).parents[1]
RECORDED = {
    (path.parent.name, path.stem): path for path in sorted(record.RECORDED.glob("*/*.json"))
}
APIS = sorted({api for api, _ in RECORDED})


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What ours does: each API's programs in a process of their own, as v1 is for a whole one."""
    folder = tmp_path_factory.mktemp("oracle")

    def observe(api):
        output = folder / f"{api}.json"
        command = [sys.executable, "-m", "tests.oracle.observe", f"--api={api}", "--engine=ours"]
        names = [name for of, name in RECORDED if of == api]
        subprocess.run([*command, f"--output={output}", *names], cwd=ROOT, check=True)
        return json.loads(output.read_text())

    with concurrent.futures.ThreadPoolExecutor() as pool:
        return dict(zip(APIS, pool.map(observe, APIS), strict=True))


@pytest.mark.parametrize(("api", "name"), RECORDED)
def test_program(seen, api, name):
    facts = seen[api][name]
    assert "raised" not in facts, facts["raised"]
    expected = json.loads(RECORDED[api, name].read_text())["facts"]
    lines = compare.differences(expected, facts)
    assert not lines, "\n".join(lines)


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
