"""Tests for train_and_evaluate with its Estimator: suggestions, layout and types."""

import pytest

from tests.migrate.rewrite import tools, with_specs


def test_an_estimator_of_elsewhere_is_said_to_be():
    text = "def run(job):\n    e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    text = with_specs.HEAD + text
    (made,) = tools.check_noop(text, with_specs.RULES, unsafe=True, api="v2").suggestions
    assert "not created in this file" in made.reason


def test_it_is_only_suggested_since_a_worker_does_not_go_on():
    text = with_specs.HEAD + with_specs.INPUT + with_specs.JOB
    text += "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    (made,) = tools.check_noop(text, with_specs.RULES, api="v2").suggestions
    assert "continued the program" in made.reason
    assert made.applicable


def test_what_it_returns_is_that_of_the_estimator():
    made = with_specs.after_job(
        "x = e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, None))[0]\n"
    )
    assert made == "x = as_estimator.train_and_evaluate(job, f, f)[0]\n"


@pytest.mark.parametrize(
    ("before", "steps", "taken"),
    [
        ("n = 5 / 2", "n", "math.ceil(n)"),
        ("flags = e.f(eval_steps=5 / 2)", "flags.eval_steps", "math.ceil(flags.eval_steps)"),
        ("flags = e.f(eval_steps=int(5 / 2))", "flags.eval_steps", "flags.eval_steps"),
        ("rate = 5 / 2", "flags.eval_steps", "flags.eval_steps"),
    ],
)
def test_a_fraction_of_batches_is_rounded_up(before, steps, taken):
    made = with_specs.after_job(
        f"{before}\ne.train_and_evaluate(job, e.TrainSpec(f, 9), e.EvalSpec(f, {steps}))\n"
    )
    assert f"f, lambda: f().take({taken}), max_steps=9)\n" in made


def test_a_long_call_is_broken_inside_of_what_it_is_given_to():
    made = with_specs.after_job(
        "print(e.train_and_evaluate(\n"
        "    job, e.TrainSpec(lambda: f(100000), 1000000), e.EvalSpec(f, None, 'b', "
        "start_delay_secs=0)))\n"
    )
    assert made == (
        "print(as_estimator.train_and_evaluate(\n"
        "    job,\n"
        "    lambda: f(100000),\n"
        "    f,\n"
        "    max_steps=1000000,\n"
        "    eval_name='b',\n"
        "    start_delay_secs=0,\n"
        "))\n"
    )


def test_estimators_of_one_function_change_together_and_their_types_too():
    tools.check_transformed(
        with_specs.HEAD
        + with_specs.INPUT
        + "def make(n, folder) -> e.Estimator:\n"
        "    if n:\n"
        "        return e.LinearRegressor([], folder)  # of none\n"
        "    return e.Estimator(m, folder)\n"
        "def run(job: e.Estimator):\n"
        "    e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, None))\n"
        "    return job.model_dir\n"
        "run(make(0, 'a'))\n".replace("run(make(0, 'a'))", "job = make(0, 'a')\nrun(job)"),
        "from legacy import estimator as e\n"
        "import tensorflow as tf\n"
        "from migrate import bridge\n"
        "from migrate.bridge import as_estimator\n"
        "import tf_keras\n" + with_specs.INPUT + "def make(n, folder) -> tf_keras.Model:\n"
        "    if n:\n"
        "        # migrate: Keras trains the unchanged model_fn (python -m migrate recipes "
        "canned_estimators)\n"
        "        strategy = as_estimator.strategy(folder)\n"
        "        with strategy.scope():\n"
        "            model = bridge.KerasModelFn("
        "e.LinearRegressor([], folder, config=as_estimator.RunConfig()).model_fn)  # of none\n"
        "        as_estimator.restore(model, folder, save_secs=600)\n"
        "        return model\n"
        + "".join(f"    {line}\n" for line in with_specs.MARKER.splitlines())
        + "    strategy = as_estimator.strategy(folder)\n"
        "    with strategy.scope():\n"
        "        model = bridge.KerasModelFn(m)\n"
        "    as_estimator.restore(model, folder, save_secs=600)\n"
        "    return model\n"
        "def run(job: tf_keras.Model):\n"
        "    as_estimator.train_and_evaluate(job, f, f)\n"
        "    return job.model_dir\n"
        "job = make(0, 'a')\nrun(job)\n",
        with_specs.RULES,
        unsafe=True,
        api="v2",
    )
