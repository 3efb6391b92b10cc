"""Tests for the options of all `migrate` commands."""

import pytest

from migrate import command_line
from migrate.checkpoint import command as checkpoint
from migrate.cluster import command as cluster
from migrate.recipes import command as recipes
from migrate.rewrite import command as rewrite
from migrate.scan import command as scan
from migrate.verify import command as verify

COMMANDS = (checkpoint, cluster, recipes, rewrite, scan, verify)


def test_both_spellings_are_accepted():
    parser = command_line.parser("x", "Does it.")
    parser.add_argument("--batch-size", type=int)
    parser.add_argument("rest", nargs="*")
    for spelled in ("--batch-size=8", "--batch_size=8"):
        assert parser.parse_args([spelled]).batch_size == 8
    assert parser.parse_args(["--batch_size", "8"]).batch_size == 8
    assert parser.parse_args(["--", "--a_b"]).rest == ["--a_b"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda module: module.__name__)
def test_options_are_spelled_with_hyphens(command, capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    options = [word for word in capsys.readouterr().out.split() if word.startswith("--")]
    ours = [word for word in options if not word.startswith(("--model_", "--input_fn"))]
    assert options
    assert [word for word in ours if "_" in word.split("=")[0]] == []
