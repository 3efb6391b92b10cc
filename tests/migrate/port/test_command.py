"""Tests `migrate port` from the command line."""

import importlib.metadata
import json
import os
import signal
import subprocess

import pytest

from tests.migrate.port import programs


@pytest.mark.slow
def test_a_program_without_model_dir_and_seed_climbs_to_the_top(tmp_path):
    programs.small(tmp_path / "my_job")
    before = (tmp_path / "my_job" / "job.py").read_bytes()
    done = programs.port(
        tmp_path, "my_job/", "--output", "ported/", "--", "python", "my_job/job.py"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"copies below {tmp_path}/ported/runs" in done.stdout
    certificate = json.loads((tmp_path / "ported" / "certificate.json").read_text())
    (one,) = certificate["estimators"]
    assert (one["path"], one["line"], one["rung"], one["proven"]) == (
        "my_job/job.py",
        *(26, "Keras", True),
    )
    assert one["results"] == {"trainings": 1, "steps": 3, "evaluations": 1}
    assert certificate["verdict"] == "all proven at the top rung"
    assert certificate["proof"] == {
        "keras": f"tf_keras {importlib.metadata.version('tf-keras')}",
        "compared": {
            "gradient norms": 3,
            "trainings": 1,
            "evaluations": 1,
            "checkpoints": 1,
            "initial values": 4,
        },
        "extent": [
            "checkpoint of unnamed/1: 4 of 4 variables, 0 of 0 variables of optimizers. "
            "4 of a momentum that is not in use are in one checkpoint only"
        ],
        "not_compared": [],
        "absent": ["predictions", "exports"],
    }
    seeds, order = certificate["conditions"][:2]
    assert seeds.startswith("All random operations had fixed seeds")
    assert order.startswith("Data were shuffled in one order in all runs")
    assert "Compared: 3 gradient norms, 1 trainings, 1 evaluations, 1 checkpoints" in done.stdout
    assert "tf_keras.Model" in (tmp_path / "ported" / "my_job" / "job.py").read_text()
    assert "my_job/job.py:26" in (tmp_path / "ported" / "certificate.html").read_text()
    assert (tmp_path / "my_job" / "job.py").read_bytes() == before
    assert sorted(os.listdir(tmp_path / "my_job")) == ["job.py"]


@pytest.mark.slow
def test_a_program_goes_on_to_keras_3(tmp_path):
    programs.small(tmp_path / "my_job", "model")
    arguments = ("my_job", "--output=ported", "--keras=3")
    done = programs.port(tmp_path, *arguments, "--", "python", "my_job/job.py")
    assert done.returncode == 0, done.stdout + done.stderr
    certificate = json.loads((tmp_path / "ported" / "certificate.json").read_text())
    assert certificate["verdict"] == "all proven at the top rung"
    assert [one["rung"] for one in certificate["estimators"]] == ["Keras 3"]
    installed = importlib.metadata.version("keras")
    assert certificate["proof"]["keras"] == f"keras {installed}"
    assert certificate["versions"]["keras"] == installed
    assert certificate["proof"]["compared"] == {
        "gradient norms": 3,
        "trainings": 1,
        "evaluations": 1,
        "checkpoints": 1,
        "initial values": 4,
    }
    text = (tmp_path / "ported" / "my_job" / "job.py").read_text()
    assert "class Model(keras.Model)" in text
    assert "tf_keras" not in text
    assert "Estimators: 1 Keras 3" in done.stdout
    assert f"with keras {installed}" in done.stdout
    # The Keras of the port is recorded.
    again = programs.port(tmp_path, "my_job", "--output=ported", "--resume")
    assert again.returncode == 0
    assert "keras3: same (recorded before)" in again.stdout


@pytest.mark.slow
def test_a_port_that_was_killed_continues_from_its_recorded_steps(tmp_path):
    programs.copied("cnn_digits", tmp_path / "my_job")
    first = subprocess.Popen(
        [
            *(*programs.PORT, "my_job", "--output=ported", "--"),
            *("python", "my_job/cnn_digits.py"),
        ],
        cwd=tmp_path,
        env=programs.ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    )
    said = iter(first.stdout.readline, "")
    assert any(line.startswith("unmodified under legacy.run") for line in said)
    first.send_signal(signal.SIGKILL)
    first.wait()
    first.stdout.close()
    done = programs.port(tmp_path, "my_job", "--output=ported", "--resume")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 prediction recorded (recorded before)" in done.stdout
    assert "Estimators: 1 Keras" in done.stdout
    again = programs.port(tmp_path, "my_job", "--output=ported", "--resume")
    assert again.returncode == 0
    assert again.stdout.count("recorded before") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["absent", "--output=new", "--", "python", "job.py"],
            "there is no file or folder 'absent'",
        ),
        (["job.py", "--output=new"], "name the command that runs the program after --"),
        (["job.py", "--output=new", "--", "bash", "run.sh"], "name the command that runs"),
        (["job.py", "--output=new", "--", "python", "-c", "1"], "names no program"),
        (["job.py", "--output=new", "--", "python", "other.py"], "runs 'other.py', which is not"),
        (["job.py", "--output=.", "--", "python", "job.py"], "--output=. exists already"),
        (["job.py", "--output=new", "--resume"], "--output=new has no port to resume"),
        (
            ["job.py", "--output=new", "--resume", "--", "python", "job.py"],
            "--resume repeats the recorded command",
        ),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(tmp_path, arguments, message):
    (tmp_path / "job.py").write_text("print(1)\n")
    (tmp_path / "other.py").write_text("print(2)\n")
    done = programs.port(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.startswith("migrate port: ")
    assert done.stderr.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["job.py", "other.py"]


def test_a_program_that_fails_is_not_ported(tmp_path):
    (tmp_path / "job.py").write_text("import tensorflow as tf\nraise ValueError('no data')\n")
    done = programs.port(tmp_path, "job.py", "--output=new", "--", "python", "job.py")
    assert done.returncode == 2
    assert "exit code 1: ValueError: no data" in done.stderr
    assert not (tmp_path / "new" / "certificate.json").exists()


def test_a_program_that_asks_its_user_is_not_ported(tmp_path):
    (tmp_path / "job.py").write_text("steps = int(input('Steps? '))\n")
    done = programs.port(tmp_path, "job.py", "--output=new", "--", "python", "job.py")
    assert done.returncode == 2
    assert "EOFError" in done.stderr
    assert "(job.py:1). Its standard input is empty here" in done.stderr


def test_a_program_that_does_not_end_is_ended(tmp_path):
    (tmp_path / "job.py").write_text("import signal\nsignal.pause()\n")
    arguments = ("job.py", "--output=new", "--timeout=3")
    done = programs.port(tmp_path, *arguments, "--", "python", "job.py")
    assert done.returncode == 2
    assert "the program was ended after 3 s. Name fewer steps in its command line" in done.stderr


def test_an_interrupted_port_tells_how_to_continue(tmp_path):
    (tmp_path / "job.py").write_text(
        "import os, signal\nos.kill(os.getppid(), signal.SIGINT)\nsignal.pause()\n"
    )
    done = programs.port(tmp_path, "job.py", "--output=new", "--", "python", "job.py")
    assert done.returncode == 130
    assert done.stderr == (
        "Interrupted. Continue with: python -m migrate port job.py --output=new --resume\n"
    )


def test_a_program_that_writes_elsewhere_is_stopped(tmp_path):
    (tmp_path / "work").mkdir()
    victim = tmp_path / "elsewhere" / "kept"
    victim.mkdir(parents=True)
    (tmp_path / "work" / "job.py").write_text(
        f"import shutil\nname = 'elsewhere'\nshutil.rmtree(r'{tmp_path}/' + name)\n"
    )
    done = programs.port(tmp_path / "work", "job.py", "--output=new", "--", "python", "job.py")
    assert done.returncode == 2
    assert f"the program writes to {tmp_path}/elsewhere" in done.stderr
    assert victim.exists()


def test_another_keras_is_misuse(tmp_path):
    (tmp_path / "job.py").write_text("print(1)\n")
    done = programs.port(tmp_path, "job.py", "--output=new", "--keras=4", "--", "python", "job.py")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "migrate port: error: argument --keras: invalid choice: '4' (choose from "
    )
    assert os.listdir(tmp_path) == ["job.py"]


def test_a_program_that_stays_on_tf_keras_is_refused_before_it_runs(tmp_path):
    programs.copied("lstm_text", tmp_path / "my_job")
    arguments = ("my_job", "--output=new", "--keras=3")
    done = programs.port(tmp_path, *arguments, "--", "python", "my_job/lstm_text.py")
    assert done.returncode == 2
    assert done.stderr == (
        "migrate port: --keras=3: my_job/lstm_text.py stays on tf_keras: "
        "modern.porting.recurrent_layers: it computes with tf_keras alone. "
        "Port it to tf_keras: leave out --keras=3.\n"
    )
    assert done.stdout == ""
    assert os.listdir(tmp_path) == ["my_job"]


def test_a_port_is_not_resumed_with_another_keras(tmp_path):
    (tmp_path / "job.py").write_text("raise SystemExit(3)\n")
    programs.port(tmp_path, "job.py", "--output=new", "--", "python", "job.py")
    done = programs.port(tmp_path, "job.py", "--output=new", "--resume", "--keras=3")
    assert done.returncode == 2
    assert done.stderr == (
        "migrate port: --keras=3: the port in --output=new has --keras=2. Leave the option out, or "
        "start again with another --output.\n"
    )


def test_a_program_that_changed_is_not_resumed(tmp_path):
    (tmp_path / "job.py").write_text("raise SystemExit(3)\n")
    programs.port(tmp_path, "job.py", "--output=new", "--", "python", "job.py")
    (tmp_path / "job.py").write_text("raise SystemExit(4)\n")
    done = programs.port(tmp_path, "job.py", "--output=new", "--resume")
    assert done.returncode == 2
    assert "job.py has changed since the port began" in done.stderr
