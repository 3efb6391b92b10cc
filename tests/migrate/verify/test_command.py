"""Tests for the `verify` command: exit codes, output, files and refusals."""

import json
import subprocess
import sys

import pytest

from migrate.verify import command
from modern.process import cli
from tests.migrate.rewrite import model_fn_programs
from tests.migrate.verify import rewritten

HERE = "tests.migrate.verify.program"
PARAMS = '{"optimizer": "sgd", "rate": 0.05}'
ARGUMENTS = [f"--legacy={HERE}:model_fn", f"--input={HERE}:input_fn", f"--params={PARAMS}"]
ARGUMENTS += [f"--eval-input={HERE}:eval_input_fn", "--update-steps=1"]


def test_verifies_an_untouched_program_and_writes_a_certificate(tmp_path):
    output = tmp_path / "out"
    old = "tests.migrate.verify.untouched"
    command_line = [sys.executable, "-m", "migrate", "verify", f"--output={output}"]
    done = subprocess.run(
        [*command_line, f"--legacy={old}:model_fn", f"--modern={old}:build_model"]
        + [f"--input={old}:input_fn", f"--params={old}:params"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "The same: all 6 levels agree." in done.stdout
    written = json.loads((output / "verify.json").read_text())
    assert written["verdict"] == "same"
    assert [level["number"] for level in written["levels"]] == [1, 2, 3, 4, 5, 6, 7]
    assert len(written["asked"]["legacy"]["sha256"]) == 64
    page = (output / "certificate.html").read_text()
    for wanted in (written["asked"]["modern"]["sha256"], "hidden/kernel", "noise floor"):
        assert wanted in page
    assert "<script" not in page
    assert "http://" not in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_says_different_and_names_the_layer(capsys):
    code = command.main([*ARGUMENTS, f"--modern={HERE}:wrong_model"])

    printed = capsys.readouterr().out
    assert code == 1
    assert "Different: level 2, forward pass." in printed
    assert "the layer norm" in " ".join(printed.split())


def test_asks_for_what_is_ambiguous_and_takes_the_answer(tmp_path, capsys):
    code = command.main([*ARGUMENTS, f"--modern={HERE}:other_names"])

    printed, told = capsys.readouterr()
    assert code == 2
    assert "one of:" in printed
    assert "--map=FILE" in told
    pairs = {"second": "hidden_b", "third": "hidden_c"}
    lines = []
    for line in printed.splitlines():
        name = line.partition(" = ")[0]
        layer, _, leaf = name.partition("/")
        known = " = ?" in line and layer in pairs
        lines.append(f"{name} = other/{pairs[layer]}/{leaf}" if known else line)
    settled = tmp_path / "map.txt"
    settled.write_text("\n".join(lines))
    assert command.main([*ARGUMENTS, f"--modern={HERE}:other_names", f"--map={settled}"]) == 0


def test_a_rewritten_class_verifies_against_the_file_as_it_was(tmp_path, monkeypatch, capsys):
    program = model_fn_programs.ALL["keras_layers"]
    flag = 'tf.flags.DEFINE_float("rate_of_rewritten", 0.1, "A flag that both files define.")'
    program = program.replace("import tensorflow as tf\n", f"import tensorflow as tf\n{flag}\n")
    before, after = rewritten.texts(program)
    assert "disable_v2_behavior()" in before
    (tmp_path / "job_before_rewriting.py").write_text(before)
    (tmp_path / "job_after_rewriting.py").write_text(after)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    arguments = ["--legacy=job_before_rewriting:model_fn", "--modern=job_after_rewriting:Model"]
    arguments += ["--input=job_after_rewriting:input_fn", '--params={"units": 4}']
    assert command.main([*arguments, "--update-steps=1"]) == 0
    assert "The same: all 6 levels agree." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--modern=nowhere:build"], "importing nowhere failed"),
        (["--modern=no_colon"], "must be MODULE:NAME"),
        ([f"--modern={HERE}:nothing"], "has no 'nothing'"),
        ([f"--modern={HERE}:WORDS"], "not a function"),
        ([f"--modern={HERE}:not_compiled"], "not compiled"),
        ([f"--modern={HERE}:examples"], "building the model failed"),
        (
            [f"--modern={HERE}:compiled"],
            "takes model, defect, optimizer, but it may take only params",
        ),
        ([f"--legacy={HERE}:sgd_port", f"--modern={HERE}:port"], "Port is neither a model_fn"),
        ([f"--modern={HERE}:build_model", "--seeds=3"], "belong together"),
        ([f"--modern={HERE}:build_model", "--seeds=1", "--steps=3"], "at least 2 seeds"),
        ([f"--modern={HERE}:build_model", "--update-steps=0"], "at least 1"),
        ([f"--modern={HERE}:build_model", "--params={"], "neither MODULE:NAME nor JSON"),
        ([f"--modern={HERE}:build_model", "--output=/tmp"], "exists"),
        ([f"--modern={HERE}:build_model", "--output=/dev/null/a"], "cannot be written"),
        ([f"--modern={HERE}:build_model", "--metric=accuracy"], "LEGACY=PORT"),
        ([f"--modern={HERE}:build_model", "--checkpoint=/nowhere"], "no such checkpoint"),
        ([f"--modern={HERE}:build_model", "--map=/nowhere"], "cannot read the map"),
        ([f"--modern={HERE}:build_model", f"--input={HERE}:no_batches"], "yields no batch"),
        ([f"--modern={HERE}:build_model", f"--legacy={HERE}:no_loss"], "without a loss"),
        ([f"--modern={HERE}:build_model", f"--adapt={HERE}:four_parts"], "4 parts"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_refuses_with_a_message(arguments, told):
    with pytest.raises(cli.UsageError, match=told):
        command.main([*ARGUMENTS, *arguments])
