"""Writes one sbatch script for SLURM, whose step gives each task its TF_CONFIG.

    python -m migrate cluster mnist.yaml --to=parameter_server --target=slurm > mnist.sbatch
    sbatch mnist.sbatch

The nodes of a job are known only when it runs. Therefore each task makes its TF_CONFIG from SLURM's
variables of its step (SLURM_STEP_NODELIST, SLURM_STEP_TASKS_PER_NODE, SLURM_PROCID), as
tf.distribute.cluster_resolver.SlurmClusterResolver does. Types are in the order of their names, and
tasks of one node use consecutive ports. The script differs from the resolver where the resolver is
wrong. The resolver sorts nodes as text, so that n10 precedes n9, and a task takes another node for
its own. Here nodes are in the order in which SLURM numbers its tasks (--distribution=block).

All tasks are in one step, which has all CPUs, memory and GPUs of the job. A second step would
compete with it for memory, which a step takes whole. A part of a job (srun --exact) would have one
CPU for each task, because srun has not inherited --cpus-per-task from sbatch since SLURM 22.05. The
evaluator has the last rank. It is outside of the cluster: its TF_CONFIG does not name its address.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping, Sequence

from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.targets import base, containers
from migrate.cluster.targets.base import Notes
from migrate.cluster.targets.containers import Parts
from modern.process import cli

SUFFIX = ".sbatch"

_SCRIPT = """\
#!/bin/bash
{directives}
{comment}
set -euo pipefail

# Tasks of one node take ports that follow each other; jobs that share a node start elsewhere.
export PORT_BASE="${{PORT_BASE:-$((15000 + SLURM_JOB_ID % 1000 * 16))}}"

# What each task of the training runs: it makes its TF_CONFIG and becomes the program.
read -r -d '' task <<'END' || true
set -euo pipefail
addresses=()
mapfile -t nodes < <(scontrol show hostnames "$SLURM_STEP_NODELIST")
node=0
for part in ${{SLURM_STEP_TASKS_PER_NODE//,/ }}; do # "2(x3),1" is 2, 2, 2, 1
  count=${{part%%(*}}
  times=1
  if [[ $part =~ \\(x([0-9]+)\\) ]]; then times=${{BASH_REMATCH[1]}}; fi
  for ((; times > 0; times--)); do
    for ((i = 0; i < count; i++)); do
      addresses+=("\\"${{nodes[node]}}:$((PORT_BASE + i))\\"")
    done
    node=$((node + 1))
  done
done
types=({types})
counts=({counts})
type=evaluator # The rank after those of the cluster.
index=0
cluster=""
first=0
for n in "${{!types[@]}}"; do
  named=$(IFS=,; echo "${{addresses[*]:first:counts[n]}}")
  cluster+="${{cluster:+, }}\\"${{types[n]}}\\": [$named]"
  if ((SLURM_PROCID >= first && SLURM_PROCID < first + counts[n])); then
    type=${{types[n]}}
    index=$((SLURM_PROCID - first))
  fi
  first=$((first + counts[n]))
done
export TF_CONFIG="{{\\"cluster\\": {{$cluster}}, \\"task\\": {{\\"type\\": \\"$type\\", \\"index\\": $index}}}}"
{program}
exec "$@"
END

# Without --wait=0, a site's WaitTime ends the other tasks soon after the first one has ended.
srun --ntasks={ntasks} --distribution=block --kill-on-bad-exit=1 --wait=0 bash -c "$task"
"""  # noqa: E501 - a line of the script


def address(workload: Workload, task_type: str, index: int) -> str:
    """Returns "", because the step's nodes are known only when it runs."""
    del workload, task_type, index
    return ""


def write(conversion: Conversion, workload: Workload, notes: Notes) -> str:
    """Writes the script.

    Args:
      conversion: Conversion. The script finds the addresses.
      workload: Workload with a template for each type of task.
      notes: Receives notes on differences.

    Returns:
      The script.

    Raises:
      cli.UsageError: A task has no command, which SLURM needs.
    """
    types = sorted(conversion.cluster)  # The order of SlurmClusterResolver.
    parts = {t: containers.take(workload.template(t)) for t in base.types(conversion)}
    _check_commands(parts, workload.name)
    _note_rest(parts, workload, notes)
    needs = _needs(list(parts.values()), notes)
    counts = [str(len(conversion.cluster[t])) for t in types]
    return _SCRIPT.format(
        directives="\n".join(
            f"#SBATCH {line}" for line in _directives(conversion, workload, needs)
        ),
        comment="\n".join(f"# {line}" for line in _comment(conversion, workload, types, counts)),
        types=" ".join(types),
        counts=" ".join(counts),
        ntasks=len(conversion.tasks),
        program=_program(parts),
    )


def _check_commands(parts: Mapping[str, Parts], name: str) -> None:
    for task_type, type_parts in parts.items():
        if not type_parts.command:
            raise cli.UsageError(
                f"{name}: {task_type} runs the entry point of its image, which SLURM does not "
                "know: give the program with --command."
            )


def _needs(parts: Sequence[Parts], notes: Notes) -> list[str]:
    """Returns flags with the maximum that any task needs, as all tasks of a step get the same."""
    cpus = max((math.ceil(task_parts.cpus) for task_parts in parts if task_parts.cpus), default=0)
    memory = max((task_parts.memory or 0 for task_parts in parts), default=0)
    gpus = max(task_parts.gpus for task_parts in parts)
    requests = {(task_parts.cpus, task_parts.memory, task_parts.gpus) for task_parts in parts}
    if len(requests) > 1:
        notes.add(
            "resources: the tasks of a step have the same, so each gets the most that one needs "
            f"(cpu {cpus or 'not said'}, memory {_mebibytes(memory)}, gpu {gpus})."
        )
    flags = []
    if cpus:
        flags.append(f"--cpus-per-task={cpus}")
    else:
        notes.add(
            "cpu: no task requests any, so SLURM gives each task one. `#SBATCH --cpus-per-task=N` "
            "gives each N."
        )
    if memory:
        flags.append(f"--mem-per-cpu={_mebibytes(memory / max(cpus, 1))}")
    if gpus:
        flags.append(f"--gpus-per-task={gpus}")
    return flags


def _mebibytes(count: float) -> str:
    return f"{math.ceil(count / 2**20)}M"


def _directives(conversion: Conversion, workload: Workload, needs: Sequence[str]) -> list[str]:
    limit = workload.policy.get("activeDeadlineSeconds")
    return [
        f"--job-name={shlex.quote(workload.name)}",
        f"--ntasks={len(conversion.tasks)}",
        *needs,
        *([f"--time={math.ceil(limit / 60)}"] if limit else []),
    ]


def _comment(
    conversion: Conversion, workload: Workload, types: Sequence[str], counts: Sequence[str]
) -> list[str]:
    heading = base.heading(conversion, workload)
    if len(conversion.tasks) > sum(map(int, counts)):
        return heading  # The resolver would name the evaluator in the cluster.
    jobs = json.dumps(dict(zip(types, map(int, counts), strict=True)))
    return [
        *heading,
        "A program that makes its own resolver has the same cluster from",
        f'  SlurmClusterResolver(jobs={jobs}, port_base=int(os.environ["PORT_BASE"]))',
        "where the nodes' names sort as their numbers do. On nodes without GPUs it also needs",
        "gpus_per_node= the tasks of a node, gpus_per_task=1, auto_set_gpu=False.",
    ]


def _program(parts: dict[str, Parts]) -> str:
    """Returns variables and arguments, by the task's type if they differ."""
    setups = {t: _setup(type_parts) for t, type_parts in parts.items()}
    if len(set(setups.values())) == 1:
        return next(iter(setups.values()))
    lines = ["case $type in"]
    for task_type, setup in setups.items():
        body = "".join(f"    {line}\n" for line in setup.split("\n"))
        lines.append(f"  {task_type})\n{body}    ;;")
    return "\n".join([*lines, "esac"])


def _setup(parts: Parts) -> str:
    lines = [
        f"export {name}={_quote(value)}" for name, value in parts.env.items() if name.isidentifier()
    ]
    if parts.working_dir:
        lines.append(f"cd {_quote(parts.working_dir)}")
    words = " ".join(_quote(word) for word in (*parts.command, *parts.args))
    return "\n".join([*lines, f"set -- {words}"])


def _quote(word: str) -> str:
    """Quotes a word for the shell, in one line.

    The script indents its lines, and a line END would end a part of it.
    """
    if "\n" not in word:
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"$'{escaped}'"


def _note_rest(parts: dict[str, Parts], workload: Workload, notes: Notes) -> None:
    for task_type, type_parts in parts.items():
        for line in type_parts.rest:
            notes.add(f"not carried over: {line}", task_type)
        for name in type_parts.env:
            if not name.isidentifier():
                notes.add(f"not carried over: env {name}: no name for a shell.", task_type)
        for volume, mount in type_parts.mounts:
            part = f" ({mount['subPath']} of it)" if mount.get("subPath") else ""
            notes.add(
                f"the volume {volume['name']}{part} at {mount['mountPath']}: that folder must be "
                "there on each node.",
                task_type,
            )
        if type_parts.image:
            notes.add(
                f"the image {type_parts.image}: load its software before srun (module, conda, a "
                "virtual environment), or add your site's flag for containers to srun.",
                task_type,
            )
    base.note_settings(workload, ("activeDeadlineSeconds",), notes)
    notes.add(
        "restarts: a failed task ends the job: submit it again. With `sbatch --requeue "
        "--open-mode=append`, SLURM itself starts it again after the loss of a node."
    )
