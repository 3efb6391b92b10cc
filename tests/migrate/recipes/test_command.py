"""Tests for the output of `python -m migrate recipes`, and for its errors."""

import os
import pathlib
import subprocess
import sys

import pytest

from migrate import __main__ as migrate_main
from migrate import recipes
from modern.process import cli

ROOT = pathlib.Path(__file__).parents[3]


def run(capsys, *arguments):
    code = migrate_main.main(["recipes", *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_without_a_name_all_are_listed_with_a_line_each(capsys):
    code, out, err = run(capsys)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in lines] == recipes.names()
    assert all(recipes.find(line.split()[0]).title in line for line in lines)
    assert max(map(len, lines)) <= 100


def test_a_page_ends_with_the_diff(capsys):
    code, out, _ = run(capsys, "warm_start")
    recipe = recipes.find("warm_start")
    assert code == 0
    assert out.startswith(recipe.page)
    assert out.endswith(recipe.diff)


@pytest.mark.parametrize("part", ["old", "new", "diff"])
def test_a_part_is_printed_alone(capsys, part):
    code, out, err = run(capsys, "warm_start", f"--{part}")
    assert (code, out, err) == (0, getattr(recipes.find("warm_start"), part), "")


def test_the_diff_leads_from_the_old_program_to_the_new_one(tmp_path):
    recipe = recipes.find("evaluator")
    (tmp_path / "program.py").write_text(recipe.old)
    subprocess.run(
        ["patch", "--quiet", "program.py"], input=recipe.diff, text=True, cwd=tmp_path, check=True
    )
    assert (tmp_path / "program.py").read_text() == recipe.new


def test_hyphens_and_capitals_are_as_good(capsys):
    assert run(capsys, "Warm-Start", "--new")[1] == recipes.find("warm_start").new


def test_an_unknown_name_is_answered_with_those_that_come_close(capsys):
    code, out, err = run(capsys, "warmstart")
    assert (code, out) == (2, "")
    assert "no recipe 'warmstart'" in err
    assert "did you mean warm_start" in err


def test_a_name_like_no_other_is_answered_with_the_way_to_the_list(capsys):
    code, _, err = run(capsys, "zzzz")
    assert code == 2
    assert "`migrate recipes`" in err


def test_find_raises_what_a_command_prints():
    with pytest.raises(cli.UsageError, match="no recipe"):
        recipes.find("../recipes")


@pytest.mark.parametrize("arguments", [["--new"], ["warm_start", "--old", "--new"], ["a", "b"]])
def test_misuse_ends_with_2(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        migrate_main.main(["recipes", *arguments])
    assert ended.value.code == 2
    assert "usage: migrate recipes" in capsys.readouterr().err


def test_nothing_imports_tensorflow_and_a_closed_pipe_is_no_failure():
    program = (
        "import sys\n"
        "from migrate.__main__ import main\n"
        "code = main(['recipes', 'warm_start'])\n"
        "found = [name for name in ('tensorflow', 'tf_keras', 'keras') if name in sys.modules]\n"
        "sys.exit(f'imported {found}' if found else code)\n"
    )
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
