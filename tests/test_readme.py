"""Tests that every command of the README works. Trainings are cut short."""

import configparser
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.strip().splitlines()
]
_APPS = ("modern.train", "legacy.train", "migrate train")
PORTS = [line for line in COMMANDS if "migrate port" in line]
TRAININGS = [line for line in COMMANDS if any(app in line for app in _APPS)]
OLD_PROGRAMS = [line for line in COMMANDS if "legacy.run" in line]
MIGRATE = [line for line in COMMANDS if "-m migrate" in line and line not in (*TRAININGS, *PORTS)]
# A part of the output of each command of MIGRATE, in the same order.
SAID = (
    re.search(r"```\n( *\d+ rewritten .*?)```", README, re.DOTALL)[1],
    "+from legacy",
    "name-based, step 2",
    "The same: all 6 levels agree.",
    "# Early stopping: ",
    "Under ParameterServerStrategy: 4 tasks, 2 train",
)
MAKE = [line for line in COMMANDS if line.startswith("make ")]
INSTALLS = [line for line in COMMANDS if line.startswith("pip install ")]


def test_every_command_is_tested():
    compared = [line for line in COMMANDS if line.startswith("python -m benchmarks.compare")]
    assert len(TRAININGS) == 6
    # tests/cluster/test_compare.py runs the comparison.
    assert len(compared) == 1
    assert len(OLD_PROGRAMS) == 2
    assert len(PORTS) == 1
    assert len(MIGRATE) == len(SAID)
    assert len(INSTALLS) == 1
    assert set(COMMANDS) == {
        *TRAININGS, *MAKE, *INSTALLS, *compared, *OLD_PROGRAMS, *MIGRATE, *PORTS
    }  # fmt: skip


def _of_one_process_or_a_cluster(line):
    marks = pytest.mark.cluster if "modern.launch" in line else ()
    return pytest.param(line, id=line[:60], marks=marks)


@pytest.mark.parametrize("line", [*map(_of_one_process_or_a_cluster, TRAININGS)])
def test_a_training_runs_as_it_is_written(line, tmp_path):
    words = [sys.executable if word == "python" else word for word in shlex.split(line)]
    if "modern.launch" in words:  # Its logs would stay in the repository.
        words.insert(words.index("modern.launch") + 1, f"--log_dir={tmp_path}/logs")
    done = subprocess.run(
        [*words, "--train_steps=40", f"--model_dir={tmp_path}/model"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "model" / "result.json").exists()
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("line", OLD_PROGRAMS)
def test_an_old_program_runs(line):
    words = [sys.executable, *shlex.split(line)[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("'loss'" in done.stdout) != ("--report" in line)
    if "--report" in line:
        decision, count = done.stderr.splitlines()
        assert "is read as TensorFlow 1 (" in decision
        assert count == "0 of 13 names are not provided."


@pytest.mark.parametrize(
    ("line", "said"),
    list(zip(MIGRATE, SAID, strict=True)),
)
def test_a_tool_says_what_it_found(line, said):
    words = [sys.executable, *shlex.split(line)[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert said in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("line", PORTS)
def test_a_port_says_what_the_readme_shows(line, tmp_path):
    words = [sys.executable, *shlex.split(line.replace("runs/ported", f"{tmp_path}/ported"))[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    (shown,) = re.findall(r"```\n(unmodified .*?)```", README, re.DOTALL)
    said = done.stdout.splitlines()
    for expected in shown.splitlines():
        # Seconds and versions differ.
        pattern = re.sub(r"\\\(\d+\\ s\\\)", r"\\(\\d+ s\\)", re.escape(expected))
        pattern = re.sub(r"\d+(\\\.\d+){2}", r"[\\d.]+", pattern)
        assert any(re.fullmatch(pattern, one) for one in said), (expected, done.stdout)
    assert (tmp_path / "ported" / "certificate.html").exists()


@pytest.mark.parametrize("line", MAKE)
def test_make_knows_the_target(line):
    done = subprocess.run([*shlex.split(line), "-n"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_example_of_rewriting_is_the_output_of_the_command(tmp_path):
    (diff,) = re.findall(r"```diff\n(.*?)```", README, re.DOTALL)
    sides = {
        sign: "".join(line[1:] + "\n" for line in diff.splitlines() if line[0] == sign)
        for sign in "-+"
    }
    program = tmp_path / "old.py"
    program.write_text(
        "import tensorflow as tf\n\n\ndef input_fn():\n"
        "    features = {'x': [1.0, 2.0]}\n"
        "    return tf.data.Dataset.from_tensor_slices((features, [0, 1])).batch(2)\n\n\n"
        + sides["-"]
    )
    for to in ("legacy", "modern"):
        words = [sys.executable, "-m", "migrate", "rewrite", f"--to={to}", "--write", str(program)]
        subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    assert program.read_text().endswith(sides["+"])


@pytest.mark.parametrize("line", INSTALLS)
def test_an_installation_names_extras_that_exist(line):
    """The extras exist. A test that installs them into a new environment would take minutes."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    (target,) = shlex.split(line)[2:]
    extras = re.fullmatch(r"\.\[(.*)\]", target)[1].split(",")
    assert set(extras) <= set(config["options.extras_require"])


def test_the_files_that_it_names_are_there():
    names = re.findall(r"\]\(([^)#]+)\)", README) + re.findall(r"--flagfile=(\S+)", README)
    missing = [name for name in names if "://" not in name and not (ROOT / name).exists()]
    assert not missing
