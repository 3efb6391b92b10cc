"""Tests that the old programs of the recipes compute the same after all safe rules."""

import json
import os
import subprocess
import sys

import pytest

from migrate import recipes
from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from migrate.same_run import nests
from tests.migrate.recipes import test_programs
from tests.migrate.rewrite import tools


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Returns the figures under legacy before the rewrite, and in a plain process after it."""
    folder = tmp_path_factory.getbasetemp()
    old = test_programs.run_once("old", sorted(recipes.names()), folder)
    output = folder / "rewritten.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.migrate.rewrite.run_recipes", output, "legacy", "modern"],
        capture_output=True,
        text=True,
        cwd=tools.ROOT,
        env={**os.environ, **tools.ENVIRONMENT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return old, json.loads(output.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("name", recipes.names())
def test_a_rewritten_program_finds_the_same(found, name):
    old, new = (side[name] for side in found)
    assert "error" not in new, new["error"]
    assert nests.differences(old["figures"], new["figures"]) == []


@pytest.mark.parametrize("name", recipes.names())
def test_what_is_done_is_complete(name):
    """A second run changes nothing, even with unsafe changes."""
    text = recipes.find(name).old
    for to, api in (("legacy", "v1"), ("modern", "v2")):
        text = fixed_point.rewrite(
            text, rules.all_rules(to), unsafe=True, plan=tools.plan(api)
        ).text
        again = fixed_point.rewrite(text, rules.all_rules(to), unsafe=True, plan=tools.plan(api))
        assert again.text == text
        assert again.changes == ()
