"""A SLURM cluster on this computer: a controller and nodes, each a machine of its own.

    with cluster(folder) as slurm:
        job = slurm.submit(script, "--nodes=2")
        slurm.kill("n10")
        print(slurm.end(job), slurm.log(job))

The nodes share the files of this computer, as the nodes of a cluster share a network disk. SLURM
allocates CPUs, memory and GPUs, and they need not exist. It limits no process to them, because that
needs a cgroup file system in each machine.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
from collections.abc import Iterator, Mapping

from tests.cluster import trainings
from tests.engines import namespaces
from tests.engines.namespaces import Machine
from tests.modern.cluster.processes import until

# The commands, each with Debian's package.
PACKAGES = {
    "slurmctld": "slurmctld",
    "slurmd": "slurmd",
    "sbatch": "slurm-client",
    "srun": "slurm-client",
    "scontrol": "slurm-client",
}
# SLURM's order of the nodes. As text, n10 sorts before n9.
NODES = ("n9", "n10", "n11")
_UNFINISHED = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "REQUEUED", "SUSPENDED"}
_SETTINGS = """\
ClusterName=engines
SlurmctldHost=controller
SlurmUser=root
AuthType=auth/none
CredType=cred/none
# Seconds that a job waits before it starts again on other nodes; 120 by default.
AuthInfo=cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
# Memory is a consumable resource: a step waits for memory that another step has.
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
# Seconds until a job that can start does.
SchedulerParameters=batch_sched_delay=0,sched_interval=1
# Some sites end a step soon after the first of its tasks has ended.
WaitTime=1
# Seconds until a node that does not answer is down.
SlurmdTimeout=6
KillWait=5
StateSaveLocation={folder}
SlurmctldLogFile={folder}/slurmctld.log
SlurmctldPidFile=/run/slurmctld.pid
SlurmdLogFile={folder}/%n.log
SlurmdPidFile=/run/slurmd.pid
SlurmdSpoolDir=/run/slurmd
# Lets nodes have more than this computer.
SlurmdParameters=config_overrides
NodeName={nodes} CPUs=4 RealMemory=16000 Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES
"""
# Files that stand in for the devices of GPUs.
_GPUS = "Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n"


class Slurm:
    """A running SLURM cluster.

    Attributes:
      folder: Folder of settings, states, logs, and of the output of jobs.
    """

    def __init__(self, folder: pathlib.Path, machines: Mapping[str, Machine]) -> None:
        """Starts the daemons.

        Args:
          folder: An empty folder.
          machines: The machine `controller`, and one for each of `NODES`.
        """
        self.folder = folder
        self._machines = machines
        self._environment = os.environ | trainings.ENV | {"SLURM_CONF": str(folder / "slurm.conf")}
        settings = _SETTINGS.format(folder=folder, nodes=",".join(NODES))
        (folder / "slurm.conf").write_text(settings)
        (folder / "gres.conf").write_text(_GPUS)
        self._run("controller", "slurmctld")
        for name in NODES:
            self._run(name, "slurmd", "-N", name)
        until(lambda: self._states() == ["IDLE"] * len(NODES), 60)

    def submit(self, script: pathlib.Path, *flags: str) -> str:
        """Submits a script, and returns the id of the job.

        Args:
          script: Path of the script.
          *flags: Flags of sbatch.
        """
        files = [f"--chdir={self.folder}", f"--output={self.folder}/%A.log", "--open-mode=append"]
        return self._run("controller", "sbatch", "--parsable", *files, *flags, str(script)).strip()

    def jobs(self, job: str) -> list[dict[str, str]]:
        """Returns the fields of a job, or of each job of an array, as scontrol shows them."""
        lines = self._run("controller", "scontrol", "--oneliner", "show", "job", job)
        return [dict(re.findall(r"(\S+?)=(\S*)", line)) for line in lines.splitlines()]

    def end(self, job: str, seconds: float = 300) -> list[tuple[str, str]]:
        """Waits until a job has ended. Returns (state, exit code:signal) of each job of it."""

        def ended() -> list[dict[str, str]]:
            found = self.jobs(job)
            return [] if any(one["JobState"] in _UNFINISHED for one in found) else found

        try:
            found = until(ended, seconds, every=0.5)  # scontrol needs CPUs, too.
        except AssertionError as error:
            raise AssertionError(f"{error}, with the output {self.log(job)}") from None
        return [(one["JobState"], one["ExitCode"]) for one in found]

    def log(self, job: str) -> str:
        """Returns what the tasks of a job, or of the jobs of an array, have printed."""
        path = self.folder / f"{job}.log"
        return path.read_text() if path.exists() else ""

    def kill(self, node: str) -> None:
        """Cuts the power of a node."""
        self._machines[node].lose_power()

    def _states(self) -> list[str]:
        return re.findall(r" State=(\S+)", self._run("controller", "scontrol", "show", "nodes"))

    def _run(self, name: str, *words: str) -> str:
        return self._machines[name].run(*words, env=self._environment)


@contextlib.contextmanager
def cluster(folder: pathlib.Path) -> Iterator[Slurm]:
    """Starts a SLURM cluster, and kills all of its processes at the end.

    Args:
      folder: An empty folder.

    Yields:
      The cluster.
    """
    with namespaces.network(["controller", *NODES], folder) as machines:
        yield Slurm(folder, machines)
