"""Tests for the EstimatorSpec of each mode, which need not be the value of a `return`."""

import pytest

from tests.migrate.rewrite.model_fns import base_program

BODY = base_program.BASE.partition(f"{base_program.OUT}\n")[2].partition("\njob =")[0]
PREDICT = "mode == e.ModeKeys.PREDICT"
LOSS = "        loss = tf.losses.mean_squared_error(labels, out)\n"
STEP = "        step = tf.train.get_global_step()\n"
MAE = base_program.METRICS

NESTED = f"""\
    spec = None
    if {PREDICT}:
        spec = e.EstimatorSpec(mode, {{"out": out}})
    else:
{LOSS}{STEP}        if mode == e.ModeKeys.TRAIN:
            {base_program.TRAIN}
            spec = e.EstimatorSpec(mode, loss=loss, train_op=train_op)
        else:
            spec = e.EstimatorSpec(mode, loss=loss, eval_metric_ops={MAE})
    return spec
"""
ENTRIES = f"""\
    entries = {{"mode": mode}}
    if {PREDICT}:
        entries["predictions"] = {{"out": out}}
    else:
{LOSS}{STEP}        entries.update(loss=loss)
        if mode == e.ModeKeys.TRAIN:
            {base_program.TRAIN}
            entries["train_op"] = train_op
        else:
            entries["eval_metric_ops"] = {MAE}
    return e.EstimatorSpec(**entries)
"""
CHOICE = BODY.replace("return e.EstimatorSpec(mode, None", "spec = e.EstimatorSpec(mode, None")
CHOICE = f"{CHOICE}    return spec if mode != e.ModeKeys.TRAIN else spec\n"
VALUE = f"""\
    loss = None if {PREDICT} else tf.losses.mean_squared_error(labels, out)
    step = tf.train.get_global_step()
    spec = (e.EstimatorSpec(mode, {{"out": out}}) if {PREDICT} else
        e.EstimatorSpec(mode, None, loss, tf.train.AdamOptimizer(0.1).minimize(loss, step), {MAE}))
    return spec
"""


@pytest.mark.parametrize("body", [NESTED, ENTRIES, CHOICE, VALUE])
def test_the_model_is_the_same_wherever_its_specs_are_made(body):
    assert base_program.model_class((BODY, body)) == base_program.model_class()


LOSS_ENTRY = ENTRIES.replace("entries.update(loss=loss)", "entries['loss'] = loss")
LOSS_ENTRY = LOSS_ENTRY.replace(f"            {base_program.TRAIN}\n", "").replace(
    "= train_op", "= tf.train.AdamOptimizer(0.1).minimize(entries['loss'], step)"
)
INLINE = LOSS_ENTRY.replace(LOSS, "").replace(
    "= loss\n", "= tf.losses.mean_squared_error(labels, out)\n"
)


def test_the_loss_may_be_an_entry_of_the_arguments():
    text = base_program.model_class((BODY, LOSS_ENTRY))
    assert text == base_program.model_class()
    text = base_program.model_class((BODY, INLINE))
    assert text == base_program.model_class()


def test_an_earlier_loss_with_the_same_text_is_not_its_loss():
    body = BODY.replace("    step", "    kept = {'a': abs(out)}\n    out = out * 2\n    step")
    body = body.replace("minimize(loss", "minimize(kept['a']").replace(
        "None, loss", "None, abs(out)"
    )
    assert "instead of its loss" in base_program.refusal(BODY, body)


@pytest.mark.parametrize("first", ["    spec = None\n", ""])
def test_a_mode_without_a_spec_has_no_predictions(first):
    body = NESTED.replace("    spec = None\n", first)
    body = body.replace('spec = e.EstimatorSpec(mode, {"out": out})', "pass")
    before, _, after = base_program.model_class().partition("    def predict_step")
    expected = before + "    def make_optimizer" + after.partition("    def make_optimizer")[2]
    assert base_program.model_class((BODY, body)) == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            NESTED.replace(f"if {PREDICT}", "if other.predicts()"),
            "it returns something other than an EstimatorSpec",
        ),
        (NESTED.replace(f"if {PREDICT}", "if True"), "no loss and train_op"),
        (
            NESTED.replace("spec = e.EstimatorSpec(mode, loss=loss, train_op=train_op)", "pass"),
            "it returns nothing in mode 'train'",
        ),
        (ENTRIES.replace('{"mode": mode}', "other.entries(mode)"), "not a dictionary literal"),
    ],
)
def test_a_spec_that_is_not_known_is_left_to_the_bridge(body, reason):
    assert reason in base_program.refusal(BODY, body)
