"""Tests for the calls that replace an Experiment: their arguments, and the reasons."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

EXPERIMENTS = tools.rule("modern", "experiments")
HEAD = "from legacy import contrib\nfrom legacy.compat.v1 import estimator as e\n"


def rewritten(options, above="", run="'model'", head=HEAD):
    text = (
        f"{head}{above}def make(output_dir, hparams=None):\n"
        f"    return contrib.learn.Experiment(job, f, g{options})\n"
        f"contrib.learn.learn_runner.run(make, {run})\n"
    )
    return fixed_point.rewrite(text, EXPERIMENTS, unsafe=True, plan=tools.plan())


def test_each_argument_has_its_place():
    text = rewritten(
        ", train_steps=9, eval_steps=n, train_monitors=[h], eval_hooks=hooks, eval_delay_secs=1, "
        "min_eval_frequency=3, check_interval_secs=2, saving_listeners=[s]"
    ).text
    assert "e.TrainSpec(f, max_steps=9, hooks=[h], saving_listeners=[s])" in text
    assert "e.EvalSpec(g, steps=n, hooks=hooks, start_delay_secs=1, throttle_secs=2)" in text


@pytest.mark.parametrize(
    ("options", "spec", "reason"),
    [
        ("", "e.EvalSpec(g, throttle_secs=5)", "every min_eval_frequency steps"),
        (
            ", eval_steps=None, min_eval_frequency=0",
            'e.EvalSpec(g, steps=None, throttle_secs=float("inf"))',
            "evaluates only the last checkpoint",
        ),
        (
            ", export_strategies=contrib.learn.make_export_strategy(s, as_text=True)",
            'exporters=e.FinalExporter("Servo", s, as_text=True)',
            "keeps the exports of earlier runs",
        ),
        (
            ", checkpoint_and_export=True, "
            "export_strategies=[contrib.learn.make_export_strategy(s, exports_to_keep=None)]",
            'exporters=[e.LatestExporter("Servo", s, exports_to_keep=None)], throttle_secs=0',
            "an evaluator task evaluates and exports",
        ),
    ],
)
def test_evaluations_and_exports_come_at_the_same_time(options, spec, reason):
    outcome = rewritten(options)
    assert spec in " ".join(outcome.text.replace("\n", " ").split())
    assert reason in outcome.changes[0].reason


def test_a_strategy_with_a_name_is_replaced_where_it_is_made():
    above = "s = contrib.learn.make_export_strategy(h, exports_to_keep=None)\n"
    text = rewritten(", export_strategies=[s]", above).text
    assert 's = e.FinalExporter("Servo", h)\n' in text
    assert "exporters=[s]" in text


def test_a_run_config_keeps_what_an_estimator_reads():
    config = "contrib.learn.RunConfig(None, 4, save_checkpoints_steps=5, model_dir='a')"
    text = rewritten("", run=f"run_config={config}").text
    assert text.endswith("make(e.RunConfig(save_checkpoints_steps=5, model_dir='a'), None)\n")


@pytest.mark.parametrize(
    ("schedule", "call"),
    [
        ("train", "    job.train(f, max_steps=3)\n"),
        ("evaluate", '    return job.evaluate(g, steps=100, name="one_pass")\n'),
    ],
)
def test_a_schedule_of_one_part_is_a_method_of_the_estimator(schedule, call):
    text = rewritten(", train_steps=3", run=f"'model', {schedule!r}").text
    assert call in text
    assert text.endswith("make(output_dir='model')\n")


@pytest.mark.parametrize(
    ("options", "above", "run", "reason"),
    [
        (", eval_metrics=m", "", "'a'", "which only an Estimator of contrib.learn accepts"),
        (", **more", "", "'a'", "*args or **kwargs"),
        (", unknown=1", "", "'a'", "its argument unknown"),
        (", export_strategies=s", "", "'a'", "made elsewhere"),
        (", checkpoint_and_export=x", "", "'a'", "knows its checkpoint_and_export"),
        ("", "", "'a', 'continuous_eval'", "the same as its method continuous_eval"),
        ("", "", "run_config=contrib.learn.RunConfig(**a)", "its RunConfig is created with"),
        ("", "print(c.environment)\n", "run_config=contrib.learn.RunConfig()", "environment in"),
        (
            "",
            "job = contrib.learn.DNNClassifier([3], [])\n",
            "'a'",
            "tf.contrib.learn.DNNClassifier, which",
        ),
        (
            ", export_strategies=contrib.learn.make_export_strategy(s, 'key')",
            "",
            "'a'",
            "a default_output_alternative_key",
        ),
    ],
)
def test_what_cannot_be_kept_has_a_reason(options, above, run, reason):
    outcome = rewritten(options, above, run)
    assert outcome.changes == ()
    (suggestion,) = outcome.suggestions
    assert reason in suggestion.reason


def test_the_result_of_a_training_is_the_estimator():
    text = f"{HEAD}def make(output_dir):\n    return contrib.learn.Experiment(job, f, g)\n"
    text += "x = contrib.learn.learn_runner.run(make, 'a', 'train')\n"
    (suggestion,) = tools.check_noop(text, EXPERIMENTS, unsafe=True).suggestions
    assert "the result of the run in line 5 is used" in suggestion.reason


MAKER = """\
def maker(rate, **options):
    def make(output_dir):
        return contrib.learn.Experiment(job, f, g, eval_steps=1, **options)
    return make
contrib.learn.learn_runner.run(maker({}), 'a')
"""


def test_arguments_that_the_caller_passes_on_are_read_from_there():
    call = "rate=1, train_steps=9, export_strategies=[contrib.learn.make_export_strategy(s)]"
    text = HEAD + MAKER.format(call)
    text = fixed_point.rewrite(text, EXPERIMENTS, unsafe=True, plan=tools.plan()).text
    assert 'max_steps=options["train_steps"]' in text
    assert 'exporters=options["export_strategies"]' in text
    assert "maker(rate=1, train_steps=9, export_strategies=[e.FinalExporter(" in text


@pytest.mark.parametrize("more", ["maker(**flags)\n", "maker(2)\n", "use(maker)\n"])
def test_arguments_that_not_all_callers_pass_are_unknown(more):
    text = HEAD + MAKER.format("1, train_steps=9") + more
    outcome = tools.check_noop(text, EXPERIMENTS, unsafe=True)
    assert "passed on" in outcome.suggestions[0].reason or "*args" in outcome.suggestions[0].reason
