"""Computes the final digest that each trainer of a documented job must have.

    from benchmarks import ways
    from benchmarks.judging import shares

    expected = shares.ExpectedDigests(ways.Setting(job="mnist_cnn"))
    print(expected(result))  # {"chief-0": 17461242.17, "worker-0": 16893110.05}

`benchmarks.judging.checks` compares it with the trainer's own digest.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from benchmarks.ways import Setting


class ExpectedDigests:
    """Computes the digest of a trainer's share from the job's own input function.

    Args:
      setting: The training that is compared.
    """

    def __init__(self, setting: Setting) -> None:
        self._job = importlib.import_module(f"modern.jobs.{setting.job}")
        dataset = setting.dataset or self._job.DATASETS[0]
        self._arrays = self._job.load_data(dataset, setting.data_dir)
        # Digests of 0, 1, ... batches, by seed, batch size, number of trainers and trainer.
        self._sums: dict[tuple[int, int, int, int], list[float]] = {}

    def __call__(self, result: Mapping[str, Any]) -> dict[str, float]:
        """Returns the digest of the examples that each trainer should have consumed of its share.

        Args:
          result: The content of a run's result.json.
        """
        size, trainers = result["batch_size"], len(result["examples"])
        return {
            name: self._digest((result["seed"], size, trainers, trainer), examples // size)
            for trainer, (name, examples) in enumerate(result["examples"].items())
        }

    def _digest(self, share: tuple[int, int, int, int], batches: int) -> float:
        if len(self._sums.setdefault(share, [0.0])) <= batches:
            self._sums[share] = self._read(*share, batches)
        return self._sums[share][batches]

    def _read(self, seed: int, size: int, trainers: int, trainer: int, count: int) -> list[float]:
        import tensorflow as tf

        from modern.records import digests

        batches = self._job.train_input_fn(self._arrays, size, seed, trainers, trainer)
        sums = batches.map(digests.of_batch).scan(
            tf.constant(0.0, tf.float64), lambda total, digest: (total + digest, total + digest)
        )
        return [0.0, *(float(total) for total in sums.take(count).as_numpy_iterator())]
