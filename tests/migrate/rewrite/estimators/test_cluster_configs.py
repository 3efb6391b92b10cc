"""Tests for strategies of a cluster."""

from tests.migrate.rewrite import with_specs


def test_the_model_is_made_under_the_strategy_of_the_cluster():
    outcome = with_specs.rewritten(
        f"{with_specs.JOB}e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    )
    assert outcome.text.endswith(
        f"{with_specs.INPUT}{with_specs.BRIDGED}"
        "as_estimator.train_and_evaluate(job, f, lambda: f().take(100))\n"
    )
    config = "c = e.RunConfig(train_distribute=tf.distribute.MirroredStrategy(), model_dir='a')\n"
    text = (
        "job = e.Estimator(m, config=c)\ne.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))\n"
    )
    assert (
        "as_estimator.strategy(c.model_dir, c.train_distribute)"
        in with_specs.rewritten(config + text).text
    )
    for made, later in (
        ("tf.distribute.MirroredStrategy()", "tf.distribute.MirroredStrategy"),
        ("one('/cpu:0')", "lambda: one('/cpu:0')"),
        ("one", "one"),
    ):
        config = f"e.RunConfig('a', train_distribute={made})"
        found = with_specs.rewritten(text.replace("config=c", f"config={config}")).text
        assert f"as_estimator.strategy('a', {later})\n" in found
