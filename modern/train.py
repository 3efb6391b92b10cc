r"""Trains a documented job with Keras and tf.distribute, alone or as one task of a cluster.

Alone, on one machine:

    python -m modern.train --flagfile=modern/jobs/mnist_cnn.flags
    python -m modern.train --job=mnist_cnn --strategy=mirrored --model_dir=/tmp/mnist

As a task of a cluster, each task running the same command with its own TF_CONFIG:

    export TF_CONFIG='{"cluster": {"worker": ["a:2222", "b:2222"]},
                       "task": {"type": "worker", "index": 0}}'
    python -m modern.train --strategy=multi_worker_mirrored --model_dir=/shared/mnist

All tasks of a cluster on this machine:

    python -m modern.launch --workers=2 -- \
        python -m modern.train --strategy=multi_worker_mirrored --model_dir=/tmp/mnist
    python -m modern.launch --chief --workers=2 --ps=1 --evaluator -- \
        python -m modern.train --strategy=parameter_server --model_dir=/tmp/mnist

An unmodified model_fn of an Estimator's, by migrate.bridge, under any of these strategies:

    python -m modern.train --model_fn=package.module:model_fn --input_fn=package.module:input_fn \
        --model_params='{"learning_rate": 0.1}' --model_dir=/tmp/bridged

A compiled Keras model of your own, such as the port of that model_fn, on the same input_fn:

    python -m modern.train --keras_model=package.module:build_model \
        --input_fn=package.module:input_fn --model_dir=/tmp/ported

The same command again continues where the last checkpoint stands, also under another strategy. At
the end MODEL_DIR has result.json, checkpoints/, export/ (for TensorFlow Serving) and tasks/ (a
record of each task).
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import os
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from absl import flags, logging

from modern import cli

cli.import_tensorflow_quietly()

import numpy as np  # noqa: E402 - after the chatter is silenced
import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402

from modern import (  # noqa: E402
    checkpoints,
    data,
    evaluation,
    own_job_flags,
    progress,
    records,
    results,
    runtime,
    schedules,
    seeds,
    server,
    strategies,
    train_flags,
    training_model,
    weights,
)
from modern import flags as common_flags  # noqa: E402
from modern.cluster import roles, tf_config  # noqa: E402
from modern.training import inputs, saving, stopping, trainer  # noqa: E402

FLAGS = flags.FLAGS
# At an epoch's end workers wait for each other, which over a small data set would be all the time.
_SHORTEST_EPOCH = 200


def main(argv: list[str]) -> int:
    """Takes this task's role; returns the exit code."""
    del argv
    train_flags.check()
    model_dir = common_flags.model_dir()
    config = tf_config.load()
    tf_config.validate(config, FLAGS.strategy)
    role = roles.role_of(config, FLAGS.strategy)
    runtime.configure(
        FLAGS.seed,
        FLAGS.deterministic,
        FLAGS.intra_op_threads,
        FLAGS.inter_op_threads,
        FLAGS.logical_cpus,
    )
    if role.serves_only:
        return server.serve(config, model_dir)
    job = load_job()
    arrays = common_flags.load_data(job)
    task = config.name if config else "worker-0"
    with contextlib.ExitStack() as stack:
        if FLAGS.repeats > 1:
            stack.enter_context(records.Recorder(model_dir, task))  # of the process as a whole
        if role.evaluates:
            return evaluate_checkpoints(job, arrays, model_dir, task)
        try:
            code = Training(job, arrays, config, role, task).train_all(model_dir)
        except (stopping.DivergedError, saving.SaveError) as error:
            code = cli.report_failure(error)
    if role.coordinates:
        # After an interruption steps still run; else the servers end now, and cannot be told to
        # forget what Python's clean-up deletes.
        cli.exit_at_once(code)
    return code


def load_job() -> ModuleType:
    """Returns the job that the flags name: a module, or an object with the same functions."""
    if not own_job_flags.model():
        return common_flags.job_module("modern.jobs")
    inputs = (FLAGS.input_fn, FLAGS.eval_input_fn, FLAGS.model_params)
    # The one thing that is not found here: these are trained by the bridge, if it is there.
    if FLAGS.keras_model:
        return importlib.import_module("migrate.bridge.port_job").PortJob(
            FLAGS.keras_model, *inputs
        )
    return importlib.import_module("migrate.bridge.job").Job(FLAGS.model_fn, *inputs)


def job_name() -> str:
    """What is trained, for progress lines and result.json."""
    return own_job_flags.model() or FLAGS.job


def evaluate_checkpoints(
    job: ModuleType, arrays: data.ArrayDataset, model_dir: str, task: str
) -> int:
    """The evaluator task."""
    for repeat in range(FLAGS.repeats):
        if not common_flags.wait_for_start(repeat):
            break
        folder = common_flags.repeat_dir(model_dir, repeat)
        with records.Recorder(folder, task) as recorder:
            found = evaluation.run_evaluator(job, arrays, folder, FLAGS.train_steps)
            recorder.add(evaluations=found)
    return 0


class Training:
    """A task that runs a training loop: alone, in the ring, or as the coordinator."""

    def __init__(
        self,
        job: ModuleType,
        arrays: data.ArrayDataset,
        config: tf_config.TFConfig | None,
        role: roles.Role,
        task: str,
    ) -> None:
        self._job, self._arrays, self._config, self._role, self._task = (
            job,
            arrays,
            config,
            role,
            task,
        )
        with cli.ended_by_ctrl_c():
            self._strategy = strategies.make(
                FLAGS.strategy, config, FLAGS.communication, FLAGS.min_shard_bytes
            )
        # After the strategy, before whose making no operation may run.
        with self._strategy.scope():
            self._batch_size = FLAGS.batch_size or job.BATCH_SIZE
        self._trainers = self._count_trainers()
        self._steps_per_epoch, self._steps_per_execution = self._derive_steps()

    def _count_trainers(self) -> int:
        """Replicas under MirroredStrategy (the GPUs, or one CPU), tasks elsewhere."""
        if FLAGS.strategy == "mirrored":
            return self._strategy.num_replicas_in_sync
        return roles.num_trainers(self._config, FLAGS.strategy)

    @property
    def _synchronous(self) -> bool:
        """Whether a global step takes a batch of every trainer."""
        return FLAGS.strategy != "parameter_server"

    def _derive_steps(self) -> tuple[int, int]:
        """Steps per epoch and per execution."""
        per_step = self._batch_size * (self._trainers if self._synchronous else 1)
        one_pass = len(self._arrays.train_labels) // per_step
        epoch = FLAGS.steps_per_epoch or max(one_pass, _SHORTEST_EPOCH)
        epoch = min(epoch, FLAGS.train_steps) or 1
        if FLAGS.steps_per_execution is None:
            return epoch, max(n for n in range(1, 11) if epoch % n == 0)
        if epoch % FLAGS.steps_per_execution:
            raise cli.UsageError(
                f"--steps_per_execution={FLAGS.steps_per_execution} does not divide the {epoch} "
                "steps of an epoch: change it or --steps_per_epoch."
            )
        return epoch, FLAGS.steps_per_execution

    def train_all(self, model_dir: str) -> int:
        """Trains --repeats times, seed after seed; returns the exit code."""
        self._process_s = time.time() - records.process_start_time()
        for repeat in range(FLAGS.repeats):
            if not common_flags.wait_for_start(repeat):
                break
            folder = common_flags.repeat_dir(model_dir, repeat)
            with records.Recorder(folder, self._task) as recorder:
                code = self._train(folder, model_dir, common_flags.repeat_seed(repeat), recorder)
            if code:
                return code
            gc.collect()  # models are full of cycles, and hold what they trained
        return 0

    def _train(self, folder: str, model_dir: str, seed: int, recorder: records.Recorder) -> int:
        began = time.time()
        tf_keras.utils.set_random_seed(seed)
        model, counters = self._build(seed)
        kept = self._files(model, folder, FLAGS.keep_checkpoint_max)
        kept.restore()
        built = time.time()
        seeds.seed_python(self._strategy, seed)
        outcome = trainer.Trainer(
            trainer.Config(
                max_steps=FLAGS.train_steps,
                saves=self._saves(kept, model, folder),
                callbacks=self._callbacks(folder),
                describe=self._describe(),
            ),
            training_model.CountedAdapter(model, counters),
        ).train(inputs.FromStep(lambda step: self._batches(seed, step), self._steps_per_epoch))
        samples, code = outcome.samples, outcome.exit_code
        recorder.add(samples)
        values = weights.read(model)  # by all workers, see there
        path = kept.save()  # Where nothing was left to train, nothing has been saved yet.
        kept.close()
        if self._role.saves and not code:
            phases = {
                "process_s": self._process_s,
                "build_s": built - began,
                "train_s": time.time() - built,
            }
            self._finish(folder, model_dir, seed, samples, values, path, began, phases)
        return code

    def _build(self, seed: int) -> tuple[training_model.TrainingModel, training_model.Counters]:
        """The compiled model, and what counts its examples."""
        shared = isinstance(self._strategy, tf.distribute.ParameterServerStrategy)
        counters = None if shared else training_model.Counters(self._trainers)
        with self._strategy.scope():
            counters = counters or training_model.Counters(self._trainers)
            if own_job_flags.model():
                return self._build_bridged(counters, seed), counters
            model = training_model.TrainingModel.of(
                self._job.build_model(), counters, FLAGS.gradient_compression
            )
            model.compile(
                self._job.make_optimizer(self._learning_rate()),
                self._job.make_loss(),
                steps_per_execution=self._steps_per_execution,
                jit_compile=FLAGS.jit_compile or None,
            )
        prefix = common_flags.init_checkpoint(seed)
        if prefix:
            weights.load_into(model, prefix)
        return model, counters

    def _build_bridged(
        self, counters: training_model.Counters, seed: int
    ) -> training_model.CountingSteps:
        """Returns the model of --model_fn or --keras_model; in the strategy's scope."""
        model = self._job.training_model(counters)
        model.compile(
            steps_per_execution=self._steps_per_execution, jit_compile=FLAGS.jit_compile or None
        )
        prefix = common_flags.init_checkpoint(seed)
        if prefix:
            self._job.load_initial(model, prefix)
        return model

    def _learning_rate(self) -> float | tf_keras.optimizers.schedules.LearningRateSchedule:
        base = self._job.LEARNING_RATE if FLAGS.learning_rate is None else FLAGS.learning_rate
        scaled = schedules.scaled(base, self._trainers) if FLAGS.scale_learning_rate else base
        rate = self._job.make_learning_rate(scaled)
        if FLAGS.learning_rate_warmup_steps:
            rate = schedules.WarmUp(rate, base, FLAGS.learning_rate_warmup_steps)
        if FLAGS.learning_rate_decay == "linear":
            rate = schedules.LinearDecay(rate, FLAGS.train_steps)
        return rate

    def _batches(self, seed: int, step: int) -> Any:
        """The data from a global step on, as `fit` takes them."""
        if FLAGS.model_fn and FLAGS.strategy == "mirrored":
            return strategies.distribute_to_each(self._strategy, self._in_turn)
        is_split = FLAGS.autoshard != "off"
        with seeds.of_all_trainers() if is_split else contextlib.nullcontext():
            return strategies.distribute(
                self._strategy,
                self._share(seed, step),
                self._trainers,
                roles.trainer_index(self._config, FLAGS.strategy) or 0,
                FLAGS.autoshard,
            )

    def _in_turn(self) -> tf.data.Dataset:
        """The batches of one input_fn, which an Estimator's replicas took in turn."""
        with self._strategy.scope():
            batches = self._job.replicas_input_fn(self._trainers)
        return training_model.tag_in_turn(batches, self._trainers)

    def _share(self, seed: int, step: int) -> strategies.ShareFn:
        """Makes one trainer's dataset; with autoshard, TensorFlow splits one for all of them."""
        first = step if self._synchronous else step // self._trainers
        own = None
        if FLAGS.autoshard != "off":
            own = roles.trainer_index(self._config, FLAGS.strategy)

        def share(trainers: int, trainer: int | tf.Tensor) -> tf.data.Dataset:
            size = self._batch_size * (self._trainers // trainers)
            make = functools.partial(
                self._job.train_input_fn, self._arrays, size, seed, trainers, trainer, first
            )
            batches = strategies.in_scope(self._strategy, make)()
            return training_model.tag(batches, trainer if own is None else own)

        return share

    def _files(
        self, model: tf_keras.Model, folder: str, keep: int | None, is_backup: bool = False
    ) -> checkpoints.Checkpoints:
        return checkpoints.Checkpoints(
            model, folder, keep, self._role.saves, self._task, is_backup=is_backup
        )

    def _saves(
        self, kept: checkpoints.Checkpoints, model: tf_keras.Model, folder: str
    ) -> list[trainer.Saving]:
        """The checkpoints, and the backups if there are any."""
        # The flags have 0 for never.
        rule = saving.SaveRule(
            FLAGS.save_checkpoints_steps or None, FLAGS.save_checkpoints_secs or None
        )
        saves = [trainer.Saving(kept, rule)]
        if FLAGS.backup != "none":
            rule = saving.SaveRule(train_flags.backup_steps() or self._steps_per_epoch)
            backups = self._files(model, folder, keep=1, is_backup=True)
            saves.append(trainer.Saving(backups, rule, is_backup=True))
        return saves

    def _describe(self) -> Callable[[progress.Sample, progress.Sample], str] | None:
        """What writes the progress line, on the task that saves."""
        if not self._role.saves:
            return None
        tasks = self._trainers if FLAGS.strategy == "multi_worker_mirrored" else 1
        return progress.describe(job_name(), FLAGS.train_steps, tasks)

    def _callbacks(self, folder: str) -> list[tf_keras.callbacks.Callback]:
        callbacks = []
        if FLAGS.model_checkpoint:
            callbacks.append(
                tf_keras.callbacks.ModelCheckpoint(
                    os.path.join(folder, "best", "weights"),
                    monitor="loss",
                    save_best_only=True,
                    save_weights_only=True,
                )
            )
        if FLAGS.tensorboard and self._role.saves:
            callbacks.append(tf_keras.callbacks.TensorBoard(os.path.join(folder, "summaries")))
        return callbacks

    def _finish(
        self,
        folder: str,
        model_dir: str,
        seed: int,
        samples: list[progress.Sample],
        values: dict[str, np.ndarray],
        checkpoint: str,
        began: float,
        phases: dict[str, float],
    ) -> None:
        """Evaluates, exports and writes result.json; on the task that saves."""
        before_eval = time.time()
        model = evaluation.plain_model(self._job, values)
        found = evaluation.evaluate(self._job, model, self._arrays)
        phases["eval_s"] = time.time() - before_eval
        export = None
        if FLAGS.export:
            try:
                export = evaluation.export(model, folder, samples[-1].step)
            except cli.UsageError as error:  # what was trained is not lost by it
                logging.warning("Nothing is exported (--noexport asks for nothing): %s", error)
        trainers = [samples, *self._others(folder, samples[0].time)]
        rss = {name: r["peak_rss_mb"] for name, r in records.read_all(model_dir).items()}
        results.write(
            folder,
            results.build(
                job=job_name(),
                dataset=self._arrays.name,
                way=FLAGS.strategy,
                cluster={name: n for name, n in roles.sizes(self._config).items() if n},
                seed=seed,
                batch_size=self._batch_size,
                synchronous=self._synchronous,
                trainer_names=self._trainer_names(),
                trainers=trainers,
                warmup_steps=FLAGS.warmup_steps,
                evaluation=found,
                best=self._arrays.best,
                checkpoint=checkpoint,
                export=export,
                parameters=sum(int(np.prod(v.shape)) for v in model.trainable_variables),
                peak_rss_mb=rss | {self._task: records.peak_rss_mb()},
                began_at=began,
                phases=phases,
            ),
        )

    def _others(self, folder: str, since: float) -> list[list[progress.Sample]]:
        """The samples of the other workers of the ring; a coordinator has all in its own."""
        if FLAGS.strategy != "multi_worker_mirrored" or not self._config:
            return []
        names = [name for name in self._trainer_names() if name != self._task]
        found = records.wait_for(folder, names, since)
        return [records.samples_of(record) for record in found.values()]

    def _trainer_names(self) -> list[str]:
        """The task of each trainer; under ParameterServerStrategy, in the order they began."""
        if FLAGS.strategy == "mirrored":
            return [f"replica-{i}" for i in range(self._trainers)]
        if not self._config:
            return [self._task]
        chief = (
            [] if FLAGS.strategy == "parameter_server" else self._config.cluster.get("chief", ())
        )
        workers = self._config.cluster.get("worker", ())
        return [f"chief-{i}" for i in range(len(chief))] + [
            f"worker-{i}" for i in range(len(workers))
        ]


if __name__ == "__main__":
    train_flags.define_flags()
    cli.run(main, misuse=(tf_config.TFConfigError, data.DataError, weights.CheckpointError))
