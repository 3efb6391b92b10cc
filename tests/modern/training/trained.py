"""A small training of a documented job, for the tests of the engine."""

import tensorflow as tf
import tf_keras

from modern.jobs import linear_regression as job
from modern.model_files import checkpoints
from modern.tasks import counted_model
from modern.training.data.inputs import FromStep
from modern.training.saving import SaveRule
from modern.training.trainer import Config, Saving, Trainer


class At(tf_keras.callbacks.Callback):
    """Callback that acts at a step."""

    def __init__(self, step, action):
        super().__init__()
        self._step, self._action = step, action

    def on_train_batch_end(self, batch, logs=None):
        if self.model.optimizer.iterations.numpy() >= self._step:
            self._action()


def made(steps_per_execution=1):
    """Returns (model, adapter). The model is compiled and has seeded weights."""
    counters = counted_model.Counters(1)
    tf_keras.utils.set_random_seed(0)
    model = counted_model.TrainingModel.of(job.build_model(), counters)
    model.compile(
        job.make_optimizer(0.01), job.make_loss(), steps_per_execution=steps_per_execution
    )
    return model, counted_model.CountedAdapter(model, counters)


def batches(step):
    arrays = job.load_data("synthetic")
    return counted_model.tag(job.train_input_fn(arrays, 32, 0, first_step=step), 0)


def fit(
    model_dir,
    steps,
    *callbacks,
    rule=None,
    backup_steps=None,
    steps_per_execution=1,
    data=batches,
    **config,
):
    """Returns (model, outcome) of a training with epochs of ten steps. Resumes if it can."""
    model, adapter = made(steps_per_execution)
    kept = checkpoints.Checkpoints(model, str(model_dir), 100, True, "worker-0")
    kept.restore()
    saves = [Saving(kept, rule or SaveRule())]
    if backup_steps:
        backups = checkpoints.Checkpoints(model, str(model_dir), 1, is_backup=True)
        saves.append(Saving(backups, SaveRule(backup_steps), is_backup=True))
    trainer = Trainer(Config(steps, saves, callbacks=callbacks, **config), adapter)
    return model, trainer.train(FromStep(data, 10, tf.distribute.get_strategy()))


def saved(model_dir):
    """Returns the steps of the checkpoints."""
    return sorted(int(p.stem[5:]) for p in model_dir.glob("checkpoints/*.index"))
