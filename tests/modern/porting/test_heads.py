"""Tests of heads: loss, metrics, predictions and signatures.

tests/migrate/rewrite/canned/test_canned_models.py compares heads with Estimators.
"""

import numpy as np
import pytest
import tensorflow as tf

from modern.porting import heads
from modern.process.chosen_keras import keras

# `fit` of Keras 3 says that it does not shuffle a Dataset.
pytestmark = [
    pytest.mark.keras(2, 3),
    pytest.mark.filterwarnings("ignore:.shuffle=True. was passed:UserWarning"),
]


class Given(keras.layers.Layer):
    """Layer whose logits are a feature, times a weight of 1."""

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=(), initializer="ones")

    def call(self, features):
        return self.scale * features["logits"]


def _model(kind=heads.BinaryClassifier, **options):
    model = kind(Given(), **options)
    model.compile(keras.optimizers.SGD(0.1))
    return model


def _data(logits, labels, batch_size=2, **features):
    features = {"logits": np.array(logits, np.float32), **features}
    return tf.data.Dataset.from_tensor_slices((features, labels)).batch(batch_size)


def _evaluated(model, data):
    return model.evaluate(data, verbose=0, return_dict=True)


def test_the_loss_is_that_of_batches_and_its_average_that_of_examples():
    found = _evaluated(_model(heads.Regressor), _data([[1.0], [1.0], [3.0]], [0.0, 0.0, 0.0]))
    assert found["loss"] == pytest.approx((1.0 + 9.0) / 2)
    assert found["average_loss"] == pytest.approx(11.0 / 3)
    assert found["prediction/mean"] == pytest.approx(5.0 / 3)
    assert found["label/mean"] == 0.0


@pytest.mark.parametrize("kind", [heads.Regressor, heads.BinaryClassifier])
def test_metrics_but_not_the_loss_have_the_name_of_the_head(kind):
    data = _data([[1.0], [3.0]], [0.0, 1.0])
    plain, named = (_evaluated(_model(kind, head_name=name), data) for name in (None, "out"))
    expected = {name if name == "loss" else f"{name}/out": plain[name] for name in plain}
    assert named == expected
    assert "average_loss/out" in named


@pytest.mark.parametrize("kind", [heads.BinaryClassifier, heads.Classifier])
def test_any_classifier_may_leave_out_penalties(kind):
    model = _model(kind, penalties=False)
    assert model.losses == []


def test_losses_may_be_summed():
    model = _model(heads.Regressor, loss_reduction="sum")
    found = _evaluated(model, _data([[1.0], [1.0], [3.0]], [0.0, 0.0, 0.0]))
    assert found["loss"] == pytest.approx((2.0 + 9.0) / 2)
    with pytest.raises(ValueError, match="'mean'"):
        _model(loss_reduction="mean")


def test_a_mean_divides_by_examples_and_not_by_their_weights():
    model = _model(heads.Regressor, weight_column="w")
    found = _evaluated(model, _data([[1.0], [2.0]], [[0.0], [0.0]], w=[3, 1]))
    assert found["loss"] == pytest.approx((3.0 + 4.0) / 2)
    assert found["average_loss"] == pytest.approx((3.0 + 4.0) / 4)


def test_training_reports_the_loss_alone_and_counts_steps():
    model = _model(heads.Regressor)
    history = model.fit(_data([[1.0], [1.0]], [0.0, 0.0]), epochs=3, verbose=0).history
    assert list(history) == ["loss"]
    assert history["loss"][0] > history["loss"][-1]
    assert int(model.optimizer.iterations) == 3


@pytest.mark.keras(2)  # Keras 3 takes losses only within `call`.
def test_regularization_is_trained_and_not_reported():
    layer = Given()
    model = heads.Regressor(layer)
    layer.add_loss(lambda: 100.0 * layer.scale)
    model.compile(keras.optimizers.SGD(0.01))
    history = model.fit(_data([[0.0]], [0.0]), verbose=0).history
    assert history["loss"] == [0.0]
    assert float(layer.scale) == pytest.approx(0.0, abs=1e-6)


def test_two_classes_have_one_logit():
    found = _evaluated(_model(), _data([[2.0], [-1.0], [-3.0]], [1, 1, 0]))
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["precision"] == 1.0
    assert found["recall"] == 0.5
    assert found["accuracy_baseline"] == pytest.approx(2 / 3)
    assert found["auc"] == pytest.approx(1.0)
    predicted = _model().predict(_data([[2.0], [-1.0]], [1, 1]), verbose=0)
    assert predicted["class_ids"].tolist() == [[1], [0]]
    assert predicted["classes"].tolist() == [[b"1"], [b"0"]]
    assert predicted["all_class_ids"].tolist() == [[0, 1], [0, 1]]
    np.testing.assert_allclose(predicted["probabilities"][:, 1:], predicted["logistic"], rtol=1e-6)


def test_classes_may_have_names():
    model = _model(heads.Classifier, label_vocabulary=["u", "v", "t"])
    data = _data([[0.0, 3.0, 1.0], [2.0, 0.0, 0.0]], ["v", "t"])
    assert _evaluated(model, data)["accuracy"] == 0.5
    assert model.predict(data, verbose=0)["classes"].tolist() == [[b"v"], [b"u"]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="label_vocabulary"):
        _evaluated(model, _data([[0.0, 3.0, 1.0]], ["w"]))


def test_labels_that_cannot_be_are_errors():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[0, 1\]"):
        _evaluated(_model(), _data([[1.0]], [2]))
    with pytest.raises(ValueError, match=r"shape \[None, 1\]"):
        _evaluated(_model(), _data([[1.0]], [[0, 1]]))


def test_signatures_are_those_of_an_exported_estimator():
    features = {"logits": tf.constant([[1.0], [-1.0]])}
    found = _model().signatures(features)
    assert sorted(found) == ["classification", "predict", "regression", "serving_default"]
    assert sorted(found["serving_default"]) == ["classes", "scores"]
    assert found["regression"]["outputs"].shape == (2, 1)
    assert sorted(_model(heads.Regressor).signatures(features)) == [
        "predict",
        "regression",
        "serving_default",
    ]


def test_metrics_are_in_no_checkpoint(tmp_path):
    model = _model()
    _evaluated(model, _data([[1.0]], [1]))
    path = tf.train.Checkpoint(model).save(str(tmp_path / "ckpt"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert any("scale" in name for name in names)
    assert not any("total" in name or "positives" in name for name in names)


def test_metrics_begin_anew_with_each_evaluation():
    model, data = _model(), _data([[2.0], [-1.0], [-3.0]], [1, 1, 0])
    assert _evaluated(model, data) == _evaluated(model, data)


def test_replicas_train_as_one():
    def trained(scope):
        with scope:
            model = _model(heads.Regressor)
        data = _data([[1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 1.0, 0.0], batch_size=4)
        model.fit(data, epochs=2, verbose=0)
        return model.get_weights()[0]

    devices = tf.config.list_logical_devices("CPU")
    mirrored = tf.distribute.MirroredStrategy([device.name for device in devices[:2]])
    alone = trained(tf.distribute.get_strategy().scope())
    np.testing.assert_allclose(trained(mirrored.scope()), alone, rtol=1e-6)
