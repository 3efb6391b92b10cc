"""Free ports on this machine.

>>> first, second = free_ports(2)
>>> first != second
True

TensorFlow binds a port seconds after it was checked, and another program may take it in between.
Nothing can prevent that, since TensorFlow takes a number and not an open socket. Two measures make
it unlikely. The ports lie below the range that the kernel uses for outgoing connections, which are
by far the most frequent users of free ports. And they are random, so that two launchers hardly ever
choose the same one. If a port server is set up (PORTSERVER_ADDRESS, see portpicker), it chooses the
ports instead. If the race is lost all the same, `modern.cluster.tf_config.validate` reports the
port.
"""

import os
import pathlib
import random

import portpicker

_FIRST_PORT = 10_000
# If fewer ports lie below the ephemeral range, portpicker chooses instead.
_FEWEST_PORTS = 1000
_picked: set[int] = set()


def free_ports(count: int) -> list[int]:
    """Picks ports that no program uses and that this process has not picked before.

    Args:
      count: Number of ports.

    Returns:
      Distinct port numbers.

    Raises:
      RuntimeError: The machine does not have as many free ports.
    """
    stop = _first_ephemeral_port()
    ask_picker = "PORTSERVER_ADDRESS" in os.environ or stop - _FIRST_PORT < _FEWEST_PORTS
    own_random = random.SystemRandom()
    ports: list[int] = []
    # Bounds the number of attempts.
    for _ in range(100 + 100 * count):
        if len(ports) == count:
            return ports
        if ask_picker:
            port = portpicker.pick_unused_port()
        else:
            port = own_random.randrange(_FIRST_PORT, stop)
            if not portpicker.is_port_free(port):
                continue
        if port not in _picked:
            _picked.add(port)
            ports.append(port)
    raise RuntimeError(f"found no {count} free ports on this machine: end programs that hold them")


def _first_ephemeral_port() -> int:
    try:
        text = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text()
    except OSError:
        return 32768  # Linux' default. Other systems begin above it.
    return int(text.split()[0])
