"""Tests for model_fns as Keras models: programs compute the same, refusals state the reason."""

import ast

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import model_fn_programs, tools
from tests.migrate.same_run import campaign
from tests.oracle import compare

RULE = tools.rule("modern", "model_fns")
V1 = tools.plan(api="v1")


def _rewritten(program):
    """Rewrites a program of TensorFlow 1 to legacy and then to modern."""
    text = fixed_point.rewrite(program, rules.all_rules("legacy"), plan=V1).text
    return fixed_point.rewrite(text, tools.TO_MODERN, unsafe=True, plan=V1)


@pytest.fixture(scope="module")
def computed():
    """Returns the results of each program before and after the rewrite."""
    programs = [*model_fn_programs.ALL.values()]
    before = tools.run(programs, "old")
    after = tools.run([_rewritten(program).text for program in programs], "eager")
    return dict(zip(model_fn_programs.ALL, zip(before, after, strict=True), strict=True))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", model_fn_programs.ALL)
def test_a_program_computes_the_same_as_a_keras_model(computed, name):
    before, after = computed[name]
    assert {"x", "y"} <= set(before), before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize("name", model_fn_programs.ALL)
def test_no_estimator_and_no_bridge_is_left(name):
    text = _rewritten(model_fn_programs.ALL[name]).text
    assert "(tf_keras.Model):" in text
    for gone in ("estimator", "bridge", "disable_v2_behavior", "EstimatorSpec", "def model_fn"):
        assert gone not in text


# A wrong translation of each program must change its results.
DEFECTS = {
    "layers_in_a_loop": ("zip(self.conv2d, self.max_pooling2d)", "[(self.conv2d[0], lambda n: n)]"),
    "reused_layers": ("(features, training=True)", "(features, training=True) * 0.5"),
    "nested_layers": ("global_clipnorm=0.1", "global_clipnorm=0.2"),
    "contrib_layers": ("+ sum(self.losses)", "+ 2.0 * sum(self.losses)"),
    "keras_layers": ("learning_rate=1e-2", "learning_rate=2e-2"),
    "embedded_ids": ("output_dim=4", "output_dim=5"),
    "told_by_mode": ("momentum=0.6", "momentum=0.7"),
    "two_estimators": ("momentum=0.9", "momentum=0.8"),
}


@pytest.mark.timeout(300)
def test_a_wrong_translation_is_told(computed):
    altered = {}
    for name, (right, wrong) in DEFECTS.items():
        text = _rewritten(model_fn_programs.ALL[name]).text
        altered[name] = text.replace(right, wrong)
        if name == "reused_layers":
            altered[name] = text.replace(
                "features, training=True)", "features, training=True) * 0.5"
            )
        assert altered[name] != text, name
    found = tools.run([*altered.values()], "eager")
    for name, after in zip(altered, found, strict=True):
        assert compare.differences(computed[name][0], after), name


BASE = """\
from legacy import estimator as e
import tensorflow.compat.v1 as tf
import other

def model_fn(features, labels, mode, params):
    net = features
    out = tf.layers.dense(net, params["units"])
    if mode == e.ModeKeys.PREDICT:
        return e.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    step = tf.train.get_global_step()
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, step)
    metrics = {"mae": tf.metrics.mean_absolute_error(labels, out)}
    return e.EstimatorSpec(mode, None, loss, train_op, metrics)

job = e.Estimator(model_fn, params={"units": 1})
"""
OUT = 'out = tf.layers.dense(net, params["units"])'
TRAIN = "train_op = tf.train.AdamOptimizer(0.1).minimize(loss, step)"
METRICS = '{"mae": tf.metrics.mean_absolute_error(labels, out)}'


def test_the_base_of_what_is_refused_is_understood():
    outcome = fixed_point.rewrite(BASE, RULE, unsafe=True, plan=tools.plan(api="v2"))
    ast.parse(outcome.text)
    assert [made.rule.name for made in outcome.changes] == ["model_fns"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # Arguments and return values.
        ("mode, params):", "mode, params, config):", "it takes config"),
        ("mode, params):", "mode, params, **more):", "it takes * or **"),
        ("def model_fn", "@other.wrapped\ndef model_fn", "not a function of"),
        (
            'return e.EstimatorSpec(mode, {"out": out})',
            "return other.spec(out)",
            "no EstimatorSpec",
        ),
        ('{"out": out})', '{"out": out}, scaffold=other.scaffold)', "has a scaffold"),
        ("train_op, metrics)", "train_op, metrics, training_hooks=[other.Hook()])", "has hooks"),
        ("train_op, metrics)", "None, metrics)", "no loss and train_op"),
        # Modes.
        ("if mode == e.ModeKeys.PREDICT:", "if other.predicts(mode):", "line 8 is not known"),
        ("net = features\n", "net = features * other.scale[mode]\n", "need mode"),
        (
            "    step =",
            "    if mode == 'eval':\n        loss = loss * 2.0\n    step =",
            "another loss",
        ),
        (
            OUT,
            "training = mode != 'infer'\n    out = tf.layers.dropout(net, training=training)",
            "what training is in each mode",
        ),
        (
            OUT,
            "if mode == 'infer':\n        net = net * 2.0\n    out = tf.layers.dense(net, 1)",
            "not all modes bind net",
        ),
        # The forward pass.
        (OUT, 'out = other.network(net, params["units"])', "other.network() in line 7"),
        (OUT, "out = tf.layers.dense(net, net.shape[1])", "made of net"),
        (OUT, "out = tf.nn.relu(tf.Variable(1.0) * net)", "tf.Variable"),
        (OUT, f"net = -net if tf.distribute.has_strategy() else net\n    {OUT}", "has_strategy"),
        (
            "    step =",
            "    loss /= tf.distribute.get_strategy().num_replicas_in_sync\n    step =",
            "tf.distribute.get_strategy",
        ),
        (OUT, "out = tf.layers.dense(net, 1, reuse=True)", "reuse"),
        (OUT, "out = [tf.layers.dense(net, 1) for _ in range(2)][0]", "made in a ListComp"),
        (OUT, "cell = tf.nn.rnn_cell.LSTMCell(3)\n    out = cell(net)[0]", "rnn_cell"),
        (OUT, "out = tf.layers.batch_normalization(net, training=True)", "as in training always"),
        (OUT, "out = tf.layers.batch_normalization(net)", "nothing runs UPDATE_OPS"),
        (OUT, "out = tf.contrib.layers.batch_norm(net)", "tf.contrib.layers.batch_norm"),
        (
            TRAIN,
            f"with tf.control_dependencies([tf.scatter_add(other.count, 0, 1)]):\n        {TRAIN}",
            "how 'train_op' trains",
        ),
        (
            OUT,
            "out = tf.keras.layers.Dropout(0.5)(net)",
            "is not told whether it trains",
        ),
        (
            OUT,
            "out = tf.keras.layers.BatchNormalization()(net, training=False)",
            "ran no updates",
        ),
        (
            OUT,
            "part = tf.keras.layers.Dense(1)\n    net = part(net)\n"
            "    part = tf.keras.layers.Dense(2)\n    out = part(net)",
            "more than once",
        ),
        (
            OUT,
            "with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
            "        net = tf.layers.dense(net, 1, name='b')\n"
            "    with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
            "        out = tf.layers.dense(net, 1, name='b')",
            "may be one that is reused",
        ),
        (
            OUT,
            "if params['deep']:\n        net = tf.layers.dense(net, params['more'])\n    out = net",
            "only sometimes",
        ),
        (OUT, "out = params['net'].build(net)", "what params['net'].build()"),
        (OUT, f"params = other.with_defaults(params)\n    {OUT}", "changes its params"),
        (OUT, f"{OUT} * y_pred", "y_pred is a name of the module"),
        (OUT, f"{OUT}.assign_add(1.0)", "it changes"),
        (OUT, "with other.scope():\n        out = tf.layers.dense(net, 1)", "made in a With"),
        (
            OUT,
            "while True:\n        out = tf.layers.dense(net, 1)\n        break",
            "made in a While",
        ),
        (
            OUT,
            "for i in [1]:\n        for j in [2]:\n            net = tf.layers.dense(net, j)\n"
            "    out = net",
            "loop in a loop",
        ),
        ("    loss =", "    labels = tf.layers.dense(labels, 1)\n    loss =", "tf.layers.dense"),
        # Side effects that would be lost.
        ("    step =", "    tf.add_to_collection('a', loss)\n    step =", "tf.add_to_collection"),
        ("    step =", "    other.report(loss)\n    step =", "other.report(loss)"),
        (
            "    step =",
            "    for v in [loss]:\n        tf.add_to_collection('a', v)\n    step =",
            "tf.add_to_collection",
        ),
        # The loss.
        ("    step =", "    loss += tf.losses.get_total_loss()\n    step =", "get_total_loss"),
        ("mean_squared_error(labels, out)", "mean_squared_error(labels, other.f(out))", "other.f"),
        (
            "    step =",
            "    loss += tf.nn.l2_loss(tf.trainable_variables()[0])\n    step =",
            "by their places",
        ),
        (
            "    step =",
            "    loss += sum(other.f(v) for v in tf.trainable_variables() if 'a/' in v.name)\n"
            "    step =",
            "by their names",
        ),
        # Training.
        ("AdamOptimizer", "ProximalAdagradOptimizer", "tf.train.ProximalAdagradOptimizer"),
        ("(loss, step)", "(loss * 2, step)", "another loss"),
        ("(loss, step)", "(loss)", "does not count the global step"),
        ("(loss, step)", "(loss, step, [other.variable])", "is given is not known"),
        ("(0.1)", "(tf.reduce_mean(out))", "depends on features"),
        ("(0.1)", "(tf.train.noisy_linear_cosine_decay(0.1, step, 5))", "tf.train.get_global_step"),
        (TRAIN, f"{TRAIN}\n    loss = loss * 2.0", "trains is not known"),
        (TRAIN, "train_op = other.train(loss)", "how"),
        (TRAIN, f"{TRAIN}\n    train_op = tf.group([train_op, other.op])", "trains is not known"),
        (
            TRAIN,
            "w = tf.gather(net, [0])\n"
            "    train_op = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, step)",
            "all rows of an embedding",
        ),
        (
            TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n    gradients = opt.compute_gradients(loss)\n"
            "    gradients = [(other.f(g), v) for g, v in gradients]\n"
            "    train_op = opt.apply_gradients(gradients, step)",
            "is not known",
        ),
        (
            TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n"
            "    pairs = [(tf.clip_by_value(g, -1.0, 2.0), v) "
            "for g, v in opt.compute_gradients(loss)]\n"
            "    train_op = opt.apply_gradients(pairs, step)",
            "not symmetric",
        ),
        # Metrics.
        (METRICS, '{"mae": other.metric(labels, out)}', "'mae' is not made by tf.metrics"),
        (METRICS, '{"a": tf.metrics.sparse_recall_at_k(labels, out, 1)}', "sparse_recall_at_k"),
        (METRICS, "other.metrics(labels, out)", "not written as a dictionary"),
        (METRICS, '{"auc": tf.metrics.auc(labels, out, curve="PR")}', "has curve"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    text = BASE.replace(old, new)
    assert text != BASE
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    (made,) = outcome.suggestions
    assert reason in made.reason
    assert not made.applicable


def test_a_changing_rate_does_not_hide_the_other_reasons():
    rate = "tf.train.MomentumOptimizer(tf.train.exponential_decay(0.1, step, 5, 0.5), 0.9)"
    text = BASE.replace("tf.train.AdamOptimizer(0.1)", rate)
    text = text.replace("params={", "config=e.RunConfig(tf_random_seed=1), params={")
    (made,) = fixed_point.rewrite(text, RULE, plan=tools.plan(api="v2")).suggestions
    for reason in ("its own checkpoints", "momentum", "tf_random_seed"):
        assert reason in made.reason


def test_a_value_that_a_name_had_before_is_not_taken_for_the_one_that_it_has():
    """tf.metrics used the earlier labels. The rewritten program would use the final ones."""
    text = BASE.replace(METRICS, "{}").replace(
        "    step =",
        "    mae = tf.metrics.mean_absolute_error(labels, out)\n"
        "    labels = labels * 2\n    step =",
    )
    text = text.replace("metrics = {}", 'metrics = {"mae": mae}')
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert "'mae' is not made by tf.metrics" in outcome.suggestions[0].reason


def test_a_loss_that_is_told_whether_it_trains_is_not_that_of_an_evaluation():
    """A loss that depends on the mode stays, since Keras has a single loss for both modes."""
    loss = "    loss = tf.losses.mean_squared_error(labels, out)\n"
    text = BASE.replace(
        loss,
        "    if mode == e.ModeKeys.EVAL:\n        labels = smooth(labels, training=False)\n"
        f"    {loss}        return e.EstimatorSpec(mode, loss=loss)\n"
        f"    labels = smooth(labels, training=True)\n{loss}",
    ).replace("def model_fn", "def smooth(x, training):\n    return x\n\ndef model_fn")
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert "its loss is told whether it trains" in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ("options = {'units': 1}", "changed after the Estimator"),
        ("options = {1: 2, 'units': 1}", "keys that are not strings"),
    ],
)
def test_params_that_an_estimator_had_a_copy_of_are_looked_at(params, reason):
    text = BASE.replace('params={"units": 1}', "params=options")
    text = text.replace("job =", f"{params}\njob =")
    text += "options['units'] = 2\n" if "changed" in reason else ""
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert reason in outcome.suggestions[0].reason


def test_a_model_fn_that_something_else_uses_stays_beside_its_class():
    text = BASE + "other.check(model_fn)\n"
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "def model_fn(" in outcome.text
    assert "class Model(" in outcome.text


def test_bytes_in_a_model_fn_are_kept():
    text = BASE.replace(OUT, OUT.replace("(net,", "(tf.io.decode_raw(b'\\x01', tf.float32) + net,"))
    assert text != BASE
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "b'\\x01'" in outcome.text


def test_a_metric_of_a_dict_with_unpacked_parts_is_not_paired_with_another_key():
    unpacked = METRICS.replace("{", "{**other.metrics, ")
    text = BASE.replace(METRICS, unpacked)
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text


def test_the_bridge_is_there_for_those_who_skip_the_rule():
    both = [*RULE, *tools.rule("modern", "estimators")]
    plan = tools.plan(api="v2")
    assert "class Model(" in fixed_point.rewrite(BASE, both, unsafe=True, plan=plan).text
    assert fixed_point.rewrite(BASE, both, plan=plan).text == BASE
    text = fixed_point.rewrite(BASE, both[1:], plan=plan).text
    assert "bridge.KerasModelFn(" in text


def test_a_program_that_starts_from_its_own_checkpoints_is_bridged():
    program = (campaign.PROGRAMS / "warm_start.py").read_text()
    text = _rewritten(program).text
    assert "first = bridge.KerasModelFn(model_fn" in text
    assert "second = tf_estimator.Estimator(" in text
    again = _rewritten(program.replace("warm_start_from=settings", "")).text
    assert "KerasModelFn" not in again


def test_a_seeded_shuffle_is_a_reason_for_another_order():
    program = model_fn_programs.ALL["nested_layers"]
    seeded = program.replace(".batch(", ".shuffle(4, seed=3).batch(", 1)
    assert seeded != program
    found = [
        any("shuffle with a seed in line" in made.reason for made in _rewritten(text).changes)
        for text in (program, seeded)
    ]
    assert found == [False, True]
