"""Tests of `modern.launch`, which runs a program as a cluster of processes on this machine."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from modern import launch
from modern.launcher import launch_flags
from tests.modern.cluster.processes import alive, number, until

CONFIG = "import json, os, sys; task = json.loads(os.environ['TF_CONFIG'])['task']\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Returns a function that calls main with flags and a Python program, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*flags, program="print('hello')"):
        return launch.main(["launch", *flags, "--", sys.executable, "-S", "-c", CONFIG + program])

    return call


def test_output_streams_and_summary(run, capsys, tmp_path):
    assert run("--workers=1", "--chief", "--ps=1", "--evaluator") == 0
    out, err = capsys.readouterr()
    names = ["chief-0", "evaluator-0", "ps-0", "worker-0"]
    assert sorted(out.splitlines()) == [f"[{name}] hello" for name in names]
    assert re.search(r"4 tasks, logs in runs/launch-\d+-\d+-\d+\n", err)
    assert re.search(r"worker-0 +localhost:\d+\n", err)
    assert re.search(r"evaluator-0 +no address: not in the cluster\n", err)
    assert re.search(r"worker-0 +exit code 0 +\d+\.\d s", err)
    (folder,) = (tmp_path / "runs").iterdir()
    assert sorted(path.stem for path in folder.iterdir()) == names


def test_failure_is_named_with_its_last_lines(run, capsys):
    program = "os.write(2, b'no such thing\\n'); sys.exit(3 if task['index'] else 0)"
    assert run("--workers=2", "--log_dir=logs", "--noecho", program=program) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "worker-1 failed first: exit code 3 after" in err
    assert "its last lines (logs/worker-1.log):\nlaunch:   | no such thing\n" in err


def test_failures_are_listed_and_written(run, capsys, tmp_path):
    program = "import pathlib; again = pathlib.Path(f'{task}'); print('a line')\n"
    program += "if task['index'] and not again.exists(): again.touch(); sys.exit(3)"
    flags = ["--workers=2", "--max_restarts=1", "--log_dir=logs"]
    assert run(*flags, program=program) == 0
    err = capsys.readouterr().err
    assert "launch: failures (logs/failures.json), restarts: 1 of at most 1:\n" in err
    time = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
    assert re.search(rf"  {time}  worker-1  0 +exit code 3  worker-0, worker-1  a line\n", err)
    assert re.search(r"worker-1 +exit code 0 .*  \(attempt 1\)\n", err)
    content = json.loads((tmp_path / "logs/failures.json").read_text())
    assert (content["exit_code"], content["restarts"], content["root_cause"]) == (0, 1, None)
    assert [entry["task"] for entry in content["failures"]] == ["worker-1"]


def test_the_root_cause_comes_first(run, capsys, tmp_path):
    program = "sys.exit(5 if task['index'] else 0)"
    assert run("--workers=2", "--max_restarts=1", "--log_dir=logs", program=program) == 5
    err = capsys.readouterr().err
    rows = err.partition("failures (logs/failures.json)")[2].splitlines()[2:]
    assert "worker-1 (root cause)  1        exit code 5" in rows[0]
    assert "worker-1               0        exit code 5" in rows[1]
    content = json.loads((tmp_path / "logs/failures.json").read_text())
    assert (content["exit_code"], content["root_cause"]) == (5, 1)


def test_without_failures_nothing_is_listed(run, capsys, tmp_path):
    assert run("--workers=1", "--log_dir=logs", "--max_restarts=1") == 0
    assert "failures" not in capsys.readouterr().err
    assert not (tmp_path / "logs/failures.json").exists()


def test_exit_code_after_a_signal(run):
    assert run("--workers=1", program="os.kill(os.getpid(), 11)") == 128 + 11


DEVICES = (
    "print(os.environ.get('CUDA_VISIBLE_DEVICES'), os.environ.get('TF_FORCE_GPU_ALLOW_GROWTH'))"
)


@pytest.mark.parametrize(
    ("devices", "chief", "workers"),
    [("auto", "", ("0,1", "2,3")), ("estimator", "0", ("1", "2"))],
)
def test_gpus_are_divided_among_the_tasks_that_train(
    run, capsys, monkeypatch, devices, chief, workers
):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2,3")
    monkeypatch.delenv("TF_FORCE_GPU_ALLOW_GROWTH", raising=False)
    sizes = ["--workers=2", "--chief", "--ps=1", "--evaluator"]
    assert run(*sizes, f"--devices={devices}", program=DEVICES) == 0
    out, err = capsys.readouterr()
    each = {"chief-0": chief, "evaluator-0": "", "ps-0": ""}
    each |= {f"worker-{i}": gpus for i, gpus in enumerate(workers)}
    assert sorted(out.splitlines()) == sorted(f"[{name}] {each[name]} true" for name in each)
    assert f"worker-1: {workers[1]}" in err


def test_without_gpus_the_launcher_says_so_and_goes_on(run, capsys, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert run("--workers=1", "--devices=auto", program="print('hello')") == 0
    out, err = capsys.readouterr()
    assert out == "[worker-0] hello\n"
    assert err.splitlines()[0] == "launch: no GPU is visible, so all tasks compute on CPUs"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--devices=gpu"], ["--devices=gpu"]),
        (["--worker=2"], ["'worker'", "Did you mean: workers"]),
        (["--workers=two"], ["--workers=two"]),
        (["--workers=-1"], ["--workers=-1"]),
        (["--workers=0", "--ps=1"], ["1 ps, no chief and no worker"]),
        (["--grace_s=-1"], ["--grace_s=-1"]),
        (["--max_restarts=-1"], ["--max_restarts=-1"]),
        (["python"], ["unexpected argument 'python'", "-- python train.py"]),
        (["--log_dir=file"], ["--log_dir=file cannot be written (Not a directory)"]),
        (["--log_dir=file/logs"], ["--log_dir=file/logs cannot be written (Not a directory)"]),
        (["--log_dir=used"], ["used/worker-0.log exists"]),
        (["--log_dir=gs://b/logs"], ["--log_dir=gs://b/logs is in a remote folder"]),
    ],
)
def test_wrong_flags_start_nothing(run, capsys, tmp_path, flags, words):
    (tmp_path / "file").touch()
    (tmp_path / "used").mkdir()
    (tmp_path / "used/worker-0.log").touch()
    assert run(*flags, program="open('started', 'w')") == 2
    err = capsys.readouterr().err
    assert err.splitlines()[-1].startswith("launch: error: ")
    for word in words:
        assert word in err
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        ([], "no command given"),
        (["--"], "no command given"),
        (["--", "no-such-program"], "'no-such-program' cannot be found"),
    ],
)
def test_wrong_commands(capsys, argv, word):
    assert launch.main(["launch", *argv]) == 2
    assert word in capsys.readouterr().err


def test_overwriting_logs_on_request(run, tmp_path):
    assert run("--workers=1", "--log_dir=logs") == 0
    assert run("--workers=1", "--log_dir=logs") == 2
    assert run("--workers=1", "--log_dir=logs", "--overwrite_logs") == 0


@pytest.mark.parametrize("flag", ["--help", "-h", "--helpfull"])
def test_help_shows_every_way_to_run_it(capsys, flag):
    assert launch.main(["launch", flag]) == 0
    out = capsys.readouterr().out
    assert "python -m modern.launch --workers=2" in out
    assert "--[no]evaluator" in out


@pytest.mark.parametrize("flag", ["--helpfull", "--helpshort", "-h"])
def test_it_takes_the_flags_for_help_of_an_absl_app(flag, capsys):
    assert launch.main(["launch", flag, "--", "python", "train.py"]) == 0
    assert "--undefok" in capsys.readouterr().out


def test_flag_surface_is_frozen():
    flags = set(launch_flags.define()) - {"h"}
    assert flags == {
        "workers", "ps", "chief", "evaluator", "log_dir", "overwrite_logs", "echo",
        "grace_s", "ps_grace_s", "evaluator_grace_s", "help", "max_restarts", "save_grace_s",
        "devices",
    }  # fmt: skip


def test_flagfile(run, tmp_path, capsys):
    (tmp_path / "cluster.flags").write_text("--workers=3\n# a comment\n--log_dir=logs\n")
    assert run("--flagfile=cluster.flags") == 0
    assert len(list((tmp_path / "logs").iterdir())) == 3


def test_missing_extra_is_one_line(tmp_path):
    code = (
        "import sys; sys.modules['portpicker'] = None; from modern import launch; "
        "sys.exit(launch.main(['launch', '--workers=1', '--', 'true']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "portpicker must be installed" in done.stderr
    assert "pip install 'estimator-ladder[launch]'" in done.stderr


def test_tensorflow_is_not_imported():
    code = (
        "import sys, modern.launch, modern.launcher.local; assert 'tensorflow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


WAITING = (
    "import pathlib, signal, time; pathlib.Path(f'pid-{task[\"index\"]}').write_text("
    "f'{os.getpid()}\\n')\n"
    "def save(*_): pathlib.Path('saved').touch(); sys.exit(0)\n"
    "for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, save)\ntime.sleep(60)"
)


def environment():
    """Returns this process's environment, with our repository importable from any folder."""
    paths = [os.path.dirname(os.path.dirname(launch.__file__)), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@pytest.mark.parametrize(
    ("signum", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)],
)
def test_signals_leave_no_process(tmp_path, signum, code):
    command = [sys.executable, "-m", "modern.launch", "--workers=2", "--log_dir=logs", "--"]
    command += [sys.executable, "-S", "-c", CONFIG + WAITING]
    launcher = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        pids = [until(lambda i=i: number(tmp_path / f"pid-{i}")) for i in range(2)]
        launcher.send_signal(signum)
        assert launcher.wait(timeout=20) == code
    finally:
        launcher.kill()
        launcher.wait()
    for pid in pids:
        until(lambda pid=pid: not alive(pid))
    # The guard ends the tasks of a killed launcher by SIGTERM, so they can save then, too.
    assert (tmp_path / "saved").exists()


def test_a_reader_that_goes_away_ends_the_job(tmp_path):
    program = CONFIG + "import time\nwhile True: print('x', flush=True); time.sleep(0.01)"
    with subprocess.Popen(
        [sys.executable, "-m", "modern.launch", "--workers=1", "--", sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as launcher:
        assert launcher.stdout.readline() == "[worker-0] x\n"
        launcher.stdout.close()
        assert launcher.wait(timeout=20) == 128 + signal.SIGPIPE
        assert "Traceback" not in launcher.stderr.read()


TENSORFLOW = """
import tensorflow as tf
config = json.loads(os.environ["TF_CONFIG"])
server = tf.distribute.Server(config["cluster"], task["type"], task["index"])
if task["type"] == "ps":
    server.join()
with tf.Graph().as_default(), tf.device("/job:ps/task:0"):
    value = tf.constant(20.0) * 2.1
with tf.compat.v1.Session(server.target, graph=value.graph) as session:
    print("from ps:", session.run(value))
"""


@pytest.mark.cluster
def test_real_servers_talk_and_the_ps_is_ended(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # gRPC must ignore it.
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "0")  # Another test may have silenced it.
    flags = ["--chief", "--workers=0", "--ps=1", "--ps_grace_s=0.1", "--log_dir=logs"]
    command = [sys.executable, "-c", CONFIG + TENSORFLOW]
    assert launch.main(["launch", *flags, "--", *command]) == 0
    out, err = capsys.readouterr()
    assert "[chief-0] from ps: 42.0\n" in out
    assert "(ended by the launcher)" in err
    # C++ code writes this to descriptor 2.
    assert "grpc_server_lib.cc" in (tmp_path / "logs/ps-0.log").read_text()
