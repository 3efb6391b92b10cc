"""Tests for the decisions about a program, which are made before any file is changed."""

import pytest

from migrate import sources
from migrate.rewrite import rules
from migrate.rewrite.engine.plan import Decisions, FilePlan, OtherEstimator, OtherModel
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.program import program_files, program_plan

MODEL_FN = """\
from legacy import estimator
import tensorflow as tf
def model_fn(features, labels, mode):
    return estimator.EstimatorSpec(mode, loss=tf.reduce_sum(features["a"]))
"""
TRAIN = """\
from legacy import estimator
import tensorflow as tf
def train():
    job = estimator.Estimator(other.model_fn, "folder")
    job.train(lambda: tf.data.Dataset.range(3))
"""
DISABLES = "import tensorflow as tf\nimport part\ntf.compat.v1.disable_v2_behavior()\n"


def _facts(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return program_files.facts_of(list(sources.find([str(folder)])))


def _decisions(folder, *, unsafe=True, **texts):
    facts = _facts(folder, **texts)
    plan = program_plan.ProgramPlan(facts, facts.keys(), rules.all_rules("modern"), unsafe=unsafe)
    return {path[len(str(folder)) + 1 : -3]: one.decisions for path, one in plan.files.items()}


def test_files_that_share_a_program_are_decided_together(tmp_path):
    facts = _facts(tmp_path, a="import b\n", b="import c\n", c="x = 1\n", alone="y = 1\n")
    groups = [
        sorted(path[len(str(tmp_path)) + 1 : -3] for path in group)
        for group in program_plan.connected(facts)
    ]
    assert sorted(groups) == [["a", "b", "c"], ["alone"]]


@pytest.mark.parametrize(
    ("unsafe", "data", "expected"),
    [
        (True, "f", True),
        (False, "lambda: tf.data.Dataset.range(3)", True),  # This change is safe.
        (False, "f", False),  # An unknown function, so the change is only suggested.
    ],
)
def test_disabled_behavior_is_known_where_keras_will_train(unsafe, data, expected, tmp_path):
    part = TRAIN.replace("lambda: tf.data.Dataset.range(3)", data)
    decided = _decisions(tmp_path, unsafe=unsafe, main=DISABLES, part=part, other="x = 1\n")
    assert decided["main"].trains_keras == decided["part"].trains_keras == expected
    assert not decided["other"].trains_keras


def test_a_program_that_trains_keras_already_is_known(tmp_path):
    part = "from migrate.bridge import as_estimator\nas_estimator.restore(job, 'folder')\n"
    decided = _decisions(tmp_path, unsafe=False, main=DISABLES, part=part)
    assert decided["main"].trains_keras


def test_one_file_is_enough_to_keep_an_estimator(tmp_path):
    model = f"{TRAIN.partition('def')[0]}def make():\n    return estimator.Estimator(f, 'a')\n"
    user = "import model\njob = model.make()\njob.train(lambda: tf.data.Dataset.range(3))\n"
    user = f"import tensorflow as tf\n{user}"
    both = _decisions(tmp_path, model=model, user=user)
    assert both["model"].exported_estimators == {"make": False}
    assert both["user"].imported_estimators == {
        "@model.make": OtherEstimator("as_estimator", False)
    }
    kept = _decisions(tmp_path, model=model, user=user, third=f"{user}print(job.config)\n")
    reason = "job.config in line 5 of third.py has no counterpart in a Keras model"
    assert kept.pop("model") == Decisions(kept_estimators={"make": reason})
    assert set(map(repr, kept.values())) == {repr(Decisions())}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "job = estimator.Estimator(model.model_fn, 'a')\n",
            "turns model.model_fn into a Keras model",
        ),
        ("job = model.Model()\n", ""),
        ("job = model.make()\njob.train(f)\n", "turns model.make into a Keras model"),
        ("job = model.make()\njob.fit(f())\n", ""),
    ],
)
def test_a_rewritten_file_that_does_not_keep_to_its_plan_is_told(text, problem):
    decisions = Decisions(
        imported_models={"@model.model_fn": OtherModel("Model")},
        imported_estimators={"@model.make": OtherEstimator("porting", False)},
    )
    plan = FilePlan(decisions=decisions, local_modules=frozenset(("model",)))
    file = SourceFile(f"import model\nfrom legacy import estimator\n{text}", plan=plan)
    found = program_plan.problem_of(file)
    assert problem in found
    assert bool(found) == bool(problem)


@pytest.mark.parametrize(("is_decided", "is_wrong"), [(True, True), (False, False)])
def test_a_session_left_without_a_graph_is_found(is_decided, is_wrong):
    text = (
        "import tensorflow.compat.v1 as tf\ndef f():\n    x = tf.ones(2)\n    tf.Session().run(x)\n"
    )
    plan = FilePlan(decisions=Decisions(trains_keras=is_decided))
    assert bool(program_plan.problem_of(SourceFile(text, plan=plan))) == is_wrong
    text = text.replace("    x =", "    g = tf.Graph()\n    x =").replace(
        "Session()", "Session('', g)"
    )
    assert program_plan.problem_of(SourceFile(text, plan=plan)) == ""
