"""Tests of `modern.cluster.ports`, which finds free ports on this machine."""

import socket

import pytest

from modern.cluster import ports


def test_ports_are_free_distinct_and_never_given_twice():
    given = [port for _ in range(5) for port in ports.free_ports(4)]
    assert len(set(given)) == 20
    for port in given:
        with socket.socket() as probe:
            probe.bind(("", port))


def test_outgoing_connections_cannot_take_them():
    assert max(ports.free_ports(10)) < ports._first_ephemeral_port()


@pytest.fixture
def only(monkeypatch):
    """Returns a function that leaves a single port to choose from."""

    def leave(port):
        monkeypatch.setattr(ports, "_FIRST_PORT", port)
        monkeypatch.setattr(ports, "_first_ephemeral_port", lambda: port + 1)
        monkeypatch.setattr(ports, "_FEWEST_PORTS", 0)

    return leave


def test_a_taken_port_is_not_given(only):
    with socket.socket() as server:
        server.bind(("", 0))
        server.listen()
        only(server.getsockname()[1])
        with pytest.raises(RuntimeError, match="no 1 free ports"):
            ports.free_ports(1)


def test_a_port_is_given_once(only):
    (port,) = ports.free_ports(1)
    ports._picked.discard(port)
    only(port)
    assert ports.free_ports(1) == [port]
    with pytest.raises(RuntimeError, match="no 1 free ports"):
        ports.free_ports(1)


def test_where_the_kernel_leaves_no_room_portpicker_chooses(monkeypatch):
    monkeypatch.setattr(ports, "_first_ephemeral_port", lambda: 1024)
    assert len(set(ports.free_ports(3))) == 3
