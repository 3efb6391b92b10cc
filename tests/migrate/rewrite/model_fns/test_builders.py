"""Tests for functions that return a model_fn: the class has the same place, or nothing changes."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

HEAD, _, REST = base_program.BASE.partition("def model_fn")
MODEL_FN, _, TRAINING = f"def model_fn{REST}".partition("job =")
INDENTED = "".join(f"    {line}\n" if line else "\n" for line in MODEL_FN.splitlines())
BUILDER = f"{HEAD}def builder():\n{INDENTED.rstrip()}\n    return model_fn\n\n"
JOB = 'job = e.Estimator(model_fn, params={"units": 1})\n'


def rewritten(text, **options):
    plan = tools.plan(api="v2", **options)
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan)


def test_a_builder_returns_the_class():
    text = rewritten(f"{BUILDER}model_fn = builder()\n{JOB}").text
    assert "def builder():\n    class Model(tf_keras.Model):\n" in text
    assert "    return Model\n" in text
    assert "model_class = builder()\njob = model_class({" in text


def test_a_builder_may_be_called_in_the_arguments():
    text = rewritten(BUILDER + JOB.replace("model_fn,", "builder(),")).text
    assert 'job = builder()({"units": 1})\n' in text


def test_a_class_in_the_function_that_trains_it():
    job = "".join(f"    {line}\n" for line in JOB.splitlines())
    text = rewritten(f"{HEAD}def main():\n{INDENTED.rstrip()}\n{job}").text
    assert "    class Model(tf_keras.Model):\n" in text
    assert '    job = Model({"units": 1})\n' in text


@pytest.mark.parametrize(
    ("text", "shared", "reason"),
    [
        (f"{BUILDER}model_fn = builder()\n{JOB}print(model_fn)\n", False, "has other uses"),
        (f"{BUILDER}model_fn = builder()\n{JOB}other.take(builder)\n", False, "has other uses"),
        (f"{BUILDER}model_fn = builder()\n{JOB}", True, "other files may use the function"),
        (
            f"{BUILDER}model_fn = builder()\n{JOB}".replace(
                "return model_fn", "return other.wrapped(model_fn)"
            ),
            False,
            "not a function of this file",
        ),
        (
            f"{BUILDER}model_fn = builder()\n{JOB}".replace(
                "    return model_fn", "    print(model_fn)\n    return model_fn"
            ),
            False,
            "has other uses",
        ),
    ],
)
def test_a_builder_with_other_uses_stays(text, shared, reason):
    outcome = rewritten(text, is_shared=shared)
    assert outcome.text == text
    (made,) = outcome.suggestions
    assert reason in made.reason
