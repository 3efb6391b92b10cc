"""Tests for model_fns as Keras models: programs compute the same before and after."""

import ast
import re

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import model_fn_programs, tools
from tests.migrate.rewrite.model_fns import base_program
from tests.migrate.same_run import campaign
from tests.oracle import compare

V1 = tools.plan(api="v1")


def _rewritten(program):
    """Rewrites a program of TensorFlow 1 to legacy and then to modern."""
    text = fixed_point.rewrite(program, rules.all_rules("legacy"), plan=V1).text
    return fixed_point.rewrite(text, tools.TO_MODERN, unsafe=True, plan=V1)


@pytest.fixture(scope="module")
def computed(request):
    """Returns the results of each program that a test asks for, before and after the rewrite."""
    items = [item for item in request.session.items if item.module is request.module]
    if any(item.function is test_a_wrong_translation_is_told for item in items):
        names = [*model_fn_programs.ALL]
    else:
        asked = [item for item in items if "computed" in item.fixturenames]
        names = [item.callspec.params["name"] for item in asked]
    programs = [model_fn_programs.ALL[name] for name in names]
    before = tools.run(programs, "old")
    after = tools.run([_rewritten(program).text for program in programs], "eager")
    return dict(zip(names, zip(before, after, strict=True), strict=True))


@pytest.mark.parametrize("name", model_fn_programs.ALL)
def test_a_program_computes_the_same_as_a_keras_model(computed, name):
    before, after = computed[name]
    assert {"x", "y"} <= set(before), before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize("name", model_fn_programs.ALL)
def test_no_estimator_and_no_bridge_is_left(name):
    text = _rewritten(model_fn_programs.ALL[name]).text
    assert re.search(r"\((tf_keras\.Model|heads\.\w+)\):", text)
    for gone in ("estimator", "bridge", "disable_v2_behavior", "EstimatorSpec", "def model_fn"):
        assert gone not in text


# A wrong translation of each program must change its results.
DEFECTS = {
    "layers_in_a_loop": ("zip(self.conv2d, self.max_pooling2d)", "[(self.conv2d[0], lambda n: n)]"),
    "nested_loops": ("width *= 2", "width *= 3"),
    "reused_layers": ("(features, training=True)", "(features, training=True) * 0.5"),
    "nested_layers": ("global_clipnorm=0.1", "global_clipnorm=0.2"),
    "contrib_layers": ("+ sum(self.losses)", "+ 2.0 * sum(self.losses)"),
    "keras_layers": ("learning_rate=1e-2", "learning_rate=2e-2"),
    "embedded_ids": ("output_dim=4", "output_dim=5"),
    "told_by_mode": ("momentum=0.6", "momentum=0.7"),
    "idle_averages": ("momentum=1.0", "momentum=0.9"),
    "idle_keras_layer": ("momentum=1.0", "momentum=0.5"),
    "head_of_classes": ('loss_reduction="sum"', 'loss_reduction="sum_over_batch_size"'),
    "head_of_labels": ("global_clipnorm=0.1", "clipnorm=0.1"),
    "head_of_two_classes": ('weight_column="w", ', ""),
    "head_with_predictions": ("global_clipnorm=0.01", "global_clipnorm=0.02"),
    "tpu_builders": ('["accuracy"].update_state(features', '["mean"].update_state(features'),
    "initial_values": ("* 2.0, name", "* 3.0, name"),
    "settings": ("if self.is_training:", "if True:"),
    "cell_builders": ("recurrent_layers.ResidualCell(", "("),
    "two_estimators": ("momentum=0.9", "momentum=0.8"),
    "label_chains": ("-likelihood", "-0.9 * likelihood"),
    "looped_cells": ("self.shared_rnn(net,", "self.shared_rnn(0.5 * net,"),
    "loop_scopes": ("* scale)", "* 0.9)"),
    "classic_optimizers": ("classic.RMSProp(", "tf_keras.optimizers.RMSprop("),
    "late_shapes": ("value=0.25", "value=0.2"),
    "bound_arguments": ("scale=0.5", "scale=0.4"),
    "network_objects": ("0.01 *", "0.02 *"),
    "lookup_tables": ("num_oov_buckets=1", "default_value=3"),
    "normalized_layers": ("momentum=0.5", "momentum=0.6"),
    "scoped_arguments": ('padding="VALID"', 'padding="SAME"'),
    "methods_in_loops": ("momentum=0.5", "momentum=0.6"),
    "registered_networks": ('hp["scale"]', "0.8"),
    "sized_blocks": ("x * self.open", "x + self.open"),
    "scope_defaults": ("bias_regularizer=", "activity_regularizer="),
    "shared_variables": ("right = self.end(", "right = 0.5 * self.end("),
    "streamed_metrics": ("precision * recall", "precision * precision"),
}


@pytest.mark.slow
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


def test_the_base_of_what_is_refused_is_understood():
    outcome = fixed_point.rewrite(
        base_program.BASE, base_program.RULE, unsafe=True, plan=tools.plan(api="v2")
    )
    ast.parse(outcome.text)
    assert [made.rule.name for made in outcome.changes] == ["model_fns"]


def test_a_program_that_starts_from_its_own_checkpoints_has_keras_models():
    program = (campaign.PROGRAMS / "warm_start.py").read_text()
    text = _rewritten(program).text
    assert "settings = porting.WarmStartSettings(\n" in text
    assert "porting.warm_start(second, settings)\n" in text
    assert "KerasModelFn" not in text


def test_estimators_keep_their_checkpoints_for_one_that_cannot_change():
    program = (campaign.PROGRAMS / "warm_start.py").read_text()
    text = _rewritten(program.replace("second.train(input_fn)", "use(second)")).text
    assert "first = bridge.KerasModelFn(model_fn" in text
    assert "second = tf_estimator.Estimator(" in text


def test_a_seeded_shuffle_is_a_reason_for_another_order():
    program = model_fn_programs.ALL["nested_layers"]
    seeded = program.replace(".batch(", ".shuffle(4, seed=3).batch(", 1)
    assert seeded != program
    found = [
        any("shuffle with a seed in line" in made.reason for made in _rewritten(text).changes)
        for text in (program, seeded)
    ]
    assert found == [False, True]
