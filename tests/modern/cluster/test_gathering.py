"""Tests of the wait for the other tasks of a cluster."""

import concurrent.futures
import json
import socket

import pytest

from modern.cluster import addresses, gathering, ports, tf_config


def tasks_of(**sizes):
    """Returns the parsed TF_CONFIG of each task of a cluster, by (type, index)."""
    free = iter(ports.free_ports(sum(sizes.values())))
    cluster = {
        name: [f"localhost:{next(free)}" for _ in range(size)] for name, size in sizes.items()
    }
    return {
        (name, index): tf_config.parse(
            json.dumps({"cluster": cluster, "task": {"type": name, "index": index}})
        )
        for name, size in sizes.items()
        for index in range(size)
    }


def test_all_tasks_find_each_other():

    def join(task):
        gathering.wait_for_all(task, 30.0)
        # This takes the place of TensorFlow's server, by which the slower tasks find this one.
        return socket.create_server(addresses.split(task.address))

    tasks = tasks_of(chief=1, worker=3).values()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        # All tasks return before the first server closes: a slower task still looks for it.
        servers = list(pool.map(join, tasks))
    for server in servers:
        server.close()


def test_a_missing_task_is_named_until_the_limit(capsys):
    task = tasks_of(worker=2)["worker", 1]
    other = f"worker-0 at {task.cluster['worker'][0]}"
    with pytest.raises(gathering.MissingTasksError, match=f"worker-1 has waited 0 s for {other}"):
        gathering.wait_for_all(task, limit_s=0.4, remind_s=0.1)
    assert f"worker-1 waits for {other}. It gives up after" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_port_that_another_program_has_is_named_at_once(host):
    task = tasks_of(worker=2)["worker", 0]
    port = addresses.split(task.address)[1]
    with (
        socket.create_server((host, port)),
        pytest.raises(
            tf_config.TFConfigError, match=rf"\(worker-0\).* port {port} is already in use"
        ),
    ):
        gathering.wait_for_all(task, 30.0)


def test_the_port_is_free_afterwards():
    task = tasks_of(worker=1)["worker", 0]
    gathering.wait_for_all(task, 30.0)
    assert addresses.bind_error(addresses.split(task.address)[1]) is None
