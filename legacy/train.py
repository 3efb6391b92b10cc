r"""Trains a job as it was written in 2018: an Estimator, alone or in a cluster.

Alone, on one machine:

    python -m legacy.train --flagfile=legacy/jobs/mnist_cnn.flags

As a task of a cluster with asynchronous parameter servers, where each task runs the same command
with its own TF_CONFIG:

    export TF_CONFIG='{"cluster": {"chief": ["a:2222"], "worker": ["b:2222"], "ps": ["c:2222"]},
                       "task": {"type": "chief", "index": 0}}'
    python -m legacy.train --job=mnist_cnn --model_dir=/shared/mnist

All tasks of a cluster on this machine:

    python -m modern.launch --chief --workers=1 --ps=1 --evaluator -- \
        python -m legacy.train --job=mnist_cnn --model_dir=/tmp/mnist

With a strategy in RunConfig, as in later Estimator jobs:

    python -m modern.launch --workers=2 -- \
        python -m legacy.train --train_distribute=collective_all_reduce --model_dir=/tmp/mnist

An unmodified model_fn of your own, in any of these clusters:

    python -m legacy.train --model_fn=package.module:model_fn --input_fn=package.module:input_fn \
        --eval_input_fn=package.module:eval_input_fn --model_dir=/tmp/mine

The modern counterpart is `modern/train.py`. Both write the same MODEL_DIR/result.json.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import warnings
from collections.abc import Mapping
from typing import Any

from absl import flags

from legacy import keras_choice
from modern.process import cli, quiet_import

keras_choice.use_legacy_keras()
# Before all that imports TensorFlow, so that its messages are hidden.
quiet_import.import_tensorflow()

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import counting, documented_job, own_job
from legacy import estimator as tf_estimator
from legacy.estimator.cluster import signals, stalls, waits
from modern import data
from modern.cluster import gathering, roles, tf_config
from modern.model_files import weights
from modern.process import files, folders, process_info
from modern.records import progress, results, run_lock, task_records
from modern.tasks import flags as common_flags
from modern.tasks import lone_task, own_job_flags
from modern.training import seeds, strategies
from modern.training.interruption import Interruption

FLAGS = flags.FLAGS
_NEVER_SECS = 10**9


def define_flags() -> None:
    """Defines the flags in addition to those that every training app has."""
    common_flags.define_common()
    own_job_flags.define_model_fn()
    flags.DEFINE_enum(
        "train_distribute",
        "none",
        tf_config.TRAIN_DISTRIBUTE,
        "The strategy in RunConfig; none: asynchronous parameter servers where the cluster has ps.",
    )
    flags.DEFINE_integer(
        "save_summary_steps", 100, "Write summaries every so many steps.", lower_bound=1
    )
    flags.DEFINE_integer(
        "start_delay_secs", 0, "The evaluator's wait before its first evaluation.", lower_bound=0
    )
    flags.DEFINE_integer(
        "throttle_secs", 0, "The least time between two evaluations.", lower_bound=0
    )


def main(argv: list[str]) -> int:
    """Trains this task's part of the job. Returns the exit code."""
    del argv
    own_job_flags.check()
    if not FLAGS.train_steps:
        raise cli.UsageError("--train_steps=0: an Estimator trains for at least one step.")
    # Old jobs use tf.layers. The user knows that it is deprecated.
    warnings.filterwarnings("ignore", r"`tf\.layers\.\w+` is deprecated", UserWarning)
    model_dir = common_flags.model_dir()
    config = tf_config.load()
    tf_config.validate(config, "legacy", train_distribute=FLAGS.train_distribute)
    folders.check_writable(model_dir, "--model_dir")
    job = own_job.OwnJob() if FLAGS.model_fn else documented_job.DocumentedJob()
    task = config.name if config else "worker-0"
    with contextlib.ExitStack() as stack:
        if roles.role_of(config, "legacy").saves:
            stack.enter_context(run_lock.held(model_dir))
        if FLAGS.repeats > 1:
            stack.enter_context(task_records.Recorder(model_dir, task))  # The whole process.
        app = App(job, config, task)
        for repeat in common_flags.turns():
            try:
                with task_records.Recorder(repeat.folder, task) as recorder:
                    code = app.train(repeat.folder, model_dir, repeat.seed, recorder)
            except waits.GaveUpError as error:
                return cli.report_failure(error)
            except gathering.MissingTasksError as error:
                assert config is not None
                return lone_task.end(error, repeat.folder, config)
            if code:
                return code
    return 0


class App:
    """A task of the job, in any role."""

    def __init__(
        self,
        job: documented_job.DocumentedJob | own_job.OwnJob,
        config: tf_config.TFConfig | None,
        task: str,
    ) -> None:
        self._job, self._config, self._task = job, config, task
        self.role = roles.role_of(config, "legacy")
        self._trainers = roles.num_trainers(config, "legacy")
        self._trainer = roles.trainer_index(config, "legacy") or 0
        self._process_s = time.time() - process_info.start_time()

    def train(self, folder: str, model_dir: str, seed: int, recorder: task_records.Recorder) -> int:
        """Runs this task's part in one training. Returns the exit code."""
        start_time = time.time()
        if self._config and FLAGS.train_distribute == "collective_all_reduce" and self.role.trains:
            gathering.wait_for_all(self._config, gathering.LIMIT_S)
        config = self._run_config(folder, seed)
        replicas_each = strategies.replicas_of_trainer(
            config.train_distribute or tf.distribute.get_strategy()
        )
        samples = counting.Samples(
            self._trainers,
            self._trainer,
            replicas_each,
            progress.describe(self._job.name, FLAGS.train_steps) if self.role.saves else None,
            self._job.has_shares,
        )
        if self.role.saves:
            self._job.begin(folder, seed)
        estimator = tf_estimator.Estimator(
            samples.watch(self._job.model_fn),
            config=config,
            params=self._job.params,
            warm_start_from=self._job.warm_start(seed),
        )
        interruption = Interruption()
        with contextlib.ExitStack() as stack:
            stack.enter_context(stalls.watched(config, FLAGS.stall_timeout))
            if not self.role.evaluates:
                stack.enter_context(signals.watched(interruption))
            tf_estimator.train_and_evaluate(estimator, self._train_spec(seed), self._eval_spec())
        if interruption.signum:
            recorder.add(samples.history)
            return interruption.exit_code
        has_trained = bool(samples.history)
        if self.role.trains:
            samples.begin(_global_step(estimator))  # The only sample if no step was left.
        recorder.add(samples.history)
        if self.role.saves:
            phases = {"process_s": self._process_s, "train_s": time.time() - start_time}
            other_trainers = self._other_trainers() if has_trained else []
            self._finish(
                estimator,
                folder,
                model_dir,
                seed,
                samples,
                other_trainers,
                start_time,
                phases,
                replicas_each,
            )
        return 0

    def _run_config(self, folder: str, seed: int) -> tf_estimator.RunConfig:
        secs = None if FLAGS.save_checkpoints_steps else FLAGS.save_checkpoints_secs or None
        # Without a saver, an Estimator would not even save the end of the training.
        only_at_end = None if secs else sys.maxsize
        return tf_estimator.RunConfig(
            model_dir=folder,
            # Workers have the same graph, so they need different seeds for different dropout masks.
            tf_random_seed=seeds.of_trainer(seed, self._trainer),
            save_summary_steps=FLAGS.save_summary_steps,
            save_checkpoints_steps=FLAGS.save_checkpoints_steps or only_at_end,
            save_checkpoints_secs=secs,
            keep_checkpoint_max=FLAGS.keep_checkpoint_max,
            train_distribute=_strategy(),
            session_creation_timeout_secs=FLAGS.stall_timeout or _NEVER_SECS,
        )

    def _train_spec(self, seed: int) -> tf_estimator.TrainSpec:
        input_fn = self._job.train_input_fn(seed, self._trainers, self._trainer)
        return tf_estimator.TrainSpec(input_fn, max_steps=FLAGS.train_steps)

    def _eval_spec(self) -> tf_estimator.EvalSpec:
        return tf_estimator.EvalSpec(
            self._job.eval_input_fn,
            steps=None,
            hooks=[stalls.BeatHook()],  # A `master` evaluates in the middle of its training.
            exporters=self._job.exporters() if FLAGS.export else None,
            start_delay_secs=FLAGS.start_delay_secs,
            throttle_secs=FLAGS.throttle_secs,
        )

    def _finish(
        self,
        estimator: tf_estimator.Estimator,
        folder: str,
        model_dir: str,
        seed: int,
        samples: counting.Samples,
        other_trainers: list[str],
        start_time: float,
        phases: dict[str, float],
        replicas_each: int,
    ) -> None:
        """Evaluates the final checkpoint and writes result.json. Runs on the chief.

        Args:
          estimator: The trained Estimator.
          folder: The folder of this training.
          model_dir: The folder of all repeats.
          seed: The seed of this training.
          samples: The chief's samples.
          other_trainers: The names of the other tasks that have trained.
          start_time: The start of this training, in unix seconds.
          phases: Seconds of the phases so far.
          replicas_each: The number of replicas of each trainer.
        """
        before_eval = time.time()
        metrics = estimator.evaluate(self._job.eval_input_fn, name="final")
        phases["eval_s"] = time.time() - before_eval
        records = task_records.wait_for(folder, other_trainers, samples.history[0].time)
        trainers = [samples.history, *map(task_records.samples_of, records.values())]
        rss = {name: r["peak_rss_mb"] for name, r in task_records.read_all(model_dir).items()}
        results.write(
            folder,
            results.build(
                job=self._job.name,
                dataset=self._job.dataset,
                way="legacy",
                cluster={name: n for name, n in roles.sizes(self._config).items() if n},
                seed=seed,
                batch_size=self._job.batch_size(samples.batch_size),
                synchronous=FLAGS.train_distribute in ("mirrored", "collective_all_reduce"),
                replica_names=self._replica_names(replicas_each),
                replicas_each=replicas_each,
                trainers=trainers,
                warmup_steps=FLAGS.warmup_steps,
                evaluation=_scalars(metrics),
                best=self._job.best,
                checkpoint=estimator.latest_checkpoint(),
                export=_latest_export(folder),
                parameters=samples.parameters,
                peak_rss_mb=rss | {self._task: process_info.peak_rss_mb()},
                began_at=start_time,
                phases=phases,
            ),
        )

    def _other_trainers(self) -> list[str]:
        return [name for name in self._trainer_names() if name != self._task]

    def _trainer_names(self) -> list[str]:
        if not self._config:
            return [self._task]
        return [
            f"{task_type}-{index}"
            for task_type in ("chief", "worker")
            for index in range(len(self._config.cluster.get(task_type, ())))
        ]

    def _replica_names(self, replicas_each: int) -> list[str]:
        is_single_task = not self._config and FLAGS.train_distribute == "mirrored"
        return results.replica_names([] if is_single_task else self._trainer_names(), replicas_each)


def _global_step(estimator: tf_estimator.Estimator) -> int:
    """Returns the step of the latest checkpoint, or 0 without a checkpoint."""
    path = estimator.latest_checkpoint()
    return int(tf.train.load_variable(path, tf.GraphKeys.GLOBAL_STEP)) if path else 0


def _scalars(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Returns the loss and the scalar metrics, without arrays such as a confusion matrix."""
    numbers = {name: value for name, value in metrics.items() if isinstance(value, np.number)}
    return {name: float(value) for name, value in numbers.items() if name != "global_step"}


def _strategy() -> tf.distribute.Strategy | None:
    """Returns the v1 strategy named by --train_distribute."""
    if FLAGS.train_distribute == "none":
        return None
    if FLAGS.train_distribute == "mirrored":
        return tf.distribute.MirroredStrategy()
    if FLAGS.train_distribute == "collective_all_reduce":
        return tf.distribute.experimental.MultiWorkerMirroredStrategy()
    return tf.distribute.experimental.ParameterServerStrategy()


def _latest_export(folder: str) -> str | None:
    """Returns the newest SavedModel of the exporter. None if an evaluator has yet to write it."""
    base = os.path.join(folder, "export", "final")
    versions = files.list_folder(base)
    return os.path.join(base, versions[-1]) if versions else None


if __name__ == "__main__":
    define_flags()
    cli.run(main, misuse=(tf_config.TFConfigError, data.DataError, weights.CheckpointError))
