"""Free ports on this machine.

>>> first, second = free_ports(2)
>>> first != second
True

Between the moment a port is found free and the moment TensorFlow binds it, seconds later, another
program may take it. Nothing can prevent that, since TensorFlow takes a number and not an open
socket. So the ports lie below those that the kernel gives to outgoing connections, which are by far
the most frequent takers, and they are random, so that two launchers hardly ever agree. Where a port
server is set up (PORTSERVER_ADDRESS, see portpicker), it is asked instead. What is left of the race
shows as the message of `modern.cluster.tf_config.validate` that names the port.
"""

import os
import pathlib
import random

import portpicker

_FIRST_PORT = 10_000
_FEWEST_PORTS = 1000
_given: set[int] = set()


def free_ports(count: int) -> list[int]:
    """Picks ports that nothing uses and that this process was not given before.

    Args:
      count: How many.

    Returns:
      Distinct port numbers.

    Raises:
      RuntimeError: Not as many free ports were found.
    """
    stop = _first_ephemeral_port()
    ask_picker = "PORTSERVER_ADDRESS" in os.environ or stop - _FIRST_PORT < _FEWEST_PORTS
    own_random = random.SystemRandom()
    ports: list[int] = []
    for _ in range(100 + 100 * count):
        if len(ports) == count:
            return ports
        if ask_picker:
            port = portpicker.pick_unused_port()
        else:
            port = own_random.randrange(_FIRST_PORT, stop)
            if not portpicker.is_port_free(port):
                continue
        if port not in _given:
            _given.add(port)
            ports.append(port)
    raise RuntimeError(f"found no {count} free ports on this machine: end programs that hold them")


def _first_ephemeral_port() -> int:
    try:
        text = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text()
    except OSError:
        return 32768  # Linux' default; other systems begin above it.
    return int(text.split()[0])
