"""Tests of restarts after failures, with real processes."""

import io
import signal
import socket
import threading

import pytest

from tests.modern.cluster.processes import alive, number, until

FAILS_ONCE = """
attempt = begin()
if name == os.environ["FAILING"] and attempt == 0:
    print("the reason"); sys.exit(int(os.environ.get("CODE", 3)))
if attempt == 0: await_file(f"{os.environ['FAILING']}.pid-1")
"""


def attempts(tmp_path, name):
    """Returns the process ids of a task's attempts."""
    return [number(path) for path in sorted(tmp_path.glob(f"{name}.pid-*"))]


def test_without_ps_all_trainers_restart_and_the_evaluator_stays(cluster, tmp_path):
    program = FAILS_ONCE.replace("attempt == 0: await", "task['type'] != 'evaluator': await")
    program = program.replace("sys.exit(", "await_file('evaluator-0.pid-0'); sys.exit(")
    notes = []
    with cluster(
        program, chief=True, workers=2, evaluator=True, max_restarts=1, notes=notes.append,
        env={"FAILING": "worker-1"},
    ) as job:  # fmt: skip
        before = [task.address for task in job.tasks]
        result = job.wait(20)
    assert (result.exit_code, result.failed, result.restarts) == (0, None, 1)
    assert [task.address for task in job.tasks] == before
    assert {task.name: task.attempt for task in result.tasks} == {
        "chief-0": 1, "worker-0": 1, "worker-1": 1, "evaluator-0": 0,
    }  # fmt: skip
    (failure,) = result.failures
    assert (failure.report.name, failure.report.attempt, failure.report.exit_code) == (
        "worker-1", 0, 3,
    )  # fmt: skip
    assert failure.last_line == "the reason"
    assert failure.restarted == ("chief-0", "worker-0", "worker-1")
    assert notes[0] == (
        "worker-1 failed (exit code 3): restart 1 of at most 1, of chief-0, worker-0, worker-1"
    )


@pytest.mark.parametrize("lost", ["chief-0", "worker-0", "ps-0", "evaluator-0"])
def test_with_ps_the_lost_task_restarts_alone(cluster, tmp_path, lost):
    with cluster(
        FAILS_ONCE, chief=True, workers=1, ps=1, evaluator=True, max_restarts=1,
        env={"FAILING": lost},
    ) as job:  # fmt: skip
        result = job.wait(20)
    assert (result.exit_code, result.restarts) == (0, 1)
    assert {task.name: task.attempt for task in result.tasks} == {
        name: int(name == lost) for name in ("chief-0", "worker-0", "ps-0", "evaluator-0")
    }
    assert result.failures[0].restarted == (lost,)
    assert not any(task.ended_by_launcher for task in result.tasks)


def test_each_attempt_keeps_its_log(cluster, tmp_path):
    with cluster(
        "attempt = begin(); print('attempt', attempt); sys.exit(attempt < 2)",
        workers=1, max_restarts=2,
    ) as job:  # fmt: skip
        assert job.wait(20).exit_code == 0
    logs = {path.name: path.read_text() for path in (tmp_path / "logs").iterdir()}
    assert logs == {
        "worker-0.log": "attempt 0\n",
        "worker-0.attempt-1.log": "attempt 1\n",
        "worker-0.attempt-2.log": "attempt 2\n",
    }


def test_lines_of_all_attempts_are_echoed(cluster):
    out = io.StringIO()
    program = "attempt = begin(); sys.stdout.write(f'end of {attempt}'); sys.exit(attempt < 1)"
    with cluster(program, workers=1, max_restarts=1, echo=out) as job:
        job.wait(20)
    assert out.getvalue() == "[worker-0] end of 0\n[worker-0] end of 1\n"


@pytest.mark.parametrize("sizes", [{"workers": 2}, {"workers": 1, "chief": True, "ps": 1}])
def test_a_task_that_fails_again_and_again_ends_the_job(cluster, tmp_path, sizes):
    program = "begin()\nif name == 'worker-0': sys.exit(7)\nawait_file('never')"
    with cluster(program, max_restarts=3, **sizes) as job:
        result = job.wait(30)
    assert (result.exit_code, result.restarts) == (7, 3)
    assert [failure.report.attempt for failure in result.failures] == [0, 1, 2, 3]
    assert (result.failed.name, result.failed.attempt) == ("worker-0", 3)
    assert len(attempts(tmp_path, "worker-0")) == 4


def test_misuse_is_not_restarted(cluster, tmp_path):
    with cluster(
        FAILS_ONCE, workers=2, max_restarts=3, env={"FAILING": "worker-0", "CODE": "2"}
    ) as job:
        result = job.wait(20)
    assert (result.exit_code, result.restarts, len(result.failures)) == (2, 0, 1)
    assert len(attempts(tmp_path, "worker-0")) == 1


def test_a_user_who_interrupts_sees_no_restart(cluster, tmp_path):
    program = "signal.signal(signal.SIGINT, lambda *_: sys.exit(1)); begin(); await_file('never')"
    with cluster(program, workers=2, max_restarts=3) as job:
        until(lambda: all(attempts(tmp_path, task.name) for task in job.tasks))
        job.interrupt(signal.SIGINT)
        result = job.wait(20)
    assert (result.exit_code, result.restarts, result.failures) == (130, 0, ())


def test_a_signal_during_a_restart_ends_the_job(cluster, tmp_path):
    program = """
def interrupted(*_): write_pid("ending"); await_file("go"); os._exit(0)
signal.signal(signal.SIGTERM, interrupted); begin()
if name == "worker-1": await_file("worker-0.pid-0"); sys.exit(3)
await_file("never")
"""
    with cluster(program, workers=2, max_restarts=3) as job:
        results = []
        waiting = threading.Thread(target=lambda: results.append(job.wait()))
        waiting.start()
        until(lambda: number(tmp_path / "ending"))  # The restart ends the rest of the group first.
        job.interrupt(signal.SIGTERM)
        (tmp_path / "go").touch()
        waiting.join(20)
    assert results[0].exit_code == 143
    assert all(len(attempts(tmp_path, task.name)) == 1 for task in job.tasks)


def test_the_chief_that_fails_with_its_ps_is_not_the_cause(cluster, tmp_path):
    """The budget allows one restart, that of the ps. The coordinator then fails because of it."""
    program = """
begin()
if name == "ps-0" and not pathlib.Path(here, "ps-0.pid-1").exists():
    await_file("chief-0.pid-0"); os.kill(os.getpid(), signal.SIGKILL)
if name == "chief-0": await_file("ps-0.pid-1"); sys.exit("UnavailableError")
await_file("never")
"""
    with cluster(program, chief=True, workers=1, ps=1, max_restarts=1) as job:
        result = job.wait(20)
    assert (result.exit_code, result.failed.name, result.failed.attempt) == (137, "ps-0", 0)
    assert [failure.report.name for failure in result.failures] == ["ps-0", "chief-0"]
    assert result.failures[1].last_line == "UnavailableError"


def test_a_ps_that_is_lost_after_the_end_is_no_loss(cluster):
    program = """
if name == "ps-0": await_file("done"); os.kill(os.getpid(), signal.SIGKILL)
if name == "chief-0": write_pid("done")
if name == "worker-0": await_file("go")
"""
    with cluster(program, chief=True, workers=1, ps=1, max_restarts=1) as job:
        until(lambda: {task.name for task in job._supervisor.ended} == {"chief-0", "ps-0"})
        assert job.poll() is None
        (job.log_dir.parent / "go").touch()
        result = job.wait(20)
    assert (result.exit_code, len(result.failures)) == (0, 1)
    assert result.failures[0].restarted == ()


SERVER = """
import socket
attempt = begin()
port = int(json.loads(os.environ["TF_CONFIG"])["cluster"]["worker"][0].rpartition(":")[2])
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("0.0.0.0", port)); server.listen()
if attempt == 0:
    # The end that closes first keeps the connection in TIME_WAIT, which is the server here.
    client = socket.create_connection(("127.0.0.1", port)); connection, _ = server.accept()
    LEAVE
    connection.close(); client.close(); os._exit(1)
"""


def test_a_restarted_task_serves_on_its_port_again(cluster, tmp_path):
    with cluster(SERVER.replace("LEAVE", ""), workers=1, max_restarts=1) as job:
        result = job.wait(20)
    assert result.exit_code == 0, result.last_lines


def test_a_child_that_holds_the_port_is_ended_before_the_restart(cluster, tmp_path):
    leave = (
        "subprocess.Popen(['bash', '-c', f\"trap '' TERM; echo $$ > {here}/deaf; sleep 60\"], "
        "pass_fds=[server.fileno()]); await_file('deaf')"
    )
    with cluster(SERVER.replace("LEAVE", leave), workers=1, max_restarts=1) as job:
        result = job.wait(20)
        assert not alive(number(tmp_path / "deaf"))
    assert result.exit_code == 0, result.last_lines


def test_a_port_that_another_program_has_taken_is_named(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("modern.launcher.recovery._PORT_WAIT_S", 0.2)
    notes = []
    job = cluster(
        "begin(); await_file('go'); sys.exit(5)", workers=1, max_restarts=1, notes=notes.append
    )
    port = int(job.tasks[0].address.rpartition(":")[2])
    with socket.socket() as stranger, job:
        stranger.bind(("0.0.0.0", port))
        stranger.listen()
        (tmp_path / "go").touch()
        result = job.wait(20)
    assert result.exit_code == 5
    assert f"another program has taken the address localhost:{port} of worker-0" in notes
    assert len(attempts(tmp_path, "worker-0")) == 1
