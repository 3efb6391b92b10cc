"""Stand-ins for SLURM commands: `srun` starts local processes, `scontrol` expands node names.

    slurm_commands.py srun --ntasks=3 ... bash -c "$task"
    slurm_commands.py scontrol show hostnames 'n[1-3],m'

The variables STEP_NODELIST and STEP_TASKS_PER_NODE tell where a step runs. Each task adds a line to
the file RANKS: [rank, standard output] in JSON.
"""

import json
import os
import re
import subprocess
import sys


def expand(hostlist):
    """Expands a host list in SLURM's order. For example, n[9-10],m is n9, n10, m."""
    for prefix, ranges in re.findall(r"([^,\[]+)(?:\[([^\]]+)\])?,?", hostlist):
        for part in ranges.split(",") if ranges else [""]:
            first, _, last = part.partition("-")
            numbers = range(int(first), int(last or first) + 1) if part else [""]
            yield from (f"{prefix}{str(n).zfill(len(first))}" for n in numbers)


def srun(arguments):
    """Runs the tasks of a step one after another. Returns the first non-zero exit code, or 0."""
    program = arguments[[a.startswith("--") for a in arguments].index(False) :]
    flags = dict(a.lstrip("-").partition("=")[::2] for a in arguments[: -len(program)])
    number = int(flags["ntasks"])
    for rank in range(number):
        env = os.environ | {
            "SLURM_PROCID": str(rank),
            "SLURM_STEP_NUM_TASKS": str(number),
            "SLURM_STEP_NODELIST": os.environ["STEP_NODELIST"],
            "SLURM_STEP_TASKS_PER_NODE": os.environ["STEP_TASKS_PER_NODE"],
        }
        done = subprocess.run(program, env=env, capture_output=True, text=True)
        sys.stderr.write(done.stderr)
        if done.returncode:
            return done.returncode
        with open(os.environ["RANKS"], "a") as file:
            file.write(json.dumps([rank, done.stdout.removesuffix("\n")]) + "\n")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "scontrol":
        assert sys.argv[2:4] == ["show", "hostnames"]
        print("\n".join(expand(sys.argv[4])))
        sys.exit()
    sys.exit(srun(sys.argv[2:]))
