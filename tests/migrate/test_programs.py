"""The programs learn, and each port is the same model: weights, predictions, metrics, training."""

import importlib

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator
from tests.migrate.programs import legacy_warm_start, modern_warm_start

tf1 = tf.compat.v1
# What TensorFlow says of its own v1 layers and cells.
pytestmark = pytest.mark.filterwarnings("ignore:`tf:UserWarning", "ignore:`layer:UserWarning")

STEPS = 5


class Case:
    """A program, without randomness.

    Args:
      name: of its modules.
      predicted: from the model's output to what the Estimator predicts.
      altered: parameters that train another model, if only slightly.
      still: parameters that switch dropout off.
    """

    def __init__(self, name, predicted, altered, still=None):
        self.name, self.predicted = name, predicted
        self.legacy = importlib.import_module(f"tests.migrate.programs.legacy_{name}")
        self.modern = importlib.import_module(f"tests.migrate.programs.modern_{name}")
        self.params = {**self.legacy.params, **(still or {})}
        self.altered_params = {**self.params, **altered}
        self.build_options = {"dropout": 0.0} if still else {}

    def build_model(self, checkpoint):
        """The port with the weights of a checkpoint, and these by their old names."""
        model = self.modern.build_model(**self.build_options)
        weights = {weight.name.removesuffix(":0"): weight for weight in model.weights}
        assert sorted(weights) == sorted(self.modern.MAP.values())
        weights = {old: weights[new] for old, new in self.modern.MAP.items()}
        reader = tf.train.load_checkpoint(checkpoint)
        for name, weight in weights.items():
            weight.assign(reader.get_tensor(name))
        return model, weights


def softmax(key):
    return lambda outputs: {key: tf.nn.softmax(outputs).numpy()}


CASES = [
    Case("wide_deep_columns", lambda x: {"logits": x}, {"dnn_learning_rate": 0.101}),
    Case("resnet", softmax("probabilities"), {"boundaries": [3, 40]}),
    Case(
        "bert_encoder",
        softmax("probabilities"),
        {"num_warmup_steps": 5},
        still={"dropout_prob": 0.0},
    ),
    Case("lstm_text", softmax("prob"), {"clip_norm": 0.6}, still={"keep_prob": 1.0}),
    Case("warm_start", softmax("probabilities"), {"ema_decay": 0.81}),
    Case("contrib_cnn", lambda x: {"scores": x}, {"clip_gradients": 1.1}, still={"keep_prob": 1.0}),
    Case("multi_head", dict, {"price_weight": 0.51}),
]


def legacy_steps(case, params, checkpoint):
    """Trains some steps from a checkpoint.

    Returns the loss before any training, the losses, the weights after, and which are trained.
    """
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        tf1.train.get_or_create_global_step()
        batch = tf1.data.make_one_shot_iterator(case.legacy.input_fn()).get_next()
        spec = case.legacy.model_fn(*batch, estimator.ModeKeys.TRAIN, params)
        session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
        first = session.run(spec.loss)
        weights = {v.op.name: v for v in tf1.global_variables() if v.op.name in case.modern.MAP}
        tf1.train.Saver(weights).restore(session, checkpoint)
        losses = [session.run([spec.loss, spec.train_op])[0] for _ in range(STEPS)]
        trainable = {variable.op.name for variable in tf1.trainable_variables()}
        return first, losses, session.run(weights), trainable


def keras_steps(case, model):
    batches = case.legacy.input_fn().skip(1).take(STEPS)  # The first was for the loss before.
    return [model.train_on_batch(*batch, return_dict=True)["loss"] for batch in batches]


def close(found, expected, tolerance):
    return all(
        np.allclose(np.ravel(found[key]), np.ravel(expected[key]), tolerance, tolerance / 10)
        for key in expected
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_port_is_the_same_model(case, tmp_path):
    tf_keras.utils.set_random_seed(1)  # From which v1 layers take their first weights, too.
    old = estimator.Estimator(
        case.legacy.model_fn,
        params=case.params,
        config=estimator.RunConfig(str(tmp_path), tf_random_seed=1),
    )
    old.train(case.legacy.input_fn, steps=30)
    metrics = old.evaluate(case.legacy.eval_input_fn)
    predictions = list(old.predict(case.legacy.eval_input_fn))
    checkpoint = old.latest_checkpoint()
    first, losses, trained, trainable = legacy_steps(case, case.params, checkpoint)
    _, _, altered, _ = legacy_steps(case, case.altered_params, checkpoint)
    # Only now: a graph of v1 layers makes Keras models that are there already unusable.
    model, weights = case.build_model(checkpoint)

    assert np.mean(losses) < 0.8 * first
    assert {w.name for w in model.trainable_weights} == {weights[name].name for name in trainable}
    outputs = case.predicted(model.predict(case.legacy.eval_input_fn(), verbose=0))
    assert close(outputs, {key: [p[key] for p in predictions] for key in outputs}, 1e-5)
    evaluated = model.evaluate(case.legacy.eval_input_fn(), return_dict=True, verbose=0)
    names = getattr(case.modern, "METRICS", {})
    for name in metrics.keys() - {"loss", "global_step"}:
        np.testing.assert_allclose(evaluated[names.get(name, name)], metrics[name], 1e-5)
    # Estimator averages over batches, however small the last is; Keras averages over examples.
    batches = [model.test_on_batch(*batch)[0] for batch in case.legacy.eval_input_fn()]
    np.testing.assert_allclose(np.mean(batches), metrics["loss"], 1e-5)

    np.testing.assert_allclose(keras_steps(case, model), losses, 1e-4)
    assert close({name: weight.numpy() for name, weight in weights.items()}, trained, 1e-4)
    assert not close(altered, trained, 1e-4)


def test_a_warm_start_is_from_the_pretrained_encoder_and_so_are_the_averages(tmp_path):
    pretrained = legacy_warm_start.pretrain(str(tmp_path))
    start = tf.train.load_checkpoint(pretrained)
    params = {**legacy_warm_start.params, "warm_start_from": pretrained}
    old = estimator.Estimator(legacy_warm_start.model_fn, str(tmp_path / "model"), params=params)
    old.train(legacy_warm_start.input_fn, steps=1)
    model = modern_warm_start.build_model(pretrained)
    weights = {weight.name.removesuffix(":0"): weight.numpy() for weight in model.weights}
    for name, new in modern_warm_start.PRETRAINED.items():
        first, one = start.get_tensor(name), name.removeprefix("language_model/")
        # Adam's first step is the learning rate, and the average follows by a fifth of it.
        step = old.get_variable_value(one) - first
        assert 0 < np.max(np.abs(step)) < 1.01 * params["learning_rate"]
        average = old.get_variable_value(f"{one}/ExponentialMovingAverage") - first
        np.testing.assert_allclose(average, 0.2 * step, atol=1e-6)
        np.testing.assert_array_equal(weights[new], first)
        np.testing.assert_array_equal(weights[f"averaged_{new}"], first)
