"""A user's own job in a comparison: its model_fn, its input functions and its Keras port.

    python -m benchmarks.compare --model_fn=my_job:model_fn --input_fn=my_job:input_fn \
        --eval_input_fn=my_job:eval_input_fn --keras_model=my_port:build_model

`Preparation` examines the job before any process starts. It provides `comparison` with the checks
that depend on the job.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks import ways
from benchmarks.judging import checks, margins
from benchmarks.judging.margins import Margins
from benchmarks.own_jobs import initial_weights
from modern.process import quiet_import

# Metrics for which `checks` has margins.
COMPARED = ("loss", "accuracy", "auc")
_SAME_LOSS = 1e-5  # Relative difference of losses computed without random numbers.
_FEWEST_COMPARED = 20  # Batches to compare if the exact tier is off.
Runs = dict[str, list[dict[str, Any]]]


class Preparation:
    """Findings about a user's job, and the initial weights of all ways.

    Imports the user's modules and calls their functions.

    Args:
      setting: The setting. It has an `own_job`.
      names: Names of the ways.
      output_dir: Folder of the checkpoints.
      exact_steps: Steps of the exact tier. 0 for none.

    Attributes:
      notes: Sentences that a reader of the report must know.
      initial: Weights of the first seed by name.

    Raises:
      cli.UsageError: The job cannot be compared. The message has the reason in one line.
    """

    def __init__(
        self, setting: ways.Setting, names: Sequence[str], output_dir: str, exact_steps: int
    ) -> None:
        quiet_import.import_tensorflow()
        from benchmarks.own_jobs import own_functions

        self._setting, self._ways, self._output_dir = setting, list(names), output_dir
        self._steps = setting.steps * setting.trainers  # The global step of every way.
        assert setting.own_job is not None
        self._own = setting.own_job
        self._functions = own_functions.OwnFunctions(self._own)
        self.notes: list[str] = []
        self.initial: dict[str, np.ndarray] = {}
        self._names: dict[str, str] = {}
        self._trainable: set[str] = set()
        self._initial_loss = 0.0
        self._sizes = self._functions.sizes(self._steps)
        repetition = self._functions.repetition(exact_steps or _FEWEST_COMPARED)
        self._inexact_reason = (
            f"--input_fn={self._own.input_fn} {repetition.varies}" if repetition.varies else ""
        )
        self._is_repeated = not repetition.varies
        # Trainers without a share of the data use different seeds.
        self._is_same_for_all = not (
            repetition.varies or repetition.follows_seed or self._functions.takes_context
        )
        self._note_inputs()

    def write_initial_weights(self, seeds: Sequence[int]) -> None:
        """Writes the checkpoints that all ways start from, and matches the port's weights.

        Args:
          seeds: The seeds. The first call must include 0.
        """
        prefix = ways.init_checkpoint(self._output_dir, self._setting)
        self._trainable = self._functions.write_initial_weights(prefix, seeds)
        if not self.initial:
            self.initial = initial_weights.read(prefix.replace("{seed}", "0"))
            losses = self._functions.first_losses()
            self._initial_loss = float(np.median(losses))
            if np.ptp(losses) > _SAME_LOSS * np.max(np.abs(losses)):
                self._inexact_reason = self._inexact_reason or (
                    f"--model_fn={self._setting.job} draws random numbers in training, such as "
                    "those of dropout, and each way draws others"
                )
            if self._own.keras_model:
                self._pair()
            self._note_exact()
        if self._names:
            initial_weights.of_port(
                prefix, self._names, ways.port_init_checkpoint(self._output_dir), seeds
            )

    def margins(self) -> Margins:
        """Returns the margins of the job. Call it after the initial weights of the first seed.

        Margins without a flag are fractions of the loss of the first batch at the initial weights.
        So they do not depend on the runs that they judge.
        """
        flag_margins = self._own.margins
        missing = sorted({"loss", "curve"} - set(flag_margins))
        if missing:
            self.notes.append(
                f"The margins of {' and '.join(missing)} are parts of the loss before training, "
                f"{self._initial_loss:.4g}. --loss_margin and --curve_margin set them in the unit "
                "of your loss."
            )
        return dataclasses.replace(margins.of_initial_loss(self._initial_loss), **flag_margins)

    def _pair(self) -> None:
        flag = f"--keras_model={self._own.keras_model}"
        self._names = initial_weights.pair(self.initial, self._functions.port(), flag)
        missing = sorted(self._trainable - set(self._names))
        if missing:
            self.notes.append(f"{flag} has no weight like {', '.join(missing)} of the model_fn.")

    def _note_inputs(self) -> None:
        trainers, own = self._setting.trainers, self._own
        if trainers == 1:
            return
        if self._functions.takes_context:
            self.notes.append(
                f"--input_fn={own.input_fn} takes an input_context, which says how many trainers "
                "share the data. The bridge gives it one under every strategy. An Estimator with "
                "parameter servers gives it none, so that each trainer of legacy reads all of it."
            )
        else:
            order = (
                "in the same order, so that a step of multi_worker_mirrored computes one batch "
                f"{trainers} times, and learns no more from it than one trainer does"
                if self._is_same_for_all
                else "in an order of its own"
            )
            self.notes.append(
                f"--input_fn={own.input_fn} is not told how many trainers there are: each trainer "
                f"reads all of the data, {order}. To share it, take the argument input_context and "
                "call shard() by it."
            )
        self.notes.append(
            f"The model_fn sets the learning rate, so all ways train to the same global step "
            f"({self._steps:,}). A step of multi_worker_mirrored takes {trainers} batches: it "
            f"consumes {trainers} times as many examples, and its loss curve is drawn over those "
            "of one trainer."
        )

    def _note_exact(self) -> None:
        if self._inexact_reason:
            self.notes.append(f"The exact tier does not apply: {self._inexact_reason}.")

    def exact_plan(self, steps: int) -> ExactPlan | None:
        """Returns the trainings of the exact tier. None if it does not apply."""
        if self._inexact_reason:
            return None
        return ExactPlan(
            self._setting,
            self._ways,
            self._output_dir,
            steps,
            # If all trainers read the same batches, they compute the same gradient, and so does
            # their mean.
            same_batches=self._is_same_for_all,
            of_port=set(self._names) | self._trainable,
        )

    def weights(self, way: str, checkpoint: str) -> dict[str, np.ndarray]:
        """Returns the weights in a checkpoint of a way, under the names of the model_fn."""
        weights = initial_weights.read(checkpoint)
        if way in ways.PORT_NAMES:
            return {old: weights[new] for old, new in self._names.items() if new in weights}
        return {name: value for name, value in weights.items() if name in self.initial}

    def planned_examples(self) -> tuple[dict[str, int], int]:
        """Returns the examples per training of each way, and the slack of asynchronous ways.

        If batches differ in size, the number for an asynchronous way depends on the trainer that
        reads them, so these ways are left out.
        """
        trainers, sizes = self._setting.trainers, self._sizes
        if not (sizes.uniform or self._is_repeated):
            return {}, 0
        planned = {}
        for way in self._ways:
            strategy = ways.strategy_of(way)
            if strategy == "multi_worker_mirrored":
                planned[way] = self._in_step()
            elif sizes.uniform or strategy == ways.SINGLE:
                planned[way] = sizes.first(self._steps)
        return planned, trainers * int(sizes.batches[0])

    def _in_step(self) -> int:
        """Returns the examples of a training in which each trainer runs every step."""
        trainers = self._setting.trainers
        if not self._functions.takes_context:
            return trainers * self._sizes.first(self._steps)
        shares = self._functions.shares(self._steps, trainers)
        return sum(share.first(self._steps) for share in shares)

    def comparable_results(self, results: Runs) -> Runs:
        """Returns the results with the port's metrics under the names of the model_fn's.

        The loss curves of multi_worker_mirrored are drawn over the examples of one trainer.
        """
        metric_names = sorted(results[ways.SINGLE][0]["eval"])
        results_by_way: Runs = {}
        for way, runs in results.items():
            runs = copy.deepcopy(runs)
            for run in runs:
                if way in ways.PORT_NAMES:
                    run["eval"] = _rename_metrics(run["eval"], metric_names)
                if ways.strategy_of(way) == "multi_worker_mirrored":
                    run["loss_curve"] = [[x / run["trainers"], y] for x, y in run["loss_curve"]]
            results_by_way[way] = runs
        uncompared = [name for name in metric_names if name not in COMPARED]
        note = f"Not compared, as no margin is known for it: {', '.join(uncompared)}."
        if uncompared and note not in self.notes:
            self.notes.append(note)
        return results_by_way

    @staticmethod
    def comparable(results: Runs) -> list[Runs]:
        """Splits results into groups whose runs have the same metrics. Each includes `single`."""
        groups = [
            [way for way in results if way not in ways.PORT_NAMES],
            [way for way in results if way in (*ways.PORT_NAMES, ways.SINGLE)],
        ]
        return [_with_same_metrics(results, group) for group in groups if len(group) > 1]


def _with_same_metrics(results: Runs, group: Sequence[str]) -> Runs:
    names = set(COMPARED)
    for way in group:
        for run in results[way]:
            names &= set(run["eval"])
    return {
        way: [{**run, "eval": {n: run["eval"][n] for n in sorted(names)}} for run in results[way]]
        for way in group
    }


def _rename_metrics(scores: Mapping[str, float], metric_names: Sequence[str]) -> dict[str, float]:
    from migrate.verify.levels import metrics

    pairs, _, rest = metrics.pair(metric_names, sorted(scores), {})
    result = {name: scores[new_name] for name, new_name in pairs.items()}
    return result | {name: scores[name] for name in rest}


class ExactPlan:
    """The short trainings of the exact tier, and the pairs of them that must agree.

    Args:
      setting: The setting.
      names: Names of the ways.
      output_dir: Folder of the runs.
      steps: Number of steps of each training.
      same_batches: Whether N trainers read the same batches as one.
      of_port: Variables of the model_fn that the port must have.
    """

    def __init__(
        self,
        setting: ways.Setting,
        names: Sequence[str],
        output_dir: str,
        steps: int,
        same_batches: bool,
        of_port: set[str],
    ) -> None:
        make = functools.partial(
            ways.exact_group, setting, output_dir=output_dir, batch_size=None, steps=steps
        )
        self._steps, self._of_port = steps, of_port
        self._single = make(way=ways.SINGLE, trainers=1)
        others = [way for way in names if way != ways.SINGLE]
        self._others = [
            (f"one trainer: {way}", f"{way}, 1 trainer", make(way=way, trainers=1))
            for way in others
        ]
        trainers = setting.trainers
        if same_batches and trainers > 1:
            self._others += [
                (
                    f"same batches: {way}",
                    f"{way}, {trainers} trainers",
                    make(way=way, trainers=trainers),
                )
                for way in others
                if ways.strategy_of(way) == "multi_worker_mirrored"
            ]
        self.groups = [self._single, *(group for _, _, group in self._others)]

    def pairs(self, weights: Mapping[str, Mapping[str, np.ndarray]]) -> list[checks.ExactPair]:
        """Returns the pairs to compare.

        Args:
          weights: Final weights of each group, by its name.
        """
        reference = weights[self._single.name]
        pairs = []
        for name, words, group in self._others:
            is_port = group.way in ways.PORT_NAMES
            reference_weights = {
                k: v for k, v in reference.items() if not is_port or k in self._of_port
            }
            pairs.append(
                checks.ExactPair(
                    f"weights after {self._steps} steps, {name}",
                    words,
                    "single",
                    weights[group.name],
                    reference_weights,
                )
            )
        return pairs
