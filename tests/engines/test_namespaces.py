"""Tests of `tests.engines.namespaces`, which makes machines of a network."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys

import pytest

from tests.engines import namespaces

pytestmark = pytest.mark.engines

# Sends its host name to the first client, and keeps the connection.
SERVER = """
import socket
server = socket.create_server(("", 9000))
print("listens", flush=True)
client, _ = server.accept()
client.sendall(socket.gethostname().encode())
client.recv(1)
"""
# Prints what the server sends, and then how the connection ends within two seconds.
CLIENT = """
import socket
server = socket.create_connection(("b", 9000), timeout=2)
print(server.recv(100).decode(), flush=True)
try:
    print("data" if server.recv(100) else "closed")
except OSError as error:
    print(type(error).__name__)
"""
# Prints the bits per second, with the headers of an Ethernet, in which a client sends its data.
RECEIVER = """
import socket, time
server = socket.create_server(("", 9000))
print("listens", flush=True)
client, _ = server.accept()
client.recv(1)
start, size = time.monotonic(), 0
while data := client.recv(1 << 20):
    size += len(data)
print(8 * size * 1538 / 1448 / (time.monotonic() - start))
"""
SENDER = """
import socket, sys
server = socket.create_connection(("b", 9000))
server.sendall(b"x")
server.sendall(bytes(int(sys.argv[1])))
"""
# Prints the shortest time in which all data of a rested client arrive.
RECEIVER_OF_RESTED = """
import socket, struct, time
server = socket.create_server(("", 9000))
print("listens", flush=True)
client, _ = server.accept()
times = []
while header := client.recv(12, socket.MSG_WAITALL):
    start, size = struct.unpack("<di", header)
    while size:
        size -= len(client.recv(min(1 << 20, size)))
    times.append(time.time() - start)
    client.sendall(b"x")
print(min(times))
"""
RESTED_SENDER = """
import socket, struct, sys, time
server = socket.create_connection(("b", 9000))
data = bytes(int(sys.argv[1]))
for _ in range(10):
    time.sleep(0.05)
    server.sendall(struct.pack("<di", time.time(), len(data)))
    server.sendall(data)
    server.recv(1)
"""
# Prints the obstacle.
OBSTACLE = "from tests.engines import namespaces; print(namespaces.obstacle({}))"


@pytest.fixture
def machines(tmp_path):
    if reason := namespaces.obstacle({}):
        pytest.skip(reason)
    with namespaces.network(["a", "b"], tmp_path) as found:
        yield found


def python(machine, program):
    """Starts a program on a machine, and returns it with the first line that it prints."""
    command = machine.command(sys.executable, "-c", program)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


@pytest.mark.parametrize(
    ("loss", "ends"),
    [("kill", ("closed", "ConnectionResetError")), ("lose_power", ("TimeoutError",))],
)
def test_machines_reach_each_other_by_name_until_one_is_lost(machines, loss, ends):
    server, _ = python(machines["b"], SERVER)
    client, name = python(machines["a"], CLIENT)
    assert name == "b"
    getattr(machines["b"], loss)()
    assert client.communicate()[0].strip() in ends
    server.communicate()
    assert server.returncode != 0


def test_this_computer_keeps_its_network_name_and_mounts(machines):
    def own():
        links = subprocess.run(["ip", "-o", "link"], capture_output=True, text=True, check=True)
        return socket.gethostname(), links.stdout, pathlib.Path("/proc/mounts").read_text()

    before = own()
    machines["a"].run("ip", "link", "add", "name", "other", "type", "bridge")
    machines["a"].run("mount", "-t", "tmpfs", "other", "/mnt")
    machines["a"].run("hostname", "other")
    assert own() == before


def test_a_command_that_fails_is_an_error_with_its_reason(machines):
    with pytest.raises(RuntimeError, match="ended with 1: .*does not exist"):
        machines["a"].run("ip", "link", "show", "other")


def test_machines_control_congestion_as_most_computers_do(machines):
    chosen = machines["a"].run("cat", "/proc/sys/net/ipv4/tcp_congestion_control")
    # Not by the default of this kernel, which is BBR on some virtual machines.
    assert chosen.strip() in ("cubic", "reno")


def test_a_rate_and_a_latency_are_refused(tmp_path):
    network = namespaces.network(["a"], tmp_path, rate=1e9, latency_s=0.1)
    with pytest.raises(ValueError, match="not both"), network:
        pass


@pytest.mark.parametrize("rate", [100e6, 1e9])
def test_a_link_has_its_rate(tmp_path, rate):
    if reason := namespaces.obstacle({"tc": "iproute2"}):
        pytest.skip(reason)
    with namespaces.network(["a", "b"], tmp_path, rate) as machines:
        receiver, _ = python(machines["b"], RECEIVER)
        # For a second.
        machines["a"].run(sys.executable, "-c", SENDER, str(int(rate / 8)))
        assert float(receiver.communicate()[0]) == pytest.approx(rate, rel=0.05)


@pytest.mark.parametrize("rate", [100e6, 1e9])
def test_a_link_that_has_rested_is_faster_for_a_moment(tmp_path, rate):
    if reason := namespaces.obstacle({"tc": "iproute2"}):
        pytest.skip(reason)
    seconds = 0.1
    size = int(seconds * rate / 8 * 1448 / 1538)
    with namespaces.network(["a", "b"], tmp_path, rate) as machines:
        receiver, _ = python(machines["b"], RECEIVER_OF_RESTED)
        machines["a"].run(sys.executable, "-c", RESTED_SENDER, str(size))
        measured_s = float(receiver.communicate()[0])
    assert measured_s == pytest.approx(seconds - namespaces.RESTED_S, abs=namespaces.RESTED_S / 2)


@pytest.mark.skipif(not shutil.which("ip"), reason="ip is not installed (package iproute2)")
def test_a_missing_command_and_a_missing_right_are_named():
    assert namespaces.obstacle({"slurmctl": "slurm"}) == (
        "slurmctl is not installed: it is in Debian's package slurm"
    )
    drop_rights = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    without_rights = drop_rights if os.geteuid() == 0 else []
    done = subprocess.run(
        [*without_rights, sys.executable, "-c", OBSTACLE],
        cwd=pathlib.Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("no right to make namespaces and a bridge, as root has it: ")
