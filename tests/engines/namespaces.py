"""Machines of a network on this computer, made of Linux namespaces. They need root.

    with network(["a", "b"], folder, rate=100e6) as machines:
        machines["a"].run("curl", "b:8000")
        machines["b"].kill()

Each machine has its own network, host name, mounts and processes, and the files of this computer
except `/run`. A bridge connects the machines. It is in a namespace, too, so this computer's own
network stays as it is. A machine's interface is `eth0`: `nft`, run on the machine, makes it lossy.
With a latency, `delays` connects the machines instead.

The first process of a machine reads from a pipe, and ends when the pipe is closed. The kernel then
kills the other processes of the machine, and frees its network and mounts. So nothing remains,
even if the process that made the machines is killed.
"""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.engines import delays

_NEW = ("unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# bash as the first process also reaps the processes that others have left. Most computers use cubic
# for congestion control. Some kernels let a namespace choose only reno, which also slows down when
# packets are lost. With BBR, the default of some kernels, steps of a ring took longer
# (docs/evidence/forecast.md).
_FIRST_PROCESS = """\
hostname "$0"
mount --bind "$1" /etc/hosts
mount -t tmpfs run /run
ip link set dev lo up
congestion=/proc/sys/net/ipv4/tcp_congestion_control
echo cubic 2>/dev/null >$congestion || echo reno >$congestion
echo ready
read -r
"""
# A limited link that has rested sends what it could have sent meanwhile at once, up to this time. A
# real link does not. On a busy computer, timers are late by about as much, and a shorter time would
# lower the rate.
RESTED_S = 4e-3
_PACKAGES = {"unshare": "util-linux", "nsenter": "util-linux", "ip": "iproute2"}


def obstacle(packages: Mapping[str, str]) -> str | None:
    """Returns the reason why this computer cannot have machines with some commands, or None.

    Args:
      packages: Names of the commands, each with the Debian package that has it.
    """
    for name, package in {**_PACKAGES, **packages}.items():
        if not shutil.which(name):
            return f"{name} is not installed: it is in Debian's package {package}"
    bridge = ["ip", "link", "add", "name", "bridge", "type", "bridge"]
    made = subprocess.run([*_NEW, *bridge], capture_output=True, text=True)
    if made.returncode:
        reason = made.stderr.strip().replace("\n", " ")
        return f"no right to make namespaces and a bridge, as root has it: {reason}"
    return None


class Machine:
    """A machine.

    Attributes:
      name: Host name.
      pid: Process id, on this computer, of a process in the machine's network and mounts.
    """

    def __init__(self, name: str, hosts: pathlib.Path) -> None:
        """Starts the machine.

        Args:
          name: Host name.
          hosts: File of host names and addresses, for `/etc/hosts`.
        """
        self.name = name
        # In its own session, so that Ctrl-C leaves the end of the machine to `kill`.
        self._unshare = subprocess.Popen(
            [*_NEW, "bash", "-euc", _FIRST_PROCESS, name, str(hosts)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self.pid = self._unshare.pid
        assert self._unshare.stdout
        if not self._unshare.stdout.readline():
            self.kill()
            raise RuntimeError(f"the machine {name} did not start")

    def command(self, *words: str) -> list[str]:
        """Returns the command that runs a command on the machine."""
        folder = f"/proc/{self.pid}/ns"
        return [
            "nsenter", f"--net={folder}/net", f"--uts={folder}/uts", f"--mount={folder}/mnt",
            f"--pid={folder}/pid_for_children", *words,
        ]  # fmt: skip

    def run(self, *words: str, **options: Any) -> str:
        """Runs a command on the machine to its end.

        Args:
          *words: The command.
          **options: Options of `subprocess.run`.

        Returns:
          Its standard output.

        Raises:
          RuntimeError: It failed.
        """
        return _output(self.command(*words), **options)

    def lose_power(self) -> None:
        """Kills all processes by SIGKILL after the loss of the network, as a loss of power does.

        Without a network, the connections of the processes stay open for other machines.
        """
        self.run("ip", "link", "set", "dev", "eth0", "down")
        self.kill()

    def kill(self) -> None:
        """Kills all processes of the machine by SIGKILL, which also ends its network."""
        assert self._unshare.stdin
        assert self._unshare.stdout
        self._unshare.stdin.close()
        self._unshare.wait()
        self._unshare.stdout.close()


@contextlib.contextmanager
def network(
    names: Sequence[str],
    folder: pathlib.Path,
    rate: float | None = None,
    latency_s: float | None = None,
) -> Iterator[dict[str, Machine]]:
    """Starts machines that reach each other by their names, and kills them at the end.

    Args:
      names: Host names, of at most 15 characters.
      folder: Folder for the file of their addresses.
      rate: Bits per second of each machine's link in each direction, as those of an Ethernet. None
        sets no limit.
      latency_s: Seconds from one machine to another. None, which a rate needs, adds none.

    Yields:
      The machines by their names.

    Raises:
      ValueError: There is a rate and a latency.
    """
    if rate and latency_s is not None:
        raise ValueError("a network has a rate or a latency, not both")
    addresses = {name: f"10.0.0.{n}" for n, name in enumerate(names, start=1)}
    hosts = folder / "hosts"
    lines = [f"{address} {name}\n" for name, address in addresses.items()]
    hosts.write_text("".join(["127.0.0.1 localhost\n", *lines]))
    with contextlib.ExitStack() as stack:

        def start(name: str) -> Machine:
            machine = Machine(name, hosts)
            stack.callback(machine.kill)
            return machine

        machines = {name: start(name) for name in names}
        if latency_s is None:
            _connect_by_bridge(machines, start("switch"), rate)
        else:
            pids = {addresses[name]: machine.pid for name, machine in machines.items()}
            stack.enter_context(delays.switch(pids, latency_s))
        for name, machine in machines.items():
            machine.run("ip", "address", "add", f"{addresses[name]}/24", "dev", "eth0")
            mtu = [] if latency_s is None else ["mtu", str(delays.MTU)]
            machine.run("ip", "link", "set", "dev", "eth0", *mtu, "up")
        yield machines


def _connect_by_bridge(
    machines: Mapping[str, Machine], switch: Machine, rate: float | None
) -> None:
    switch.run("ip", "link", "add", "name", "bridge", "type", "bridge")
    switch.run("ip", "link", "set", "dev", "bridge", "up")
    for name, machine in machines.items():
        # The pid of the machine is known outside of the switch's processes only.
        on_switch = ["nsenter", f"--net=/proc/{switch.pid}/ns/net"]
        peer = ["peer", "name", "eth0", "netns", str(machine.pid)]
        _output([*on_switch, "ip", "link", "add", "name", name, "type", "veth", *peer])
        switch.run("ip", "link", "set", "dev", name, "master", "bridge", "up")
        if rate:
            machine.run("tc", *_limit("eth0", rate))
            switch.run("tc", *_limit(name, rate))


def _limit(device: str, rate: float) -> list[str]:
    """Returns the arguments of `tc` that limit the rate at which a device sends."""
    # `tc` counts 1,514 of the 1,538 bytes that a full frame takes on an Ethernet: it leaves out the
    # preamble, the checksum and the gap.
    counted = f"{rate * 1514 / 1538:.0f}bit"
    bucket = rate / 8 * RESTED_S
    limit = ["tbf", "rate", counted, "burst", f"{bucket:.0f}", "limit", f"{4 * bucket:.0f}"]
    return ["qdisc", "add", "dev", device, "root", *limit]


def _output(command: Sequence[str], **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr}")
    return done.stdout
