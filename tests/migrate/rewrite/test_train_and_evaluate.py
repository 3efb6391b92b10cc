"""train_and_evaluate: what is left alone and why, and what becomes of specs and exporters."""

import pytest

from tests.migrate.rewrite import tools

RULES = tools.rule("modern", "train_and_evaluate")
HOOKS = tools.rule("modern", "hooks")
HEAD = "from legacy import estimator as e\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e.train_and_evaluate(job, *specs)", "by * or **"),
        ("x = e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))", "is used"),
        ("e.train_and_evaluate(make(), e.TrainSpec(f), e.EvalSpec(f))", "no name"),
        ("e.train_and_evaluate(job, spec, e.EvalSpec(f))", "made elsewhere"),
        (
            "e.train_and_evaluate(job, make(), e.EvalSpec(f))",
            "not made as a tf.estimator.TrainSpec",
        ),
        ("e.train_and_evaluate(job, e.TrainSpec(**a), e.EvalSpec(f))", "train_spec is given"),
        (
            "spec = e.TrainSpec(f)\nprint(spec)\ne.train_and_evaluate(job, spec, e.EvalSpec(f))",
            "used for more",
        ),
        ("e.train_and_evaluate(job, e.TrainSpec(f, hooks=hooks), e.EvalSpec(f))", "not seen here"),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f, hooks=[Mine()]), e.EvalSpec(f))",
            "may look at evaluations",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=e.BestExporter()))",
            "decide by evaluations",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=[\n"
            "    e.FinalExporter('a', g, as_text=True)]))",
            "more than a name",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_a_person(text, reason):
    outcome = tools.check_noop(HEAD + text + "\n", RULES, unsafe=True, api="v2")
    (made,) = outcome.suggested
    assert reason in made.reason
    assert not made.applicable


def test_hooks_and_listeners_are_given_to_the_training_and_names_that_nothing_needs_go():
    tools.check_transformed(
        HEAD + "def main(job, f):\n"
        "    log = [tf.compat.v1.train.StepCounterHook()]\n"
        "    exporters = [e.LatestExporter('b', g, exports_to_keep=1), e.FinalExporter('a', g)]\n"
        "    evaluates = e.EvalSpec(f, hooks=log, exporters=exporters)\n"
        "    e.train_and_evaluate(job, e.TrainSpec(\n"
        "        f, 10,  # steps\n"
        "        saving_listeners=[listener]), eval_spec=evaluates)\n",
        "import tensorflow as tf\n"
        "def main(job, f):\n"
        "    log = [tf.compat.v1.train.StepCounterHook()]\n"
        "    # steps\n"
        "    job.train(f, max_steps=10, saving_listeners=[listener])\n"
        "    job.evaluate(f, steps=100, hooks=log)\n"
        "    job.export_saved_model("
        "tf.io.gfile.join(job.model_dir, \"export\", 'b'), g)\n"
        "    job.export_saved_model("
        "tf.io.gfile.join(job.model_dir, \"export\", 'a'), g)\n",
        RULES,
        unsafe=True,
        api="v2",
    )


def test_comments_in_a_spec_that_goes_stand_above_what_it_comes_to():
    tools.check_transformed(
        HEAD + "def main(job, f):\n"
        "    train = e.TrainSpec(f,\n"
        "        10)  # steps\n"
        "    evaluates = e.EvalSpec(\n"
        "        f,\n"
        "        throttle_secs=60)  # every minute\n"
        "    last = e.EvalSpec(f,  # the same\n"
        "        steps=None)\n"
        "    e.train_and_evaluate(job, train, last)\n",
        HEAD + "def main(job, f):\n"
        "    evaluates = e.EvalSpec(\n"
        "        f,\n"
        "        throttle_secs=60)  # every minute\n"
        "    # the same\n"
        "    job.train(f, max_steps=10)\n"
        "    job.evaluate(f)\n",
        RULES,
        unsafe=True,
        api="v2",
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e.TrainSpec(f, hooks=[tf.compat.v1.train.StopAtStepHook(5)])", "from the first training"),
        ("job.train(f, hooks=[tf.compat.v1.train.StopAtStepHook(*a)])", "not seen here"),
        ("job.train(f, [tf.compat.v1.train.StopAtStepHook(5)], 3)", "besides"),
    ],
)
def test_hooks_that_stop_otherwise_are_left_alone(text, reason):
    outcome = tools.check_noop(HEAD + text + "\n", HOOKS, unsafe=True, api="v2")
    assert reason in outcome.suggested[0].reason


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("LoggingTensorHook({'a': 'b'}, 10)", "is not logged"),
        ("NanTensorHook(loss)", "of NaN by itself"),
        ("StopAtStepHook(last_step=5)", "one more step"),
    ],
)
def test_hooks_whose_like_differs_are_only_suggested(hook, reason):
    text = f"{HEAD}job.train(f, hooks=[tf.compat.v1.train.{hook}, mine])\n"
    outcome = tools.check_noop(text, HOOKS, api="v2")
    assert reason in outcome.suggested[0].reason
    assert outcome.suggested[0].applicable
