import pytest
import tensorflow as tf
import tf_keras

from migrate import batches, verify
from migrate.checkpoint.naming import mapping
from migrate.verify import results
from migrate.verify.sides import legacy_model
from modern.process import cli
from tests.migrate.verify import program, tiny


def run(build_model=tiny.port, params=None, **options):
    given = {**tiny.params, **(params or {})}
    options = {"update_steps": 2, **options}
    return verify.verify(tiny.model_fn, build_model, tiny.input_fn, params=given, **options)


def findings(report, number):
    return " ".join(report.levels[number - 1].findings)


def test_takes_a_spec_of_any_class_and_a_new_optimizer():
    report = run()

    assert report.verdict == results.SAME, report.levels
    assert report.levels[6].verdict == results.NOT_ASKED
    assert "m, v" in report.levels[4].compared


def test_takes_probabilities_for_logits():
    report = run(lambda: tiny.port(activation="softmax"))

    assert report.verdict == results.SAME
    assert "softmax(logits/BiasAdd:0)" in " ".join(report.levels[1].notes)


def test_takes_a_class_that_makes_its_optimizer_with_metrics_in_it():
    report = run(tiny.Tracked)

    assert report.verdict == results.SAME, report.levels
    assert [*report.pairs] == ["logits/kernel", "logits/bias"]
    assert "accuracy" in report.levels[5].comparisons[0].what


@pytest.mark.parametrize("made", [lambda hparams: tiny.Tracked(hparams), lambda: tiny.port()])
def test_decides_by_the_signature_if_it_gives_params(made):
    assert run(made).verdict == results.SAME


def test_params_that_differ_between_the_sides_are_found():
    report = run(lambda params: tiny.Tracked({**params, "rate": 0.2}))

    assert report.levels[4].verdict == results.DIFFERENT


@pytest.mark.parametrize(
    ("model_fn", "mode"), [(tiny.without_evaluation, "prediction"), (tiny.train_only, "training")]
)
def test_compares_the_modes_that_there_are_without_evaluation(model_fn, mode):
    def run(build_model):
        options = {"params": tiny.params, "update_steps": 1}
        return verify.verify(model_fn, build_model, tiny.input_fn, **options)

    report = run(tiny.port)
    assert report.verdict == results.SAME, report.levels
    assert f" in {mode}" in report.levels[1].comparisons[0].what
    assert "train alone" in report.levels[2].compared
    assert "no evaluation" in report.levels[5].compared
    assert run(lambda: tiny.port(activation="relu")).levels[1].verdict == results.DIFFERENT


class Doubling(tiny.Tracked):
    FACTOR = 4.0

    def call(self, features, training=False):
        x = features["x"] * 2.0
        return {"logits": self.logits(x), "halved": x / self.FACTOR}

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        return super().compute_loss(x, y, y_pred["logits"])

    def compute_metrics(self, x, y, y_pred, sample_weight):
        return super().compute_metrics(x, y, y_pred["logits"], sample_weight)


class Otherwise(Doubling):
    FACTOR = 4.5


@pytest.mark.parametrize(
    ("model", "verdict"), [(Doubling, results.SAME), (Otherwise, results.DIFFERENT)]
)
def test_features_that_the_model_fn_writes_to_are_its_own(model, verdict):
    report = verify.verify(
        tiny.changes_features, model, tiny.dict_input_fn, params=tiny.params, update_steps=1
    )

    assert report.verdict == verdict, report.levels


def test_joins_partitioned_variables():
    report = run(params={"partitioned": True})

    assert report.verdict == results.SAME
    assert report.pairs["logits/kernel"] == "logits/kernel"


def test_a_variable_too_few_is_a_difference():
    report = run(lambda: tiny.port(use_bias=False))

    assert report.exit_code == 1
    assert "logits/bias (2,) has no like in the port" in findings(report, 1)


def test_a_variable_left_out_by_the_map_is_none():
    given = mapping.TensorMap(left_out=("logits/bias",))
    report = run(lambda: tiny.port(use_bias=False), tensor_map=given)

    assert report.levels[0].verdict == results.SAME
    assert "logits/bias" in " ".join(report.levels[0].notes)


@pytest.mark.parametrize(
    ("params", "level", "told"),
    [({"noise": True}, 2, "random_normal"), ({"nan": True}, 2, "is nan")],
    ids=["noise", "nan"],
)
def test_cannot_tell(params, level, told):
    report = run(params=params)

    assert report.exit_code == 2
    assert report.levels[level - 1].verdict == results.UNKNOWN
    assert told in findings(report, level)


def test_asks_which_metric_is_which():
    report = run(lambda: tiny.port(metric="share"))

    assert report.exit_code == 2
    assert "--metric=LEGACY=PORT" in findings(report, 6)


@pytest.mark.parametrize(
    ("momentum", "verdict"),
    [(1e-30, results.SAME), (0.0, results.DIFFERENT)],  # with 0, epsilon is outside the root
)
def test_asks_optimizers_alone_where_epsilon_tells(momentum, verdict):
    def build_model():
        return tiny.port(program.FromOnes(0.1, rho=0.9, momentum=momentum, epsilon=1e-10))

    report = run(build_model, {"optimizer": "rmsprop"})
    assert report.levels[4].verdict == verdict
    assert ("tiny gradients" in findings(report, 5)) == (verdict == results.DIFFERENT)


def test_what_fails_in_a_program_is_no_difference():
    class Failing(tf_keras.Sequential):
        def train_step(self, data):
            raise RuntimeError("not today")

    def build_model():
        model = Failing([tf_keras.Input((4,)), tf_keras.layers.Dense(2, name="logits")])
        loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf_keras.optimizers.Adam(0.1, epsilon=1e-8), loss, ["accuracy"])
        return model

    report = run(build_model)
    assert report.exit_code == 2
    assert "not today" in findings(report, 5)


def momentum():
    return tiny.port(tf_keras.optimizers.legacy.SGD(0.1, momentum=0.9))


@pytest.fixture
def checkpoint(tmp_path):
    """Saves the model_fn after three steps, with momentum in its slots, and returns the path."""
    old = legacy_model.Program(tiny.model_fn, {**tiny.params, "optimizer": "momentum"})
    drawn = batches.draw(tiny.input_fn, 3)
    with old.graph("train", drawn.specs) as graph:
        graph.initialize()
        for batch in drawn.items:
            graph.run(graph.train_op, batch)
        return graph.save(str(tmp_path / "model.ckpt"))


def test_continues_from_a_checkpoint_with_its_slots(checkpoint):
    report = run(momentum, {"optimizer": "momentum"}, checkpoint=checkpoint)

    assert report.verdict == results.SAME, findings(report, 5)
    assert len(report.asked["checkpoint"][0]["sha256"]) == 64
    first = next(c for c in report.levels[4].comparisons if "momentum after step 1" in c.what)
    assert first.size > 0.1  # more than the gradient of a first step


def test_refuses_a_checkpoint_of_keras(tmp_path):
    path = tf.train.Checkpoint(model=tiny.port()).save(str(tmp_path / "model"))
    with pytest.raises(cli.UsageError, match="object-based"):
        run(checkpoint=path)


@pytest.mark.parametrize(
    ("rate", "loss_margin", "verdict"),
    [(0.1, 0.9, results.SAME), (0.0001, 0.2, results.DIFFERENT)],
    ids=["the same rate", "a thousandth of it"],
)
def test_trains_from_scratch(rate, loss_margin, verdict):
    from migrate.verify.levels import scratch

    old = legacy_model.Program(tiny.model_fn, tiny.params)
    drawn = batches.draw(tiny.input_fn, 3)
    optimizer = lambda: tf_keras.optimizers.Adam(rate, epsilon=1e-8)  # noqa: E731
    port = port_of(lambda: tiny.port(optimizer()))
    trials = scratch.Trials(seeds=3, steps=20, loss_margin=loss_margin, metric_margin=0.5)
    level = scratch.run(old, port, drawn, drawn, trials)

    assert level.verdict == verdict, level.findings


def port_of(build_model):
    from migrate.verify.sides import port

    return port.Port(build_model)
