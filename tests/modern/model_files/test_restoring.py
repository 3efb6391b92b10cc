"""Tests of models that resume from checkpoints, also if their variables are created later."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern import porting
from modern.model_files import restoring
from modern.model_files.checkpoints import Checkpoints
from modern.model_files.errors import CheckpointError
from modern.optimizers import combined
from tests.modern import ported

X = {"x": tf.ones([2, 4])}


def trained(folder, steps=3, **options):
    model = ported.compiled(**options)
    model.fit(ported.data().take(steps), verbose=0)
    Checkpoints(model, str(folder), None).save()
    return model


def assert_same(first, second):
    for one, other in zip(first.variables, second.variables, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())


@pytest.mark.parametrize("make", [ported.compiled, ported.built])
@pytest.mark.parametrize("kind", [tf_keras.optimizers.Adam, tf_keras.optimizers.legacy.Adam])
def test_a_training_goes_on_with_weights_slots_and_step(make, kind, tmp_path):
    before = trained(tmp_path, optimizer=kind)
    after = make(optimizer=kind)
    restoring.restore(after, str(tmp_path))
    assert int(after.optimizer.iterations) == 3
    for model in (before, after):
        model.fit(ported.data().take(2), verbose=0)
    assert int(after.optimizer.iterations) == 5
    assert_same(before, after)
    after.fit(ported.data().take(1), verbose=0)  # The checkpoint is restored only once.
    assert int(after.optimizer.iterations) == 6


@pytest.mark.parametrize(
    "use",
    [
        lambda model: model.evaluate(ported.data().take(1), verbose=0),
        lambda model: model.predict_on_batch(X),
        lambda model: model.predict(X, verbose=0),
        lambda model: model(X),
        lambda model: tf.function(model)(X),
        lambda model: restoring.finish(model, model, {"x": tf.TensorSpec([None, 4])}),
    ],
)
def test_any_use_restores_first(use, tmp_path):
    before = trained(tmp_path)
    after = ported.compiled()
    restoring.restore(after, str(tmp_path))
    use(after)
    assert_same(before, after)


def test_a_call_is_answered_with_the_restored_weights(tmp_path):
    before = trained(tmp_path)
    for call in (lambda model: model(X), lambda model: tf.function(model)(X)):
        after = ported.compiled()
        restoring.restore(after, str(tmp_path))
        np.testing.assert_allclose(call(after)["out"], before(X)["out"], rtol=1e-5)
        after.fit(ported.data().take(1), verbose=0)  # The slots were pending too.
        assert after.optimizer.variables[-1].numpy().any()
    other = ported.compiled(units=4)
    restoring.restore(other, str(tmp_path))
    with pytest.raises(CheckpointError):
        other(X)


def test_the_learning_rate_is_the_programs_own(tmp_path):
    trained(tmp_path, rate=0.5)
    for make in (ported.compiled, ported.built):
        model = make(rate=0.25)
        restoring.restore(model, str(tmp_path))
        model.fit(ported.data().take(1), verbose=0)
        assert model.optimizer.learning_rate.numpy() == 0.25


def test_so_are_those_of_an_optimizer_with_parts(tmp_path):
    def made(rate):
        model = tf_keras.Sequential([tf_keras.layers.Dense(1, name="only")])
        part = tf_keras.optimizers.legacy.SGD(rate, momentum=0.5)
        model.compile(combined.ByLayer({"only": part}), "mse")
        return model

    data = ported.data().map(lambda features, labels: (features["x"], labels))
    first, second = made(0.5), made(0.25)
    first.fit(data, verbose=0)
    Checkpoints(first, str(tmp_path), None).save()
    restoring.restore(second, str(tmp_path))
    second.fit(data.take(1), verbose=0)
    assert int(second.optimizer.iterations) == 5
    (part,) = second.optimizer.optimizers
    assert part.learning_rate.numpy() == 0.25


@pytest.mark.parametrize("make", [ported.compiled, ported.built])
@pytest.mark.parametrize("other", [{"units": 4}, {"layer": "deep"}])
def test_another_models_checkpoint_is_refused_before_anything_is_trained(make, other, tmp_path):
    trained(tmp_path)
    model = make(**other)

    def use():
        restoring.restore(model, str(tmp_path))
        model.fit(ported.data(), verbose=0)

    for _ in range(2):
        with pytest.raises(CheckpointError, match=r"ckpt-3 cannot be continued .*another folder"):
            use()
    assert int(model.optimizer.iterations) in (0, 3)


@pytest.mark.parametrize("make", [ported.compiled, ported.built])
def test_a_damaged_checkpoint_is_refused(make, tmp_path):
    trained(tmp_path)
    (file,) = (tmp_path / "checkpoints").glob("ckpt-3.data-*")
    file.write_bytes(file.read_bytes()[:100])
    model = make()
    with pytest.raises(CheckpointError, match="ckpt-3.data-00000-of-00001 is cut off"):
        restoring.restore(model, str(tmp_path)) or model.fit(ported.data(), verbose=0)


def test_what_was_saved_before_the_first_step_has_no_slots_and_is_taken(tmp_path):
    before = ported.built()
    before.out.kernel.assign_add([[1.0]] * 3)
    Checkpoints(before, str(tmp_path), None).save()
    after = ported.compiled()
    restoring.restore(after, str(tmp_path))
    for model in (before, after):
        model.fit(ported.data().take(1), verbose=0)
    assert_same(before, after)


def test_metrics_begin_anew(tmp_path):
    class Measured(ported.Model):
        def __init__(self):
            super().__init__()
            self.mean = tf_keras.metrics.Mean(name="loss")

        def test_step(self, data):
            self.mean.update_state(super().test_step(data)["loss"])
            return self.get_metrics_result()

    losses = []
    for _ in range(2):
        model = Measured()
        model.compile(tf_keras.optimizers.SGD(0.0))
        porting.restore(model, str(tmp_path))
        losses.append(model.evaluate(ported.data(), verbose=0))
        model.optimizer.iterations.assign(1)
        model.mean.total.assign(1000.0)
        Checkpoints(model, str(tmp_path), None).save()
    assert losses[1] == pytest.approx(losses[0], rel=1e-6)


def test_a_model_is_to_be_compiled(tmp_path):
    trained(tmp_path)
    with pytest.raises(ValueError, match="not compiled"):
        porting.restore(ported.Model(), str(tmp_path))
