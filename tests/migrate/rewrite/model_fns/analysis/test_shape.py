"""Tests for the parts of a model_fn: arguments, specs, loss and metrics."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "mode, params):\n    net = features",
            "mode, params, config):\n    net = features * config.tf_random_seed",
            "it takes config",
        ),
        ("mode, params):", "mode, params, **more):", "it takes *args or **kwargs"),
        (
            'return e.EstimatorSpec(mode, {"out": out})',
            "return other.spec(out)",
            "other than an EstimatorSpec",
        ),
        ('{"out": out})', '{"out": out}, scaffold=other.scaffold)', "has a scaffold"),
        ("train_op, metrics)", "train_op, metrics, training_hooks=[other.Hook()])", "has hooks"),
        ("train_op, metrics)", "None, metrics)", "no loss and train_op"),
        (
            base_program.OUT,
            "if mode == 'infer':\n        net = net * 2.0\n    out = tf.layers.dense(net, 1)",
            "not all modes assign net",
        ),
        (
            base_program.OUT,
            f"params = other.with_defaults(params)\n    {base_program.OUT}",
            "changes its params",
        ),
        (base_program.OUT, f"del params['x']\n    {base_program.OUT}", "changes its params"),
        ("    step =", "    del other.table['x']\n    step =", "deletes other.table['x']"),
        (
            "    step =",
            "    for key in ['x']:\n        del TABLE[key]\n    step =",
            "deletes TABLE[key]",
        ),
        ("    step =", "    del out.name\n    step =", "deletes out.name"),
        ("    step =", "    tf.add_to_collection('a', loss)\n    step =", "tf.add_to_collection"),
        ("    step =", "    other.report(loss)\n    step =", "other.report(loss)"),
        (
            "    step =",
            "    for v in [loss]:\n        tf.add_to_collection('a', v)\n    step =",
            "tf.add_to_collection",
        ),
        (base_program.METRICS, '{"mae": (step, loss)}', "'mae' does not come from tf.metrics"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


def test_a_value_that_a_name_had_before_is_not_taken_for_the_one_that_it_has():
    """tf.metrics used the earlier labels. The rewritten program would use the final ones."""
    text = base_program.BASE.replace(base_program.METRICS, "{}").replace(
        "    step =",
        "    mae = tf.metrics.mean_absolute_error(labels, out)\n"
        "    labels = labels * 2\n    step =",
    )
    text = text.replace("metrics = {}", 'metrics = {"mae": mae}')
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert "'mae' does not come from tf.metrics" in outcome.suggestions[0].reason


def test_a_loss_that_is_told_whether_it_trains_is_not_that_of_an_evaluation():
    """A loss that depends on the mode stays, since Keras has a single loss for both modes."""
    loss = "    loss = tf.losses.mean_squared_error(labels, out)\n"
    text = base_program.BASE.replace(
        loss,
        "    if mode == e.ModeKeys.EVAL:\n        labels = smooth(labels, training=False)\n"
        f"    {loss}        return e.EstimatorSpec(mode, loss=loss)\n"
        f"    labels = smooth(labels, training=True)\n{loss}",
    ).replace("def model_fn", "def smooth(x, training):\n    return x\n\ndef model_fn")
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert "its loss depends on whether it trains" in outcome.suggestions[0].reason


def test_a_metric_of_a_dict_with_unpacked_parts_is_not_paired_with_another_key():
    unpacked = base_program.METRICS.replace("{", "{**other.metrics, ")
    text = base_program.BASE.replace(base_program.METRICS, unpacked)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text


def test_a_hook_that_stops_at_a_loss_of_nan_is_not_needed():
    hooks = "train_op, metrics, training_hooks=[tf.train.NanTensorHook(loss)])"
    text = base_program.BASE.replace("train_op, metrics)", hooks)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "(tf_keras.Model):" in outcome.text
    reason = base_program.refusal("train_op, metrics)", hooks.replace("(loss)", "(out)"))
    assert "has hooks (tf.train.NanTensorHook(out))" in reason


def test_an_evaluation_may_have_another_loss():
    text = base_program.BASE.replace(
        "    step =", "    if mode == 'eval':\n        loss = loss * 2.0\n    step ="
    )
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    method = outcome.text.partition("def compute_loss(")[2].partition("self.eval_metrics")[0]
    train, _, evaluation = method.partition("else:")
    assert "if self.is_training:" in train
    assert "loss * 2.0" not in train
    assert "loss = loss * 2.0" in evaluation
    assert "self.is_training = training" in outcome.text


def test_entries_of_its_own_dictionaries_may_be_deleted():
    metrics = base_program.METRICS.replace("{", '{"other": tf.metrics.mean(out), ')
    text = base_program.model_class(
        ("    net = features\n", "    del features['id']\n    net = features['x']\n"),
        ('{"out": out})', "predictions)"),
        (base_program.OUT, f"{base_program.OUT}\n    predictions = {{'out': out, 'net': net}}"),
        ("    if mode", "    predictions.pop('net')\n    if mode"),
        (base_program.METRICS, f"{metrics}\n    del metrics['other']"),
        (
            base_program.TRAIN,
            "options = {'rate': 0.1, 'decay': 0.2}\n    del options['decay']\n"
            "    train_op = tf.train.AdamOptimizer(options['rate']).minimize(loss, step)",
        ),
    )
    assert "features = dict(features)\n        del features['id']\n" in text
    assert "predictions.pop('net')\n" in text
    assert '"mae":' in text
    assert "other" not in text
    assert "        del options['decay']\n        return tf_keras.optimizers.Adam(" in text


def test_a_dictionary_with_two_names_must_not_change():
    alias = '{}\n    more = metrics\n    more["mae"] = tf.metrics.mean(out)'
    reason = base_program.refusal(base_program.METRICS, alias)
    assert "more and metrics are one object, which line 15 changes" in reason


def test_a_dictionary_may_get_another_name_before_it_changes():
    alias = '{}\n    more = metrics\n    more["mae"] = tf.metrics.mean(out)\n    metrics = more'
    text = base_program.BASE.replace(base_program.METRICS, alias)
    plan = tools.plan(api="v2")
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan)
    assert 'Mean(name="mae")' in outcome.text
