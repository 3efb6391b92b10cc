"""Tests for the four checkpoint commands as a user types them: output, files and exit codes."""

import json
import resource

import numpy as np
import pytest
import tensorflow as tf

from migrate import __main__ as migrate


def _save(path, values):
    variables = [tf.Variable(value, name=name) for name, value in values.items()]
    return tf.train.Checkpoint(v=variables).write(str(path))


@pytest.fixture
def pair(tmp_path):
    old = _save(tmp_path / "old", {"a/kernel": [1.0, 2.0], "b/kernel": [3.0, 4.0], "c/bias": 5.0})
    new = _save(tmp_path / "new", {"x/kernel": [0.0, 0.0], "y/kernel": [0.0, 0.0], "y/bias": 0.0})
    return old, new


def run(*arguments):
    return migrate.main(["checkpoint", *arguments])


def test_from_an_open_map_to_a_conversion_that_compares_equal(pair, tmp_path, capsys):
    old, new = pair
    path, output = tmp_path / "map.txt", str(tmp_path / "out")
    assert run("map", old, new, f"--output={path}") == 1
    assert "1 paired, 2 to be settled" in capsys.readouterr().err
    assert run("convert", old, f"--output={output}", f"--like={new}", f"--map={path}") == 2
    assert "a/kernel could be any of x/kernel, y/kernel" in capsys.readouterr().err
    path.write_text(path.read_text().replace("a/kernel = ?", "a/kernel = y/kernel"))
    assert run("map", old, new, f"--map={path}") == 0
    assert run("convert", old, f"--output={output}", f"--like={new}", f"--map={path}") == 0
    assert "3 tensors carried over" in capsys.readouterr().out
    assert run("diff", old, output, f"--map={path}") == 0
    assert "3 are equal to the last bit" in capsys.readouterr().out


def test_inspect_tells_what_is_there(pair, capsys):
    assert run("inspect", pair[0], "--format=json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["step"], found["parameters"]) == ("object-based", None, 5)
    assert found["tensors"][0]["name"] == "a/kernel"
    assert run("inspect", pair[0]) == 0
    assert "a/kernel" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "tolerance", "code"),
    [(1.0, [], 0), (1.001, [], 1), (1.001, ["--rtol=1e-2"], 0), (1.001, ["--atol=1e-4"], 1)]
    + [(float("nan"), ["--rtol=1"], 1)],
)
def test_diff_finds_one_element_and_knows_tolerances(value, tolerance, code, tmp_path, capsys):
    left = _save(tmp_path / "left", {"w": [1.0, 2.0]})
    right = _save(tmp_path / "right", {"w": [value, 2.0]})
    assert run("diff", left, right, *tolerance) == code
    assert ("1 of 2" in capsys.readouterr().out) == bool(code)


def test_diff_tells_what_only_one_side_has(tmp_path, capsys):
    left = _save(tmp_path / "left", {"w": 1.0, "extra": [1.0, 2.0]})
    right = _save(tmp_path / "right", {"w": 1.0})
    assert run("diff", left, right) == 1
    assert "extra has no counterpart" in capsys.readouterr().out
    assert run("diff", left, right, "--leave-out=extra", "--format=json") == 0
    assert json.loads(capsys.readouterr().out)["same"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", "nowhere"], "nowhere: no such checkpoint"),
        (["map", "OLD"], "give either the new program's checkpoint or --model"),
        (["convert", "OLD", "--output=x.keras"], "without --like or --model only name-based"),
        (["convert", "OLD", "--output=x", "--like=NEW", "--model=m:f"], "Leave out --model"),
        (["convert", "OLD", "--output=x", "--model=nowhere:f"], "importing nowhere failed"),
        (["convert", "OLD", "--output=x", "--slot=m"], "--slot=m is not of the form OLD=NEW"),
        (["diff", "OLD", "NEW", "--map=nowhere"], "cannot read the map nowhere"),
    ],
)
def test_mistakes_are_told_in_one_message(arguments, message, pair, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    names = dict(zip(("OLD", "NEW"), pair, strict=True))
    replaced = [names.get(text, text).replace("=NEW", f"={pair[1]}") for text in arguments]
    assert run(*replaced) == 2
    found = capsys.readouterr().err
    assert found.startswith("migrate checkpoint: ")
    assert message in found
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("x")]


TWIN = "tests.migrate.checkpoint.twin"
PORT = "tests.migrate.checkpoint.twin_port"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (f"{TWIN}:RATE", "not a function"),
        (f"{TWIN}:train", "takes folder, steps, optimizer"),
        (f"{TWIN}:nothing", "has no 'nothing'"),
    ],
)
def test_a_function_that_makes_no_model_is_told_from_a_difference(model, message, pair, capsys):
    assert run("map", pair[0], f"--model={model}") == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["map", "convert"])
def test_takes_a_class_with_params_and_metrics_that_makes_variables_when_called(
    command, tmp_path, capsys
):
    tiny = "tests.migrate.verify.tiny"
    old = _save(tmp_path / "old", {"logits/kernel": np.ones([4, 2], "f"), "logits/bias": [1.0, 2]})
    new = [f"--model={tiny}:Tracked", '--params={"rate": 0.1}']
    output = [f"--output={tmp_path / 'new' / 'ckpt-1'}", "--weights-only"][: 2 * (command != "map")]
    assert run(command, old, *new, *output) == 2
    assert "give --input=MODULE:input_fn" in capsys.readouterr().err
    assert run(command, old, *new, f"--input={tiny}:input_fn", *output) == 0
    printed = capsys.readouterr()
    if command == "map":
        assert "2 paired, 0 to be settled" in printed.err
    else:
        assert "2 tensors carried over" in printed.out


def test_params_are_for_a_model(pair, capsys):
    assert run("map", *pair, "--params={}") == 2
    assert "--params={} needs --model" in capsys.readouterr().err


def test_a_full_disk_leaves_nothing(pair, tmp_path, capsys):
    before = sorted(path.name for path in tmp_path.iterdir())
    # Stands in for a full disk: the process cannot write files of more than 1 KiB.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, limits[1]))
    try:
        code = run("convert", pair[0], f"--output={tmp_path}/new/x", f"--model={PORT}:build_model")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert code == 2
    assert "File too large" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_what_fails_unexpectedly_is_no_difference(pair, monkeypatch, capsys):
    def broken(*unused):
        raise RuntimeError("not today")

    monkeypatch.setattr("migrate.checkpoint.comparing.compare", broken)
    assert run("diff", *pair) == 2
    assert "not today" in capsys.readouterr().err
