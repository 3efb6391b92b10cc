"""Tests that Estimators are found, kept back and lifted."""

import pytest

from migrate.port import estimators, rewriting
from tests.migrate.port import programs


@pytest.fixture
def folder(tmp_path):
    programs.small(tmp_path / "job", "model")
    rewriting.to_legacy(str(tmp_path / "job"))
    return tmp_path / "job"


@pytest.mark.parametrize(
    ("highest", "written"),
    [
        (estimators.KERAS, "estimator = Model()"),
        (estimators.BRIDGED, "estimator = bridge.KerasModelFn(model_fn)"),
        (estimators.LEGACY, 'estimator = tf_estimator.Estimator(model_fn, "model")'),
    ],
)
def test_an_estimator_rises_to_its_highest_rung(folder, highest, written):
    (one,) = estimators.find(str(folder))
    rewritten = rewriting.to_modern(str(folder), {one: highest})
    assert one.name == "tf.estimator.Estimator"
    assert rewritten.rungs == {one: highest}
    text = (folder / "job.py").read_text()
    assert written in text.replace("'", '"')
    assert "ignore" not in text


def test_estimators_of_one_variable_rise_together(tmp_path):
    programs.copied("census_wide_deep", tmp_path / "job")
    rewriting.to_legacy(str(tmp_path / "job"))
    rewritten = rewriting.to_modern(str(tmp_path / "job"), {})
    assert [*rewritten.rungs.values()] == ["Keras"] * 3
    assert [len(group) for group in rewritten.together] == [3]


def test_the_comment_follows_the_whole_statement(tmp_path):
    (tmp_path / "job.py").write_text("a = Estimator(\n    f, 'm')  # our model\nb = 1\n")
    one = estimators.Estimator("job.py", 1, "tf.estimator.Estimator")
    estimators.mark(str(tmp_path), one, estimators.BRIDGED)
    marked = (tmp_path / "job.py").read_text().split("\n")
    assert marked[1].startswith("    f, 'm')  # our model  # migrate: ignore[canned_models,")
    estimators.unmark(str(tmp_path))
    assert (tmp_path / "job.py").read_text() == (
        "a = Estimator(\n    f, 'm')  # our model\nb = 1\n"
    )


def test_a_model_that_train_and_evaluate_bridges_is_bridged(tmp_path):
    path = programs.small(tmp_path / "job", "model")
    with open(path) as file:
        text = file.read()
    end = text.index("estimator.train(input_fn)")
    text = text[:end] + (
        "train_spec = tf.estimator.TrainSpec(input_fn, max_steps=3)\n"
        "eval_spec = tf.estimator.EvalSpec(input_fn)\n"
        "tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)\n"
    )
    (tmp_path / "job" / "job.py").write_text(text)
    rewriting.to_legacy(str(tmp_path / "job"))
    (one,) = estimators.find(str(tmp_path / "job"))
    rewritten = rewriting.to_modern(str(tmp_path / "job"), {one: estimators.BRIDGED})
    assert "KerasModelFn(model_fn)" in (tmp_path / "job" / "job.py").read_text()
    assert rewritten.rungs == {one: estimators.BRIDGED}


@pytest.mark.parametrize(
    ("rules", "line", "rung"),
    [
        (["python_names"], "pass", estimators.LEGACY),
        ([], "pass", estimators.LEGACY),
        (["model_fns"], "estimator = Model()", estimators.KERAS),
        (["train_and_evaluate"], "model = bridge.convert()", estimators.BRIDGED),
        (["model_fns"], "model = bridge.KerasModelFn(model_fn)", estimators.BRIDGED),
    ],
)
def test_an_estimator_that_is_gone_has_the_rung_of_the_rules(
    folder, monkeypatch, rules, line, rung
):
    (one,) = estimators.find(str(folder))

    def results(paths, rules_to_apply, **options):
        (result,) = (r for r in results_of(paths, [], **options) if r.path.endswith("job.py"))
        lines = result.text.split("\n")
        lines[one.line - 1] = line
        # The rules report another line than that of the Estimator.
        made = tuple((1, name) for name in rules)
        yield result._replace(text="\n".join(lines), made=made, suggestions=())

    results_of = rewriting.run.results
    monkeypatch.setattr(rewriting.run, "results", results)
    assert rewriting.to_modern(str(folder), {}).rungs == {one: rung}
