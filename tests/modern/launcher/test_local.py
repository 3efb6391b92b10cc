"""Tests of `modern.launcher.local`, which runs a program as a cluster of local processes."""

import io
import json
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from modern.cluster import tf_config
from tests.modern.cluster.processes import alive, number, until
from tests.modern.launcher.prelude import PRELUDE


def by_name(result):
    return {task.name: task for task in result.tasks}


def test_all_well(cluster, tmp_path):
    with cluster("print(os.environ['TF_CONFIG'])", chief=True, workers=1, ps=1) as job:
        result = job.wait(20)
    assert (result.exit_code, result.failed, result.last_lines) == (0, None, ())
    assert [task.name for task in result.tasks] == ["chief-0", "worker-0", "ps-0"]
    for task in result.tasks:
        assert (task.exit_code, task.ended_by_launcher) == (0, False)
        assert abs(task.started - time.time()) < 60
        assert 0 < task.seconds < 20
        read = tf_config.parse(task.log.read_text())
        assert (read.name, read.address) == (task.name, task.address)


def test_evaluator_is_in_nobodys_cluster(cluster, tmp_path):
    with cluster("print(os.environ['TF_CONFIG'])", chief=True, workers=1, evaluator=True) as job:
        assert job.wait(20).exit_code == 0
    texts = {path.stem: json.loads(path.read_text()) for path in (tmp_path / "logs").iterdir()}
    assert set(texts) == {"chief-0", "worker-0", "evaluator-0"}
    assert all(set(text["cluster"]) == {"chief", "worker"} for text in texts.values())
    assert texts["evaluator-0"]["task"] == {"type": "evaluator", "index": 0}


def test_the_first_failure_by_time_is_the_cause(cluster):
    program = """
for i in range(30): print("line", i)
if name == "worker-1":
    os.write(2, b"the cause\\n"); write_pid("failed"); os._exit(5)
signal.signal(signal.SIGTERM, lambda *_: os._exit(9))  # A consequence, although first in order.
write_pid(name); await_file("never")
"""
    with cluster(program, workers=3) as job:
        result = job.wait(20)
    assert (result.exit_code, result.failed.name, result.failed.exit_code) == (5, "worker-1", 5)
    assert len(result.last_lines) == 20
    assert result.last_lines[-1] == "the cause"
    assert by_name(result)["worker-0"].ended_by_launcher


def test_a_failure_that_follows_by_itself_is_not_the_cause(cluster):
    program = """
if name == "worker-1": write_pid("gone"); os.kill(os.getpid(), signal.SIGKILL)
await_file("gone"); pid = int(pathlib.Path(here, "gone").read_text())
while os.path.exists(f"/proc/{pid}"): time.sleep(0.001)
sys.exit(7)
"""
    with cluster(program, workers=2) as job:
        until(lambda: len(job._supervisor.ended) == 2)  # Both have failed before `wait` looks.
        result = job.wait(20)
    assert (result.failed.name, result.exit_code) == ("worker-1", 137)


def test_a_failure_just_after_the_look_for_failures_is_not_missed(cluster, tmp_path):
    with cluster("await_file('go'); sys.exit(6)", workers=1) as job:
        look = job._recovery.after_failures

        def look_before_the_failure():
            found = look()
            (tmp_path / "go").touch()
            until(lambda: job._supervisor.ended)
            return found

        job._recovery.after_failures = look_before_the_failure
        assert job.wait(20).exit_code == 6


def test_a_deaf_task_is_killed(cluster, monkeypatch):
    monkeypatch.setattr("modern.launcher.supervisor.KILL_GRACE_S", 0.3)
    program = """
signal.signal(signal.SIGTERM, signal.SIG_IGN); write_pid(name)
if name == "worker-1": await_file("worker-0"); sys.exit(1)
await_file("never")
"""
    with cluster(program, workers=2) as job:
        result = job.wait(20)
    assert result.exit_code == 1
    assert by_name(result)["worker-0"].outcome == "killed by SIGKILL (9)"


def test_a_task_that_ends_early_with_0_ends_nothing(cluster):
    program = """
if name == "worker-0": write_pid("done"); sys.exit(0)
await_file("done"); await_file("go")
"""
    job = cluster(program, workers=2, grace_s=0.0)
    with job:
        until(lambda: job._supervisor.ended)
        assert job.poll() is None
        (job.log_dir.parent / "go").touch()
        result = job.wait(20)
    assert result.exit_code == 0
    assert not by_name(result)["worker-1"].ended_by_launcher


def test_ps_are_ended_when_the_trainers_have_ended(cluster):
    notes = []
    with cluster(
        "if task['type'] == 'ps': await_file('never')",
        chief=True, workers=1, ps=1, ps_grace_s=0.2, notes=notes.append,
    ) as job:  # fmt: skip
        result = job.wait(20)
    assert result.exit_code == 0
    ended = by_name(result)
    assert ended["ps-0"].ended_by_launcher
    assert not ended["worker-0"].ended_by_launcher
    assert [note for note in notes if note.endswith("ending ps-0")]


def test_serving_workers_are_ended_after_the_chief_with_their_ps(cluster):
    with cluster(
        "if task['type'] != 'chief': await_file('never')",
        chief=True, workers=1, ps=1, grace_s=0.3, ps_grace_s=60.0,
    ) as job:  # fmt: skip
        result = job.wait(20)
    assert result.exit_code == 0
    ended = by_name(result)
    assert ended["worker-0"].ended_by_launcher
    assert ended["ps-0"].ended_by_launcher


def test_ps_serve_as_long_as_workers_may_train(cluster, tmp_path):
    program = """
if name == "worker-0": await_file("go")
if name == "ps-0": await_file("never")
"""
    with cluster(program, chief=True, workers=1, ps=1, ps_grace_s=0.0) as job:
        until(lambda: job._supervisor.ended)
        assert job.poll() is None
        assert {task.name for task in job._supervisor.running()} == {"worker-0", "ps-0"}
        (tmp_path / "go").touch()
        result = job.wait(20)
    assert [task.name for task in result.tasks if task.ended_by_launcher] == ["ps-0"]


def test_the_evaluator_has_its_own_time(cluster, tmp_path):
    program = "if name == 'evaluator-0': await_file('go')"
    with cluster(program, workers=1, evaluator=True, grace_s=0.0) as job:
        until(lambda: job._supervisor.ended)
        assert job.poll() is None
        (tmp_path / "go").touch()
        assert not by_name(job.wait(20))["evaluator-0"].ended_by_launcher


def test_an_evaluator_without_end_is_ended(cluster):
    program = "if name == 'evaluator-0': await_file('never')"
    with cluster(program, workers=1, evaluator=True, evaluator_grace_s=0.2) as job:
        result = job.wait(20)
    assert result.exit_code == 0
    assert by_name(result)["evaluator-0"].ended_by_launcher


def test_a_failing_evaluator_fails_the_job(cluster):
    program = "sys.exit(4 if name == 'evaluator-0' else 0)"
    with cluster(program, workers=1, evaluator=True) as job:
        assert job.wait(20).failed.name == "evaluator-0"


def test_leaving_the_context_ends_all_and_their_children(cluster, tmp_path):
    program = """
child = subprocess.Popen(["sleep", "60"], start_new_session=False)
pathlib.Path(here, name).write_text(f"{child.pid}\\n"); child.wait()
"""
    with cluster(program, workers=2) as job:
        children = [until(lambda i=i: number(tmp_path / f"worker-{i}")) for i in range(2)]
        with pytest.raises(TimeoutError, match=r"still runs after 0 s: worker-0, worker-1"):
            job.wait(0)
    assert not any(alive(child) for child in children)


def test_what_a_task_leaves_behind_is_ended(cluster, tmp_path):
    program = """
deaf = f"trap '' TERM; echo $$ > {here}/{name}; sleep 60"
subprocess.Popen(["bash", "-c", deaf]); await_file(name)
"""
    with cluster(program, workers=1) as job:
        assert job.wait(20).exit_code == 0
    assert not alive(number(tmp_path / "worker-0"))


def test_interrupt_lets_the_leaders_save_before_the_ps_end(cluster, tmp_path):
    program = """
def save(*_):
    write_pid(f"{name}-saving"); await_file("go"); write_pid(f"{name}-saved"); sys.exit(0)
signal.signal(signal.SIGINT, save); write_pid(name); await_file("never")
"""
    with cluster(program, chief=True, workers=1, ps=1) as job:
        until(lambda: all(number(tmp_path / task.name) for task in job.tasks))
        job.interrupt(signal.SIGINT)
        results = []
        waiting = threading.Thread(target=lambda: results.append(job.wait()))
        waiting.start()
        until(lambda: number(tmp_path / "chief-0-saving"))
        assert alive(number(tmp_path / "ps-0"))
        (tmp_path / "go").touch()
        waiting.join(20)
    assert results[0].exit_code == 130
    assert results[0].failed is None
    assert (tmp_path / "chief-0-saved").exists()
    assert not (tmp_path / "ps-0-saving").exists()


def test_a_second_interrupt_does_not_wait(cluster, tmp_path):
    program = "signal.signal(signal.SIGINT, signal.SIG_IGN); write_pid(name); await_file('never')"
    notes = []
    with cluster(program, workers=1, notes=notes.append) as job:
        until(lambda: number(tmp_path / "worker-0"))
        job.interrupt(signal.SIGINT)
        waiting = threading.Thread(target=job.wait)
        waiting.start()
        until(lambda: notes and "a second signal ends everything" in notes[0])
        job.interrupt(signal.SIGINT)
        waiting.join(10)
        assert not waiting.is_alive()
        assert job.poll().exit_code == 130


SAVES = """
def save(number, _):
    write_pid(f"{name}-saving"); await_file("go"); write_pid(f"{name}-saved")
    sys.exit(128 + number)
signal.signal(signal.SIGTERM, save); signal.signal(signal.SIGHUP, save)
write_pid(name); await_file("never")
"""


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_sigterm_lets_the_trainers_save_before_the_ps_end(cluster, tmp_path, signum, code):
    with cluster(SAVES, chief=True, workers=1, ps=1, evaluator=True) as job:
        until(lambda: all(number(tmp_path / task.name) for task in job.tasks))
        job.interrupt(signum)
        results = []
        waiting = threading.Thread(target=lambda: results.append(job.wait()))
        waiting.start()
        until(lambda: number(tmp_path / "chief-0-saving"))
        # The chief of an Estimator cluster waits for its workers, so they have to stop as well.
        until(lambda: number(tmp_path / "worker-0-saving"))
        assert alive(number(tmp_path / "ps-0"))
        assert not (tmp_path / "ps-0-saving").exists()
        (tmp_path / "go").touch()
        waiting.join(20)
    assert (results[0].exit_code, results[0].failed, results[0].failures) == (code, None, ())
    for name in ("chief-0", "worker-0", "evaluator-0"):
        assert (tmp_path / f"{name}-saved").exists()
    # After SIGHUP, too, the programs get SIGTERM: they know it as the request to save.
    assert by_name(results[0])["chief-0"].exit_code == 143


def test_workers_of_a_cluster_with_ps_are_signalled_after_their_chief(cluster, tmp_path):
    program = """
def save(*_):
    write_pid(f"{name}-saving"); sys.exit(0)
signal.signal(signal.SIGTERM, save); write_pid(name); await_file("never")
"""
    with cluster(program, chief=True, workers=1, ps=1) as job:
        until(lambda: all(number(tmp_path / task.name) for task in job.tasks))
        job.interrupt(signal.SIGTERM)
        job.wait()
        ended = [task.name for task in job._supervisor.ended]
    assert ended[0] == "chief-0"  # It did not lose a worker while it saved.


def test_saving_is_bounded(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("modern.launcher.supervisor.KILL_GRACE_S", 0.3)
    with cluster(SAVES, workers=2, save_grace_s=0.5) as job:
        until(lambda: all(number(tmp_path / task.name) for task in job.tasks))
        job.interrupt(signal.SIGTERM)
        began = time.monotonic()
        result = job.wait()
    assert time.monotonic() - began < 5
    assert result.exit_code == 143
    assert by_name(result)["worker-0"].outcome == "killed by SIGKILL (9)"


def test_a_program_in_a_shell_gets_one_signal_and_the_time_to_save(cluster, tmp_path):
    """A shell ends at SIGTERM at once, before the program that it waits for."""
    program = """
saves = 0
def save(*_):
    global saves
    saves += 1; write_pid(f"saving-{saves}"); await_file("go"); write_pid("saved"); sys.exit(0)
signal.signal(signal.SIGTERM, save); write_pid("inner"); await_file("never")
"""
    (tmp_path / "inner.py").write_text(PRELUDE + program)
    shell = """
line = f"{sys.executable} -S {here}/inner.py {here}; exit $?"
os.execvp("bash", ["bash", "-c", line])
"""
    with cluster(shell, workers=1) as job:
        inner = until(lambda: number(tmp_path / "inner"))
        assert inner != job.tasks[0].pid
        job.interrupt(signal.SIGTERM)
        waiting = threading.Thread(target=job.wait)
        waiting.start()
        until(lambda: job._supervisor.ended and number(tmp_path / "saving-1"))
        (tmp_path / "go").touch()
        waiting.join(20)
    assert (tmp_path / "saved").exists()
    assert not (tmp_path / "saving-2").exists()


def test_own_environment_and_arguments(cluster, tmp_path):
    with cluster(
        "print(sys.argv[2:], os.environ['ALL'], os.environ['OWN'])",
        workers=2,
        env={"ALL": "a"},
        task_env=lambda kind, index: {"OWN": f"{kind}{index}"},
        task_args=lambda kind, index: [f"--index={index}"],
    ) as job:
        assert job.wait(20).exit_code == 0
    assert (tmp_path / "logs/worker-1.log").read_text() == "['--index=1'] a worker1\n"


def test_echo_prefixes_lines_and_output_is_not_held_back(cluster, tmp_path):
    out = io.StringIO()
    with cluster(
        "print('sch\\u00f6n'); await_file('go')", workers=1, echo=out, env={"PYTHONUTF8": "1"}
    ) as job:
        until(lambda: job.poll() is None and out.getvalue())
        assert out.getvalue() == "[worker-0] sch\u00f6n\n"
        (tmp_path / "go").touch()
        job.wait(20)


def test_echo_in_colour(cluster):
    out = io.StringIO()
    with cluster("print('x')", workers=1, echo=out, color=True) as job:
        job.wait(20)
    assert out.getvalue() == "\033[36m[worker-0]\033[0m x\n"


def test_memory_counts_all_processes_of_a_task(cluster, tmp_path):
    program = """
code = "import sys; x = bytearray(60_000_000); print(flush=True); sys.stdin.read()"
pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
children = [subprocess.Popen([sys.executable, "-S", "-c", code], **pipes) for _ in range(2)]
for child in children: child.stdout.readline()
write_pid(name); await_file("go")
for child in children: child.communicate()
"""
    with cluster(program, workers=1) as job:
        until(lambda: number(tmp_path / "worker-0"))
        until(lambda: job.poll() is None and (job.tasks[0].report().peak_rss_mb or 0) > 120)
        (tmp_path / "go").touch()
        assert 120 < job.wait(20).tasks[0].peak_rss_mb < 400


def test_existing_logs_are_kept_unless_asked(cluster, tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/worker-0.log").write_text("precious")
    with pytest.raises(FileExistsError, match="worker-0.log exists"):
        cluster("pass", workers=1)
    for stale in ("worker-0.attempt-1.log", "failures.json", "notes.txt"):
        (tmp_path / "logs" / stale).touch()
    with cluster("pass", workers=1, overwrite_logs=True) as job:
        job.wait(20)
    assert {path.name for path in (tmp_path / "logs").iterdir()} == {"worker-0.log", "notes.txt"}
    assert (tmp_path / "logs/worker-0.log").read_text() == ""


@pytest.mark.parametrize("name", ["worker-0.attempt-1.log", "failures.json"])
def test_files_of_an_earlier_job_are_kept_unless_asked(cluster, tmp_path, name):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / name).touch()
    with pytest.raises(FileExistsError, match=re.escape(name)):
        cluster("pass", workers=1)


def test_a_killed_launcher_leaves_nothing(tmp_path):
    program = f"""
import sys
from modern.launcher.local import LocalCluster
code = '''
import os, pathlib, subprocess, json
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
child = subprocess.Popen(["sleep", "60"])
pathlib.Path({str(tmp_path)!r}, f"child-{{index}}").write_text(f"{{child.pid}}\\\\n")
pathlib.Path({str(tmp_path)!r}, f"task-{{index}}").write_text(f"{{os.getpid()}}\\\\n")
child.wait()
'''
with LocalCluster([sys.executable, "-S", "-c", code], workers=2, log_dir={str(tmp_path)!r}) as job:
    job.wait()
"""
    names = ("child-0", "child-1", "task-0", "task-1")
    launcher = subprocess.Popen([sys.executable, "-c", program])
    try:
        pids = [until(lambda name=name: number(tmp_path / name)) for name in names]
    finally:
        launcher.kill()
        launcher.wait()
    for each in pids:
        until(lambda each=each: not alive(each))
