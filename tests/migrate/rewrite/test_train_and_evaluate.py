"""Tests for train_and_evaluate with its Estimator: specs, hooks, exporters and strategy."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULES = tools.rule("modern", "train_and_evaluate")
HEAD = "from legacy import estimator as e\nimport tensorflow as tf\n"
INPUT = "def f(n=1):\n    return tf.data.Dataset.range(n)\n"
JOB = "job = e.Estimator(m, 'a')\n"
MARKER = (
    "# There is no Keras model for it yet: its model_fn is not a function of this file.\n"
    "# migrate: bridged, Keras trains the model_fn as it is; "
    "python -m migrate recipes custom_model_fn\n"
)
BRIDGED = (
    f"{MARKER}strategy = as_estimator.strategy('a')\n"
    "with strategy.scope():\n"
    "    job = bridge.KerasModelFn(m)\n"
    "as_estimator.restore(job, 'a', save_secs=600)\n"
)


def _outcome(text):
    return fixed_point.rewrite(HEAD + INPUT + text, RULES, unsafe=True, plan=tools.plan(api="v2"))


def _made(text):
    """Returns the rewritten code after the Estimator."""
    outcome = _outcome(JOB + text)
    assert not [made for made in outcome.suggestions if not made.applicable], outcome.suggestions
    return outcome.text.partition("save_secs=600)\n")[2]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e.train_and_evaluate(job, *specs)", "by * or **"),
        ("e.train_and_evaluate(job, spec, e.EvalSpec(f))", "train_spec is made elsewhere"),
        (
            "e.train_and_evaluate(job, make(), e.EvalSpec(f))",
            "not made as a tf.estimator.TrainSpec",
        ),
        ("e.train_and_evaluate(job, e.TrainSpec(**a), e.EvalSpec(f))", "train_spec is given"),
        (
            "spec = e.TrainSpec(f)\nprint(spec)\ne.train_and_evaluate(job, spec, e.EvalSpec(f))",
            "used for more",
        ),
        (
            "spec = e.TrainSpec(f); a()\ne.train_and_evaluate(job, spec, e.EvalSpec(f))",
            "on a line with more",
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
            "exporters that are not seen",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=[\n"
            "    e.FinalExporter('a', g, as_text=True)]))",
            "FinalExporter is given as_text",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=exporters))",
            "exporters are made elsewhere",
        ),
        (
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, exporters=e.BestExporter()))",
            "no serving_input_receiver_fn",
        ),
        (
            "stop = e.experimental.stop_if_lower_hook(job, 'loss', 1.0)\n"
            "e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))",
            "the training of the hook in line 6 is not seen",
        ),
        ("job.fit(3)\ne.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))", "no like"),
    ],
)
def test_what_is_not_understood_is_left_to_a_person(text, reason):
    whole = HEAD + INPUT + JOB + text + "\n"
    outcome = tools.check_noop(whole, RULES, unsafe=True, api="v2")
    (made,) = outcome.suggestions
    assert reason in made.reason
    assert not made.applicable


def test_an_estimator_of_elsewhere_is_said_to_be():
    text = f"{HEAD}def run(job):\n    e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    (made,) = tools.check_noop(text, RULES, unsafe=True, api="v2").suggestions
    assert "not made in this file" in made.reason


def test_it_is_only_suggested_since_a_worker_does_not_go_on():
    text = f"{HEAD}{INPUT}{JOB}e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    (made,) = tools.check_noop(text, RULES, api="v2").suggestions
    assert "went on with the program" in made.reason
    assert made.applicable


def test_the_model_is_made_under_the_strategy_of_the_cluster():
    outcome = _outcome(f"{JOB}e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n")
    assert outcome.text.endswith(
        f"{INPUT}{BRIDGED}as_estimator.train_and_evaluate(job, f, lambda: f().take(100))\n"
    )
    config = "c = e.RunConfig(train_distribute=tf.distribute.MirroredStrategy(), model_dir='a')\n"
    text = (
        "job = e.Estimator(m, config=c)\ne.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    )
    assert "as_estimator.strategy(c.model_dir, c.train_distribute)" in _outcome(config + text).text
    for made, later in (
        ("tf.distribute.MirroredStrategy()", "tf.distribute.MirroredStrategy"),
        ("one('/cpu:0')", "lambda: one('/cpu:0')"),
        ("one", "one"),
    ):
        config = f"e.RunConfig('a', train_distribute={made})"
        found = _outcome(text.replace("config=c", f"config={config}")).text
        assert f"as_estimator.strategy('a', {later})\n" in found


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
    made = _made(f"e.train_and_evaluate(job, e.TrainSpec({train}), e.EvalSpec({evaluate}))\n")
    flat = "".join(line.strip() + " " * line.rstrip().endswith(",") for line in made.split("\n"))
    wanted = f"as_estimator.train_and_evaluate(job, {expected})"
    assert flat.replace(", )", ")").replace("(job", "(job") == wanted


def test_what_it_returns_is_that_of_the_estimator():
    made = _made("x = e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f, None))[0]\n")
    assert made == "x = as_estimator.train_and_evaluate(job, f, f)[0]\n"


def test_a_long_call_is_broken_inside_of_what_it_is_given_to():
    made = _made(
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


def test_what_has_a_name_changes_where_it_is_made_or_goes():
    made = _made(
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


def test_estimators_of_one_function_change_together_and_their_types_too():
    tools.check_transformed(
        HEAD
        + INPUT
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
        "import tf_keras\n" + INPUT + "def make(n, folder) -> tf_keras.Model:\n"
        "    if n:\n"
        "        # migrate: bridged, Keras trains the model_fn as it is; "
        "python -m migrate recipes canned_estimators\n"
        "        strategy = as_estimator.strategy(folder)\n"
        "        with strategy.scope():\n"
        "            model = bridge.KerasModelFn("
        "e.LinearRegressor([], folder, config=as_estimator.RunConfig()).model_fn)  # of none\n"
        "        as_estimator.restore(model, folder, save_secs=600)\n"
        "        return model\n"
        + "".join(f"    {line}\n" for line in MARKER.splitlines())
        + "    strategy = as_estimator.strategy(folder)\n"
        "    with strategy.scope():\n"
        "        model = bridge.KerasModelFn(m)\n"
        "    as_estimator.restore(model, folder, save_secs=600)\n"
        "    return model\n"
        "def run(job: tf_keras.Model):\n"
        "    as_estimator.train_and_evaluate(job, f, f)\n"
        "    return job.model_dir\n"
        "job = make(0, 'a')\nrun(job)\n",
        RULES,
        unsafe=True,
        api="v2",
    )
