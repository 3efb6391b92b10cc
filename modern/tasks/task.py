"""A task that trains a job or evaluates it, in a cluster or alone.

    sys.exit(task.run(setting, lambda: DocumentedJob(...), config))

At the end MODEL_DIR has result.json, checkpoints/, export/ (for TensorFlow Serving) and tasks/ (a
record of each task).
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from absl import logging

from modern.cluster import addresses, gathering, roles
from modern.cluster.tf_config import TFConfig
from modern.model_files import checkpoints, weights
from modern.optimizers import loss_scaling
from modern.process import choices, chosen_keras, cli, malloc, process_info, runtime
from modern.process.chosen_keras import keras
from modern.records import progress, results, run_lock, task_records
from modern.tasks import counted_model, evaluation, lone_task, repeats
from modern.tasks.job import CheckedFirst, InputInTurn, Job
from modern.tasks.setting import Setting
from modern.training import seeds, server_memory, strategies
from modern.training.data import file_shards, inputs
from modern.training.saving import SaveError, SaveRule
from modern.training.stalls import StallError
from modern.training.stopping import DivergedError
from modern.training.trainer import Config, Outcome, Saving, Trainer

# Workers wait for each other at the end of an epoch. With a small data set, that would be most of
# the time.
_SHORTEST_EPOCH = 200


def run(setting: Setting, load_job: Callable[[], Job], config: TFConfig | None) -> int:
    """Runs the role of this task, which trains or evaluates, and returns the exit code.

    Args:
      setting: The setting of the training.
      load_job: Loads the job and its data.
      config: The cluster, or None.

    Raises:
      CheckpointError: A checkpoint cannot be continued from.
      UsageError: Another run trains in the folder.
    """
    role = roles.role_of(config, setting.strategy)
    runtime.configure(
        setting.seed,
        setting.deterministic,
        setting.intra_op_threads,
        setting.inter_op_threads,
        setting.logical_cpus,
    )
    name = config.name if config else "worker-0"
    try:
        with contextlib.ExitStack() as stack:
            if role.saves:
                stack.enter_context(run_lock.held(setting.model_dir))
            job = load_job()
            if setting.repeats > 1:
                # This record covers all trainings.
                stack.enter_context(task_records.Recorder(setting.model_dir, name))
            if role.evaluates:
                return _evaluate(setting, job, name)
            # A name, so that it lives until `exit_at_once`: the servers end before that.
            task = Task(setting, job, config, role, name)
            code = task.train_all()
    except gathering.MissingTasksError as error:
        assert config is not None
        return lone_task.end(error, setting.model_dir, config)
    except (DivergedError, SaveError, StallError) as error:
        code = cli.report_failure(error)
    if role.coordinates:
        # After an interruption, steps still run. Otherwise the servers end now, and Python's
        # clean-up cannot reach them to delete remote objects.
        cli.exit_at_once(code)
    return code


def _repeats(setting: Setting) -> Iterator[repeats.Repeat]:
    return repeats.in_turn(
        setting.model_dir,
        setting.repeats,
        setting.seed,
        setting.distinct_seeds,
        setting.start_signal,
    )


def _evaluate(setting: Setting, job: Job, name: str) -> int:
    """Runs the evaluator task."""
    for repeat in _repeats(setting):
        with task_records.Recorder(repeat.folder, name) as recorder:
            metrics = evaluation.run_evaluator(job, repeat.folder, setting.train_steps)
            recorder.add(evaluations=metrics)
    return 0


def _free_models() -> None:
    """Returns the memory of models that are no longer used."""
    gc.collect()  # Models have reference cycles.
    malloc.trim()


@dataclasses.dataclass(frozen=True)
class _Trained:
    """The weights and figures of a training, without its model.

    Attributes:
      outcome: Its samples and exit code.
      values: The weights, name to array.
      checkpoint: The path of the last checkpoint.
      phases: Name of each phase to its seconds.
      uncounted_steps: See `counted_model.uncounted_steps`.
    """

    outcome: Outcome
    values: dict[str, np.ndarray]
    checkpoint: str
    phases: dict[str, float]
    uncounted_steps: int


class Task:
    """A task that runs a training loop: alone, in step with others, or as the coordinator.

    Args:
      setting: The setting of the training.
      job: The job that is trained.
      config: The cluster, or None.
      role: The role of this task.
      name: The name of this task.

    Raises:
      UsageError: `steps_per_execution` does not divide an epoch.
    """

    def __init__(
        self,
        setting: Setting,
        job: Job,
        config: TFConfig | None,
        role: roles.Role,
        name: str,
    ) -> None:
        self._setting, self._job, self._config = setting, job, config
        self._role, self._name = role, name
        self._scratch: tempfile.TemporaryDirectory | None = None
        # The strategy waits inside TensorFlow for the other tasks.
        with cli.ended_by_ctrl_c():
            self._strategy = strategies.make(
                setting.strategy, config, setting.communication, self._min_shard_bytes()
            )
        # No operation may run before the strategy is created, so the batch size comes after it.
        with self._strategy.scope():
            self._batch_size = job.batch_size()
        malloc.trim()  # An input that shuffles has filled its buffer for one batch.
        self._trainers = roles.num_trainers(config, setting.strategy)
        self._replicas_each = strategies.replicas_of_trainer(self._strategy)
        self._replicas = self._trainers * self._replicas_each
        self._steps_per_epoch, self._steps_per_execution = self._derive_steps()
        self._process_s = time.time() - process_info.start_time()

    def _min_shard_bytes(self) -> int:
        """Returns the minimum size of a part of a variable."""
        is_mixed = self._setting.mixed_precision != "none"
        # A layer of Keras cannot read a split variable in 16 bits, nor can a variable of Keras 3 be
        # split.
        is_whole = is_mixed or chosen_keras.version() == 3
        return sys.maxsize if is_whole else self._setting.min_shard_bytes

    def _derive_steps(self) -> tuple[int, int]:
        """Returns the steps per epoch and the steps per execution."""
        setting = self._setting
        replicas = self._replicas if setting.is_synchronous else self._replicas_each
        per_step = self._batch_size * replicas
        one_pass = self._job.examples() // per_step
        epoch = setting.steps_per_epoch or max(one_pass, _SHORTEST_EPOCH)
        epoch = min(epoch, setting.train_steps) or 1
        if setting.steps_per_execution is None:
            return epoch, max(n for n in range(1, 11) if epoch % n == 0)
        if epoch % setting.steps_per_execution:
            raise cli.UsageError(
                f"--steps_per_execution={setting.steps_per_execution} does not divide the {epoch} "
                "steps of an epoch: change it or --steps_per_epoch."
            )
        return epoch, setting.steps_per_execution

    def train_all(self) -> int:
        """Trains once for each repeat of the setting, and returns the exit code."""
        if self._role.saves and isinstance(self._job, CheckedFirst):
            self._job.check_first(self._setting.export)
        for repeat in _repeats(self._setting):
            # Not after the last one. Its record lets the servers end, and TensorFlow prints errors
            # when it cannot delete functions there.
            _free_models()
            with task_records.Recorder(repeat.folder, self._name) as recorder:
                began = time.time()
                trained = self._train(repeat, recorder, began)
                _free_models()  # Graphs of steps can be larger than the weights.
                if self._role.saves and not trained.outcome.exit_code:
                    self._finish(repeat, trained, began)
            if trained.outcome.exit_code:
                return trained.outcome.exit_code
        return 0

    def _train(
        self, repeat: repeats.Repeat, recorder: task_records.Recorder, began: float
    ) -> _Trained:
        keras.utils.set_random_seed(repeat.seed)
        model, counters = self._build(repeat.seed)
        series = self._files(model, repeat.folder, self._setting.keep_checkpoint_max)
        series.restore()
        if self._setting.mixed_precision == choices.SCALED_PRECISION and model.scales_loss:
            # After the restore, which would refuse a checkpoint without a scale. TensorFlow
            # restores the scale here, if the checkpoint has one.
            with self._strategy.scope():
                model.loss_scale = loss_scaling.LossScale()
            series.add_loss_scale(model.loss_scale)
        built_at = time.time()
        seeds.seed_python(self._strategy, repeat.seed)
        trainer = Trainer(
            Config(
                max_steps=self._setting.train_steps,
                saves=self._saves(series, model, repeat.folder),
                callbacks=self._callbacks(repeat.folder),
                stall_timeout=self._setting.stall_timeout,
                describe=self._describe(),
            ),
            counted_model.CountedAdapter(model, counters),
        )
        batches = functools.partial(self._batches, repeat.seed)
        with file_shards.errors_in_words(self._trainers):
            outcome = trainer.train(inputs.FromStep(batches, self._steps_per_epoch, self._strategy))
        recorder.add(outcome.samples)
        values = weights.read(model)  # On all workers, see `read`.
        path = series.save()  # Not saved yet if no step was left to train.
        series.close()
        uncounted_steps = 0
        if self._role.coordinates and not outcome.exit_code:
            uncounted_steps = counted_model.uncounted_steps(counters.read(), outcome.samples)
        phases = {
            "process_s": self._process_s,
            "build_s": built_at - began,
            "train_s": time.time() - built_at,
        }
        return _Trained(outcome, values, path, phases, uncounted_steps)

    def _build(self, seed: int) -> tuple[counted_model.CountingSteps, counted_model.Counters]:
        """Returns the compiled model with its initial weights, and the counters of its examples."""
        # Under ParameterServerStrategy all trainers share the counters, see `Counters`.
        is_shared = isinstance(self._strategy, tf.distribute.ParameterServerStrategy)
        counters = None if is_shared else counted_model.Counters(self._replicas)
        with self._strategy.scope(), server_memory.limited(self._free_on_servers()):
            counters = counters or counted_model.Counters(self._replicas)
            model = self._job.training_model(
                counters,
                self._replicas,
                steps_per_execution=self._steps_per_execution,
                jit_compile=self._setting.jit_compile or None,
            )
        prefix = repeats.of_seed(self._setting.init_checkpoint, seed)
        if prefix:
            self._job.load_initial(model, prefix)
        return model, counters

    def _free_on_servers(self) -> dict[str, int]:
        """Returns the free bytes of the machines of a coordinator's parameter servers.

        Empty in other tasks, and if a server could not measure them.
        """
        free: dict[str, int] = {}
        if not self._role.coordinates:
            return free
        assert self._config is not None  # Only a cluster has a coordinator.
        for index, address in enumerate(self._config.cluster["ps"]):
            record = task_records.read(self._setting.model_dir, f"ps-{index}") or {}
            if record.get("free_memory") is None:
                return {}
            # Servers on one machine share its memory.
            free[addresses.split(address)[0]] = record["free_memory"]
        return free

    def _files(
        self, model: keras.Model, folder: str, keep: int | None, is_backup: bool = False
    ) -> checkpoints.Checkpoints:
        return checkpoints.Checkpoints(
            model, folder, keep, self._role.saves, self._name, is_backup=is_backup
        )

    def _saves(
        self, series: checkpoints.Checkpoints, model: keras.Model, folder: str
    ) -> list[Saving]:
        """Returns the series of checkpoints, and of backups if they are enabled."""
        setting = self._setting
        # The value 0 of these flags means never.
        rule = SaveRule(
            setting.save_checkpoints_steps or None, setting.save_checkpoints_secs or None
        )
        saves = [Saving(series, rule)]
        if setting.backup != "none":
            rule = SaveRule(setting.backup_steps or self._steps_per_epoch)
            backups = self._files(model, folder, keep=1, is_backup=True)
            saves.append(Saving(backups, rule, is_backup=True))
        return saves

    def _describe(self) -> Callable[[progress.Sample, progress.Sample], str] | None:
        """Returns the function that writes the progress line. None in a task that does not save."""
        if not self._role.saves:
            return None
        tasks = self._trainers if self._setting.strategy == "multi_worker_mirrored" else 1
        return progress.describe(self._job.name, self._setting.train_steps, tasks)

    def _batches(self, seed: int, step: int) -> Any:
        """Returns the data from a global step on, as `fit` takes them."""
        is_split = self._setting.autoshard != "off"
        trainer = roles.trainer_index(self._config, self._setting.strategy) or 0
        if isinstance(self._job, InputInTurn) and self._replicas_each > 1 and not is_split:
            in_turn = self._in_turn(self._job)
            return strategies.distribute_in_turn(self._strategy, in_turn, self._trainers, trainer)
        with seeds.of_all_trainers() if is_split else contextlib.nullcontext():
            return strategies.distribute(
                self._strategy,
                self._share(seed, step),
                self._replicas,
                trainer,
                self._setting.autoshard,
            )

    def _in_turn(self, job: InputInTurn) -> Callable[[int | tf.Tensor], tf.data.Dataset]:
        """Returns a function that makes the batches which a trainer's replicas take in turn."""
        in_sync = self._replicas if self._setting.is_synchronous else self._replicas_each

        def of_trainer(trainer: int | tf.Tensor) -> tf.data.Dataset:
            make = functools.partial(job.batches_in_turn, self._trainers, trainer, in_sync)
            batches = strategies.in_scope(self._strategy, make)()
            first = trainer * self._replicas_each
            return counted_model.tag_in_turn(batches, self._replicas_each, first)

        return of_trainer

    def _share(self, seed: int, step: int) -> strategies.ShareFn:
        """Returns a function that makes the dataset of one replica.

        With autoshard, TensorFlow splits one dataset for all replicas. All examples of a task then
        count as those of its first replica.
        """
        # With parameter servers a step takes the batches of one trainer.
        per_step = 1 if self._setting.is_synchronous else self._trainers
        first_step = step // per_step
        first_replica = None
        if self._setting.autoshard != "off":
            trainer = roles.trainer_index(self._config, self._setting.strategy) or 0
            first_replica = trainer * self._replicas_each

        def share(replicas: int, replica: int | tf.Tensor) -> tf.data.Dataset:
            size = self._batch_size * (self._replicas // replicas)
            make = functools.partial(
                self._job.train_batches, size, seed, replicas, replica, first_step
            )
            batches = strategies.in_scope(self._strategy, make)()
            return counted_model.tag(batches, replica if first_replica is None else first_replica)

        return share

    def _callbacks(self, folder: str) -> list[keras.callbacks.Callback]:
        callbacks: list[keras.callbacks.Callback] = []
        if self._setting.model_checkpoint:
            callbacks.append(
                keras.callbacks.ModelCheckpoint(
                    self._best_weights(folder),
                    monitor="loss",
                    save_best_only=True,
                    save_weights_only=True,
                )
            )
        if self._setting.tensorboard and self._role.saves:
            callbacks.append(keras.callbacks.TensorBoard(os.path.join(folder, "summaries")))
        return callbacks

    def _best_weights(self, folder: str) -> str:
        """Returns the path at which Keras writes the weights of the best epoch."""
        if chosen_keras.version() == 2:
            return os.path.join(folder, "best", "weights")
        # With Keras 3, each synchronous worker writes the file. One of these files stays.
        if not self._role.saves:
            self._scratch = self._scratch or tempfile.TemporaryDirectory()
            folder = self._scratch.name
        return os.path.join(folder, "best", "best.weights.h5")

    def _finish(self, repeat: repeats.Repeat, trained: _Trained, began: float) -> None:
        """Evaluates, exports and writes result.json, on the task that saves."""
        samples = trained.outcome.samples
        before_eval = time.time()
        model = evaluation.plain_model(self._job, trained.values)
        trained.values.clear()  # The model has them.
        metrics = evaluation.evaluate(self._job, model)
        phases = trained.phases | {"eval_s": time.time() - before_eval}
        export = None
        if self._setting.export:
            try:
                export = evaluation.export(model, repeat.folder, samples[-1].step)
            except cli.UsageError as error:  # The trained model is saved already.
                logging.warning("Nothing is exported (--noexport asks for nothing): %s", error)
        trainers = [samples, *self._others(repeat.folder, samples[0].time)]
        records = task_records.read_all(self._setting.model_dir)
        rss = {name: record["peak_rss_mb"] for name, record in records.items()}
        results.write(
            repeat.folder,
            results.build(
                job=self._job.name,
                dataset=self._job.dataset,
                way=self._setting.strategy,
                cluster={name: n for name, n in roles.sizes(self._config).items() if n},
                seed=repeat.seed,
                batch_size=self._batch_size,
                synchronous=self._setting.is_synchronous,
                replica_names=self._replica_names(),
                replicas_each=self._replicas_each,
                trainers=trainers,
                warmup_steps=self._setting.warmup_steps,
                evaluation=metrics,
                best=self._job.best,
                checkpoint=trained.checkpoint,
                export=export,
                parameters=sum(int(np.prod(v.shape)) for v in model.trainable_variables),
                peak_rss_mb=rss | {self._name: process_info.peak_rss_mb()},
                began_at=began,
                phases=phases,
                uncounted_steps=trained.uncounted_steps,
            ),
        )

    def _others(self, folder: str, since: float) -> list[list[progress.Sample]]:
        """Returns the samples of the other synchronous workers. A coordinator counts for all."""
        if self._setting.strategy != "multi_worker_mirrored" or not self._config:
            return []
        names = [name for name in self._trainer_names() if name != self._name]
        records = task_records.wait_for(folder, names, since)
        return [task_records.samples_of(record) for record in records.values()]

    def _trainer_names(self) -> list[str]:
        """Returns the name of each trainer's task, or its own name where no task belongs to it.

        Under ParameterServerStrategy, workers draw the numbers of the trainers in the order in
        which they begin, so that worker-1 may be trainer-0. A worker that returns draws again.
        """
        if self._setting.strategy == "parameter_server":
            return [f"trainer-{i}" for i in range(self._trainers)]
        if not self._config:
            return [self._name]
        cluster = self._config.cluster
        return [f"{t}-{i}" for t in ("chief", "worker") for i in range(len(cluster.get(t, ())))]

    def _replica_names(self) -> list[str]:
        """Returns the name of each replica of all trainers."""
        trainers = [] if self._setting.strategy == "mirrored" else self._trainer_names()
        return results.replica_names(trainers, self._replicas_each)
