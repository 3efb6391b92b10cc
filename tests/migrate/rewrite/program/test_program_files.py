"""Tests for facts about a file that come from the other files of its program."""

import pytest

from migrate import sources
from migrate.rewrite.engine.plan import OF_MODULE
from migrate.rewrite.names import modern_names
from migrate.rewrite.program import program_files
from migrate.rewrite.rules.legacy import imports, keras_choice


def _facts(folder, **files):
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = program_files.facts_of(list(sources.find([str(folder)])))
    return {path[len(str(folder)) + 1 : -3]: program for path, program in found.items()}


def test_a_part_is_of_the_api_of_its_program(tmp_path):
    found = _facts(
        tmp_path,
        train="import model\nimport tensorflow as tf\nx = tf.Session, tf.placeholder\n",
        model="import tensorflow as tf\nx = tf.estimator.Estimator\n",
        later="import tensorflow as tf\nx = tf.estimator.Estimator\n",
    )
    apis = {name: program.plan.program.api for name, program in found.items()}
    assert apis == {"train": "v1", "model": "v1", "later": "v2"}
    assert found["model"].is_imported
    assert not found["train"].is_imported


def test_files_that_import_each_other_are_decided_too(tmp_path):
    found = _facts(
        tmp_path, a="import b\nimport tensorflow as tf\nx = tf.Session\n", b="import a\n"
    )
    assert {program.plan.program.api for program in found.values()} == {"v1"}


def test_what_a_program_does_is_known_in_its_parts(tmp_path):
    found = _facts(
        tmp_path,
        main="import part\nimport tensorflow as tf\ntf.enable_eager_execution()\n"
        "s = tf.contrib.distribute.MirroredStrategy()\nd = tf.layers.dense\n",
        part="import tensorflow as tf\nx = tf.reduce_mean\n",
        other="x = 1\n",
    )
    part, other = found["part"].plan.program, found["other"].plan.program
    asked = (keras_choice.depends_on_keras, modern_names.distributes, imports.enables_eager)
    assert [part.uses(one) for one in asked] == [True] * 3
    assert [other.uses(one) for one in asked] == [False] * 3
    assert (part.is_old, other.is_old) == (True, False)
    assert (part.has_several_files, other.has_several_files) == (True, False)


def test_a_script_is_an_entry_without_a_test_of_its_name(tmp_path):
    found = _facts(
        tmp_path,
        script="import part\npart.train()\n",
        guarded="import part\nif __name__ == '__main__':\n    part.train()\n",
        part="print(1)\ndef train():\n    pass\n",
        definitions="def f():\n    pass\n",
    )
    entries = {name: program.plan.is_entry for name, program in found.items()}
    assert entries == {"script": True, "guarded": True, "part": False, "definitions": False}


def test_flags_are_parsed_where_every_program_of_a_file_runs_an_app(tmp_path):
    found = _facts(
        tmp_path,
        train="import hyper, both\nfrom tensorflow import app\n"
        "if __name__ == '__main__':\n  app.run()\n",
        hyper="import tensorflow as tf\nFLAGS = tf.flags.FLAGS\n",
        both="import tensorflow as tf\nFLAGS = tf.flags.FLAGS\n",
        show="import both\nprint(both.FLAGS.rate)\n",
        absl_train="import other\nfrom absl import app\napp.run(other.main)\n",
        other="import tensorflow as tf\nFLAGS = tf.flags.FLAGS\n",
    )
    runs_app = {name: program.plan.program.runs_app for name, program in found.items()}
    assert [name for name in sorted(runs_app) if not runs_app[name]] == ["both", "show"]


@pytest.mark.parametrize(
    ("code", "runs_app"),
    [
        ("from hyper import FLAGS\nprint(FLAGS.rate)", False),
        ("import hyper\nif hyper.FLAGS.rate:\n    pass", False),
        ("from hyper import FLAGS\ndef f():\n    print(FLAGS.rate)", True),
        ("from hyper import FLAGS\nif __name__ == '__main__':\n    print(FLAGS.rate)", True),
    ],
)
def test_flags_that_another_file_reads_on_import_stay(code, runs_app, tmp_path):
    hyper = "import tensorflow as tf\nFLAGS = tf.flags.FLAGS\n"
    main = f"import tensorflow as tf\n{code}\ntf.app.run()\n"
    found = _facts(tmp_path, main=main, hyper=hyper)
    assert found["hyper"].plan.program.runs_app == runs_app


def test_names_come_through_packages(tmp_path):
    found = _facts(
        tmp_path,
        pkg____init__="",
        pkg__common="import tensorflow as tf\n",
        pkg__job="from .common import tf\nfrom pkg import common\nx = tf.Session\n"
        "y = common.tf.contrib\n",
    )
    local = found["pkg/job"].plan.local
    assert local["@.common.tf.Session"] == "tensorflow.Session"
    assert local["@pkg.common.tf.contrib"] == "tensorflow.contrib"
    assert found["pkg/job"].plan.program.api == "v1"


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("config = estimator.RunConfig(tf_random_seed=3)", True),
        ("tf.compat.v1.set_random_seed(3)", True),
        ("config = estimator.RunConfig(tf_random_seed = None)", False),
        ("tf.random.set_seed(3)", False),
    ],
)
def test_a_seed_of_graphs_is_known_in_all_parts(tmp_path, text, seeds):
    imports = "import tensorflow as tf\nfrom legacy import estimator\n"
    found = _facts(
        tmp_path, main=f"{imports}import part\n{text}\n", part=imports, other=f"{imports}x = 1\n"
    )
    known = {name: one.plan.program.seeds_graphs for name, one in found.items()}
    assert known == {"main": seeds, "part": seeds, "other": False}


def test_a_file_that_does_not_parse_is_left_out(tmp_path):
    assert list(_facts(tmp_path, broken="import tensorflow as tf\nx = = 1\n", fine="x = 1\n")) == [
        "fine"
    ]


def test_what_a_program_asks_of_graphs_is_known_in_its_parts(tmp_path):
    found = _facts(
        tmp_path,
        main="import part\nfrom legacy.compat.v1 import estimator\n"
        "import tensorflow.compat.v1 as tf\n"
        "x = tf.losses.get_total_loss, estimator.EstimatorSpec\n",
        part="import tensorflow.compat.v1 as tf\nx = tf.losses.mean_squared_error\n",
        other="import tensorflow.compat.v1 as tf\nx = tf.GraphKeys.UPDATE_OPS\n",
    )
    part, other = found["part"].plan.program, found["other"].plan.program
    asked = (modern_names.collects_losses, modern_names.returned_by_model_fn)
    assert [part.uses(one) for one in asked] == [True, True]
    assert [other.uses(one) for one in asked] == [False, False]
    assert [one.uses(modern_names.collects_layers) for one in (part, other)] == [True, True]
    names = {path.rpartition("/")[2] for path in found["part"].together}
    assert names == {"main.py", "part.py"}
    assert len(found["other"].together) == 1


def test_the_names_of_other_files_are_told_from_its_own(tmp_path):
    facts = _facts(
        tmp_path,
        main="import part\nimport tensorflow as tf\ntf.Session()\ntf.zeros([])\n",
        part="import tensorflow as tf\ntf.zeros([])\ntf.ones([])\n",
    )
    assert facts["main"].plan.names_elsewhere == {"tf.zeros", "tf.ones"}
    assert facts["part"].plan.names_elsewhere == {"tf.zeros", "tf.Session"}


@pytest.mark.parametrize(
    ("code", "is_used"),
    [
        ("print(part.run(1))", False),
        ("print(vars(other))", False),  # The object of another name is no module of the program.
        ("print(getattr(part, input()))", True),
        ("print(pkg.part2.run, look(pkg))", True),
        ("import sys\nprint(sys.modules[input()])", True),
    ],
)
def test_functions_of_a_module_may_be_used_by_computed_names(code, is_used, tmp_path):
    (tmp_path / "pkg").mkdir()
    files = {"pkg/__init__": "", "pkg/part2": "def run(): pass\n"}
    main = f"import part, pkg.part2\nother = part.make()\n{code}\n"
    facts = _facts(tmp_path, main=main, part="import tensorflow\ndef run(): pass\n", **files)
    assert (OF_MODULE in facts["part"].plan.used_elsewhere) is is_used
