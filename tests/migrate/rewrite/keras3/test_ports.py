"""Tests that programs of 2018 compute the same figures as ports to tf_keras and to Keras 3."""

import pathlib

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.rules import examples
from tests.migrate.rewrite import tools
from tests.oracle import compare

# Programs with Estimators: a rule, and an example of it.
NAMES = [
    *("model_fns/dense_and_dropout", "model_fns/head"),
    *("canned_models/linear_classifier", "canned_models/regressor_with_embedding"),
    *("estimators/all_methods", "experiments/experiment_fn", "factories/spec_by_mode"),
    *("hooks/count_of_steps", "serving_receivers/parsing"),
]
PROGRAMS = {
    f"{rule}/{example.name}": example
    for rule in dict.fromkeys(name.partition("/")[0] for name in NAMES)
    for example in examples.of(tools.rule("modern", rule)[0])
    if f"{rule}/{example.name}" in NAMES
}


def port(example, *directions):
    text = example.before
    for to in directions:
        plan = tools.plan(api=example.api if to == "modern" else "v2")
        text = fixed_point.rewrite(text, rules.all_rules(to), unsafe=True, plan=plan).text
    return text


@pytest.fixture(scope="module")
def figures():
    """Returns the results of each port to tf_keras and to Keras 3.

    Other tests compare the ports to tf_keras with the programs.
    """
    ports = [port(example, "modern") for example in PROGRAMS.values()]
    ports_of_keras3 = [port(example, "modern", "keras3") for example in PROGRAMS.values()]
    results = tools.run(ports, "eager"), tools.run(ports_of_keras3, "keras3")
    return dict(zip(PROGRAMS, zip(*results, strict=True), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_a_program_of_2018_leaves_tf_keras(name):
    text = port(PROGRAMS[name], "modern", "keras3")
    assert "tf_keras" not in text
    assert "chosen_keras.choose(3)" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_port_to_keras_3_computes_the_same(figures, name):
    with_tf_keras, with_keras3 = figures[name]
    assert with_tf_keras
    assert "raised" not in with_tf_keras
    assert compare.differences(with_tf_keras, with_keras3) == []


@pytest.mark.slow
def test_another_learning_rate_is_found():
    program = port(PROGRAMS["model_fns/dense_and_dropout"], "modern", "keras3")
    other = program.replace("learning_rate=0.1", "learning_rate=0.101")
    assert other != program
    assert compare.differences(*tools.run([program, other], "keras3")) != []


def test_each_rule_has_its_own_file_in_the_folder():
    folder = pathlib.Path(rules.__file__).parent / "keras3"
    assert {rule.name for rule in tools.TO_KERAS3} == {
        path.stem for path in folder.glob("*.py") if path.stem != "__init__"
    }
