"""Tests for TrainSpec and EvalSpec as arguments."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools, with_specs


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e.train_and_evaluate(job, *specs)", "*args or **kwargs"),
        ("e.train_and_evaluate(job, spec, e.EvalSpec(f))", "train_spec is created elsewhere"),
        (
            "e.train_and_evaluate(job, make(), e.EvalSpec(f))",
            "not created by tf.estimator.TrainSpec",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(**a), e.EvalSpec(f))",
            "train_spec is created with",
        ),
        (
            "spec = e.TrainSpec(f)\nprint(spec)\ne.train_and_evaluate(job, spec, e.EvalSpec(f))",
            "other uses",
        ),
        (
            "n = 1\nspec = e.TrainSpec(f, n)\nn = 2\n"
            "e.train_and_evaluate(job, spec, e.EvalSpec(f))",
            "n changes between its train_spec",
        ),
        (
            "spec = e.TrainSpec(f); a()\ne.train_and_evaluate(job, spec, e.EvalSpec(f))",
            "shares a line",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f, None, None, [a]), e.EvalSpec(f))",
            "saving_listeners",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, hooks=[a]))",
            "EvalSpec has hooks",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f, hooks=[tf.compat.v1.train.FeedFnHook(a)]), "
            "e.EvalSpec(f))",
            "recipes session_run_hook",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=Mine()))",
            "exporter of an unknown class",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=[\n"
            "    e.FinalExporter('a', g, assets_extra={})]))",
            "FinalExporter has the unsupported argument assets_extra",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=exporters))",
            "exporters are created elsewhere",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=e.BestExporter()))",
            "no visible serving_input_receiver_fn",
        ),
        (
            "one = e.FinalExporter('a', g) if a else None\nif a:\n    one = []\n"
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=one))",
            "may be one or a list",
        ),
        (
            "stop = e.experimental.stop_if_lower_hook(job, 'loss', 1.0)\n"
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))",
            "the training that takes the hook in line 6 is unknown",
        ),
        ("job.fit(3)\ne.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))", "no counterpart"),
    ],
)
def test_what_is_not_understood_is_left_to_a_person(text, reason):
    whole = with_specs.HEAD + with_specs.INPUT + with_specs.JOB + text + "\n"
    outcome = tools.check_noop(whole, with_specs.RULES, unsafe=True, api="v2")
    (made,) = outcome.suggestions
    assert reason in made.reason
    assert not made.applicable


@pytest.mark.parametrize(
    ("train", "evaluate", "expected"),
    [
        ("f, 10", "f, None", "f, f, max_steps=10"),
        ("lambda: f(3)", "f, steps=n", "lambda: f(3), lambda: f().take(n)"),
        ("f", "f, None, 'test', throttle_secs=1", "f, f, eval_name='test', throttle_secs=1"),
        ("f, hooks=[]", "f, None, exporters=None", "f, f"),
        (
            "f, hooks=own",
            "f, None",
            "f, f, callbacks=[*as_estimator.callbacks(job), *as_estimator.run_hooks(own)]",
        ),
        (
            "f, hooks=[tf.compat.v1.train.ProfilerHook(9)]",
            "f, None",
            "f, f, callbacks=[*as_estimator.callbacks(job), "
            "as_estimator.Profile('', every_steps=9)]",
        ),
        (
            "f",
            "f, None, exporters=e.FinalExporter('b', g)",
            "f, f, exporters=[as_estimator.FinalExporter('b', g)]",
        ),
        (
            "f",
            "f, None, exporters=[e.BestExporter(serving_input_receiver_fn=g, exports_to_keep=2)]",
            'f, f, exporters=[as_estimator.BestExporter("best_exporter", g, exports_to_keep=2)]',
        ),
        (
            "f, hooks=[e.experimental.stop_if_lower_hook(job, 'loss', 1, job.eval_dir(), 9)]",
            "f, None",
            "f, f, callbacks=[*as_estimator.callbacks(job), "
            "as_estimator.StopIfLower('loss', 1, min_steps=9)]",
        ),
    ],
)
def test_specs_are_arguments(train, evaluate, expected):
    made = with_specs.after_job(
        f"e.train_and_evaluate(job, e.TrainSpec({train}), e.EvalSpec({evaluate}))\n"
    )
    flat = "".join(line.strip() + " " * line.rstrip().endswith(",") for line in made.split("\n"))
    wanted = f"as_estimator.train_and_evaluate(job, {expected})"
    assert flat.replace(", )", ")").replace("(job", "(job") == wanted


def test_what_has_a_name_changes_where_it_is_made_or_goes():
    made = with_specs.after_job(
        "stop = e.experimental.stop_if_no_increase_hook(job, 'auc', 9, run_every_secs=5)  # late\n"
        "log = tf.compat.v1.train.LoggingTensorHook({'a': 'b'}, 10)\n"
        "hooks = [log, stop]\n"
        "train = e.TrainSpec(f,  # all\n"
        "    9, hooks=hooks)\n"
        "exporter = e.LatestExporter('b', g, exports_to_keep=1)\n"
        "evaluate = e.EvalSpec(f, None, exporters=[exporter])\n"
        "e.train_and_evaluate(job, train, eval_spec=evaluate)  # now\n"
    )
    assert made == (
        "stop = as_estimator.StopIfNoIncrease('auc', 9, run_every_secs=5)  # late\n"
        "# all\n"
        "exporter = as_estimator.LatestExporter('b', g, exports_to_keep=1)\n"
        "as_estimator.train_and_evaluate(\n"
        "    job,\n"
        "    f,\n"
        "    f,\n"
        "    max_steps=9,\n"
        "    callbacks=[*as_estimator.callbacks(job), stop],\n"
        "    exporters=[exporter],\n"
        ")  # now\n"
    )


@pytest.mark.parametrize(
    ("first", "second", "given"),
    [
        ("e.BestExporter('b', g)", "e.FinalExporter('c', g)", "[one]"),
        ("[e.BestExporter('b', g)]", "[e.FinalExporter('c', g)]", "one"),
    ],
)
def test_a_condition_may_choose_the_exporters(first, second, given):
    made = with_specs.after_job(
        f"if best:\n    one = {first}\nelse:\n    one = {second}\n"
        "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, None, exporters=one))\n"
    )
    assert f"    one = {first.replace('e.B', 'as_estimator.B')}\n" in made
    assert f"    one = {second.replace('e.F', 'as_estimator.F')}\n" in made
    assert f"exporters={given}" in made


def test_specs_of_several_functions_may_have_the_same_name():
    train = (
        "  spec = e.TrainSpec(f, 9)\n  other = e.EvalSpec(f, None)\n"
        "  e.train_and_evaluate(job, spec, other)\n"
    )
    made = with_specs.after_job(f"def one():\n{train}def two():\n{train}")
    assert "Spec" not in made
    assert made.count("max_steps=9") == 2


@pytest.mark.parametrize(("as_text", "is_named"), [("True", True), ("False", False)])
def test_an_export_as_text_becomes_binary_and_the_change_says_so(as_text, is_named):
    whole = (
        with_specs.HEAD
        + with_specs.INPUT
        + with_specs.JOB
        + "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=[\n"
        + f"    e.FinalExporter('a', g, as_text={as_text})]))\n"
    )
    outcome = fixed_point.rewrite(whole, with_specs.RULES, unsafe=True, plan=tools.plan(api="v2"))
    assert "exporters=[as_estimator.FinalExporter('a', g)]" in outcome.text
    reasons = [change.reason for change in outcome.changes]
    assert any("saved_model.pb in place of" in reason for reason in reasons) == is_named
