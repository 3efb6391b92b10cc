"""Tests for calls of an Estimator's methods."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head


@pytest.mark.parametrize(
    ("before", "given", "expected"),
    [
        ("steps = 3", "steps=steps", "take(steps)"),
        ("steps = None\nif x:\n  steps = 3", "steps=steps", "take(-1 if steps is None else steps)"),
        ("steps = None", "max_steps=steps", "train(job, input_fn, max_steps=steps)"),
        (
            "flags.DEFINE_integer('steps', None, 'How many.')",
            "max_steps=FLAGS.steps",
            "train(job, input_fn, max_steps=FLAGS.steps)",
        ),
        *(
            (
                f"parser.add_argument({defined})\nargs = parser.parse_args()",
                "steps=args.last_steps",
                f"take({taken})",
            )
            for defined, taken in (
                ("'--last-steps', type=int", "-1 if args.last_steps is None else args.last_steps"),
                ("'-n', dest='last_steps'", "-1 if args.last_steps is None else args.last_steps"),
                ("'--last_steps', default=3", "args.last_steps"),
                ("'--last_steps', required=True", "args.last_steps"),
            )
        ),
    ],
)
def test_steps_that_may_be_none_are_all(before, given, expected):
    text = f"{head.HEAD}{before}\njob = tf_estimator.Estimator(f)\njob.train(input_fn, {given})\n"
    plan = tools.plan(api="v2")
    assert expected in fixed_point.rewrite(text, head.ESTIMATORS, unsafe=True, plan=plan).text


def test_an_export_below_the_folder_of_another_estimator_stays_there():
    text = f"{head.HEAD}job = tf_estimator.Estimator(m, 'a')\njob.export_saved_model("
    text += "my_job.model_dir + job.model_dir, f)\n"
    outcome = fixed_point.rewrite(text, head.ESTIMATORS, plan=tools.plan(api="v2"))
    assert "as_estimator.export(job, my_job.model_dir + 'a', f)" in outcome.text


@pytest.mark.parametrize(
    ("use", "is_rewritten"),
    [
        ("", True),
        ("print(trained)\n", True),
        ("trained = 1\nf(trained)\n", True),
        ("trained.evaluate(input_fn)\n", False),
    ],
)
def test_the_result_of_a_training_may_be_printed(use, is_rewritten):
    job = "job = tf_estimator.Estimator(f)\ntrained = job.train(input_fn, steps=2)\n"
    outcome = fixed_point.rewrite(
        f"{head.HEAD}{job}{use}", head.ESTIMATORS, unsafe=True, plan=tools.plan(api="v2")
    )
    assert ("verbose=2)\ntrained = job\n" in outcome.text) == is_rewritten
    reasons = [one.reason for one in outcome.suggestions]
    assert any("not a statement of its own" in one for one in reasons) != is_rewritten


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (", name='test'", "x = as_estimator.evaluate(job, input_fn(), name='test')"),
        (", steps=2, name=n", "x = as_estimator.evaluate(job, input_fn().take(2), name=n)"),
        (", name=None", "x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True)"),
    ],
)
def test_an_evaluation_keeps_its_name(given, expected):
    text = f"{head.HEAD}n = 'a'\njob = tf_estimator.Estimator(f)\n"
    text += f"x = job.evaluate(input_fn{given})\n"
    plan = tools.plan(api="v2")
    assert expected in fixed_point.rewrite(text, head.ESTIMATORS, unsafe=True, plan=plan).text
