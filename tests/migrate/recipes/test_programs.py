"""Tests that the old program and the new program of each recipe compute the same figures."""

import ast
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import zlib

import pytest

from legacy.reading import api_choice
from legacy.reading import used_names as api_names
from migrate import recipes
from migrate.same_run import nests
from tests.cluster import core
from tests.migrate.recipes import defaults, planted

ROOT = pathlib.Path(__file__).parents[3]
DEADLINE_S = 240  # per side, below pytest's timeout, which would leave the process running
LONGEST_S = 10  # processor time per program. A typical program takes one second.


@pytest.fixture(scope="session")
def found(request, tmp_path_factory):
    """Returns the figures of the programs that the selected tests need, by side and name.

    Each side is one process, because TensorFlow 1 behavior is switched on for a whole process.
    """
    folder = tmp_path_factory.getbasetemp()
    chosen = [
        item.callspec.params for item in request.session.items if "found" in item.fixturenames
    ]
    mistakes = [params["mistake"] for params in chosen if "mistake" in params]
    names = {params["name"] for params in chosen if "name" in params}
    names |= {planted.MISTAKES[mistake][0] for mistake in mistakes}
    return {
        "old": run_once("old", sorted(names), folder),
        "new": run_once("new", sorted(names) + mistakes, folder),
    }


def run_once(side, names, folder):
    """Returns the figures of programs. Several test processes share one run.

    Args:
      side: "old" or "new".
      names: Names of recipes and planted mistakes.
      folder: Base folder of pytest's temporary files, from `getbasetemp`.
    """
    # Each worker of pytest-xdist has its own base folder, in the one that all workers share.
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    output = folder / f"recipes_{side}_{zlib.crc32(repr(names).encode()):08x}.json"
    with open(output.with_suffix(".lock"), "w") as lock:
        # The first process runs the programs. The others wait here and read its output.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            _run(side, names, output)
        return json.loads(output.read_text())


def _run(side, names, output):
    whole = core.whole_environment(os.environ)  # one recipe needs pandas
    done = subprocess.run(
        [sys.executable, "-m", "tests.migrate.recipes.run_programs", side, output, *names],
        env={**whole, "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert done.returncode == 0, done.stderr


def figures(found, side, name):
    result = found[side][name]
    assert "error" not in result, f"{side} program of {name}:\n{result['error']}"
    return result["figures"]


@pytest.mark.slow
@pytest.mark.parametrize("name", recipes.names())
def test_both_programs_find_the_same(found, name):
    old, new = figures(found, "old", name), figures(found, "new", name)
    assert old
    assert nests.differences(old, new) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", recipes.names())
def test_programs_are_short(found, name):
    for side in ("old", "new"):
        assert found[side][name]["seconds"] < LONGEST_S
        assert len(getattr(recipes.find(name), side).splitlines()) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("mistake", planted.MISTAKES)
def test_a_planted_mistake_is_found(found, mistake):
    name = planted.MISTAKES[mistake][0]
    assert nests.differences(figures(found, "old", name), figures(found, "new", mistake))


@pytest.mark.parametrize("name", recipes.names())
def test_legacy_run_takes_the_old_program_for_one_of_tensorflow_1(name):
    uses = api_names.uses_in(ast.parse(recipes.find(name).old), "old.py")
    # The program of tf_config uses only names that both versions have.
    assert api_choice.choose(uses)[0] == ("v2" if name == "tf_config" else "v1")


@pytest.mark.slow
@pytest.mark.parametrize("page", defaults.STATED)
def test_stated_defaults_are_those_of_today(found, page):
    text = " ".join(recipes.find(page).page.split())
    for words, function, argument, value in defaults.STATED[page]:
        assert words in text
        assert found["new"]["defaults"][f"{function} {argument}"] == value
