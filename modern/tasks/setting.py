"""The setting of a training, from the flags of `modern.train`.

    setting = Setting.of(FLAGS.flag_values_dict())

The library code below an app reads the setting, and never the flags.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """The setting of a training. Each attribute is a flag, whose help text explains it."""

    model_dir: str
    strategy: str
    communication: str
    autoshard: str
    logical_cpus: int
    min_shard_bytes: int
    train_steps: int
    warmup_steps: int
    steps_per_epoch: int | None
    steps_per_execution: int | None
    jit_compile: bool
    mixed_precision: str
    init_checkpoint: str | None
    save_checkpoints_steps: int
    save_checkpoints_secs: float
    keep_checkpoint_max: int
    backup: str
    model_checkpoint: bool
    tensorboard: bool
    export: bool
    seed: int
    repeats: int
    distinct_seeds: int
    start_signal: str | None
    stall_timeout: float
    deterministic: bool
    intra_op_threads: int
    inter_op_threads: int

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Setting:
        """Returns the setting from the values of flags. Other flags are ignored."""
        return cls(**{field.name: values[field.name] for field in dataclasses.fields(cls)})

    @property
    def is_synchronous(self) -> bool:
        """True if a global step takes a batch of every trainer."""
        return self.strategy != "parameter_server"

    @property
    def backup_steps(self) -> int | None:
        """Steps between two backups. None without backups, or with one backup per epoch."""
        return int(self.backup) if self.backup.isdecimal() else None
