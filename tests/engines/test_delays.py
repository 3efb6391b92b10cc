"""Tests of the switch that delays packets."""

import subprocess
import sys

import pytest

from tests.engines import delays, namespaces

pytestmark = pytest.mark.engines

# Sends back what a client sends.
SERVER = """
import socket
server = socket.create_server(("", 9000))
print("listens", flush=True)
client, _ = server.accept()
while data := client.recv(1):
    client.sendall(data)
"""
# Prints the shortest time of a byte to the server and back.
CLIENT = """
import socket, time
server = socket.create_connection(("b", 9000))
times = []
for _ in range(10):
    start = time.monotonic()
    server.sendall(b"x")
    server.recv(1)
    times.append(time.monotonic() - start)
print(min(times))
"""


@pytest.fixture(autouse=True)
def rights():
    if reason := namespaces.obstacle({}) or delays.obstacle():
        pytest.skip(reason)


def round_trip_s(network):
    with subprocess.Popen(
        network["b"].command(sys.executable, "-c", SERVER), stdout=subprocess.PIPE
    ) as server:
        server.stdout.readline()
        return float(network["a"].run(sys.executable, "-c", CLIENT))


def test_a_byte_takes_the_latency_in_each_direction(tmp_path):
    with namespaces.network(["a", "b"], tmp_path, latency_s=0.0) as network:
        at_once = round_trip_s(network)
    with namespaces.network(["a", "b"], tmp_path, latency_s=0.05) as network:
        delayed = round_trip_s(network)
    assert at_once < 0.01
    assert 0.1 <= delayed < 0.1 + 0.01


def test_a_switch_that_cannot_start_is_an_error(capfd):
    # There is no process 0.
    with pytest.raises(RuntimeError, match="did not start"), delays.switch({"10.0.0.1": 0}, 0.0):
        pass
    assert "/proc/0/ns/net" in capfd.readouterr().err
