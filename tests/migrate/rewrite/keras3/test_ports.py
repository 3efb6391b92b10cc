"""Tests that programs of 2018 compute the same figures as ports to tf_keras and to Keras 3."""

import pathlib

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.rules import examples
from tests.migrate.rewrite import tools
from tests.oracle import compare

MODEL_FNS = {example.name: example for example in examples.of(tools.rule("modern", "model_fns")[0])}


def port(text, *directions):
    plan = tools.plan(api="v2")
    for to in directions:
        text = fixed_point.rewrite(text, rules.all_rules(to), unsafe=True, plan=plan).text
    return text


@pytest.fixture(scope="module")
def figures():
    """Returns the results of each program as it is, with tf_keras and with Keras 3."""
    programs = [example.before for example in MODEL_FNS.values()]
    ports = [port(program, "modern") for program in programs]
    ports_of_keras3 = [port(program, "modern", "keras3") for program in programs]
    results = (
        tools.run(programs, "eager"),
        tools.run(ports, "eager"),
        tools.run(ports_of_keras3, "keras3"),
    )
    return dict(zip(MODEL_FNS, zip(*results, strict=True), strict=True))


@pytest.mark.parametrize("name", MODEL_FNS)
def test_a_program_of_2018_leaves_tf_keras(name):
    text = port(MODEL_FNS[name].before, "modern", "keras3")
    assert "tf_keras" not in text
    assert "chosen_keras.choose(3)" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", MODEL_FNS)
def test_a_port_to_keras_3_computes_the_same(figures, name):
    before, with_tf_keras, with_keras3 = figures[name]
    assert "raised" not in before
    assert compare.differences(before, with_tf_keras) == []
    assert compare.differences(with_tf_keras, with_keras3) == []


@pytest.mark.slow
def test_another_learning_rate_is_found():
    program = port(MODEL_FNS["dense_and_dropout"].before, "modern", "keras3")
    other = program.replace("learning_rate=0.1", "learning_rate=0.101")
    assert other != program
    assert compare.differences(*tools.run([program, other], "keras3")) != []


def test_each_rule_has_its_own_file_in_the_folder():
    folder = pathlib.Path(rules.__file__).parent / "keras3"
    assert {rule.name for rule in tools.TO_KERAS3} == {
        path.stem for path in folder.glob("*.py") if path.stem != "__init__"
    }
