"""Tests for functions that return model_fns to Estimators in other files."""

import textwrap

import pytest

from tests.migrate.rewrite import tools
from tests.migrate.rewrite.program.across_files import test_model_fns as across
from tests.oracle import compare

HEAD, _, MODEL_FN = across.MODEL.partition("def model_fn(")
INNER = textwrap.indent(f"def model_fn({MODEL_FN}".replace('params["units"]', "units"), "    ")
INNER = INNER.replace(", params)", ")")
MODEL = f"{HEAD}def make_model_fn(units):\n{INNER}    return model_fn\n"
IMPORT = "from model import make_model_fn"


def _task(before="model_fn = make_model_fn(3)", imports=IMPORT, name="model_fn"):
    text = across.TASK.format(imports=imports, name=name).replace(', params={"units": 3}', "")
    return text.replace("    job =", f"    {before}\n    job =")


def test_a_builder_in_another_file_computes_the_same(tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    (old / "model.py").write_text(MODEL)
    (old / "task.py").write_text(_task())
    texts, said = across._rewritten(tmp_path / "new", model=MODEL, task=_task())
    assert said == []
    assert "def make_model_fn(units):\n    class Model(tf_keras.Model):" in texts["model"]
    assert "    return Model\n" in texts["model"]
    assert f"{IMPORT}\n" in texts["task"]
    assert "    model_class = make_model_fn(3)\n" in texts["task"]
    assert "job = model_class()\n" in texts["task"]
    before = tools.run([across.RUN.replace("FOLDER", repr(str(old)))], "old")
    after = tools.run([across.RUN.replace("FOLDER", repr(str(tmp_path / "new")))], "plain")
    assert before[0]["x"]["global_step"] == 7, before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import model", "model.make_model_fn(3)"),
        ("from model import make_model_fn as make", "make(3)"),
        ("from model import *", "make_model_fn(3)"),
    ],
)
def test_other_imports(imports, call, tmp_path):
    task = _task("pass", imports, call)
    texts, _ = across._rewritten(tmp_path, model=MODEL, task=task)
    assert f"job = {call}()\n" in texts["task"]
    assert "    class Model(" in texts["model"]


@pytest.mark.parametrize(
    ("programs", "reason"),
    [
        ({"task": f"{_task()}print(make_model_fn)\n"}, "make_model_fn() has other uses"),
        (
            {"task": _task().replace("    job =", "    print(model_fn)\n    job =")},
            "has other uses",
        ),
        ({"other": f"{IMPORT}\nprint(make_model_fn(2))\n"}, "make_model_fn() has other uses"),
        ({"other": "import model\nprint(getattr(model, input()))\n"}, "has other uses"),
        ({"model": f"{MODEL}\nprint(make_model_fn(2))\n"}, "make_model_fn() has other uses"),
        (
            {"task": _task().replace("job.predict(", "job.experimental(")},
            "job.experimental",
        ),
        ({"model": MODEL.replace("    return model_fn", "    return 3")}, "may return something"),
        (
            {"model": MODEL.replace("    def model_fn", "    @tf.function\n    def model_fn")},
            "may return something",
        ),
        ({"model": MODEL.replace("mode):", "mode, *a):")}, "takes *args or **kwargs (model.py)"),
    ],
)
def test_a_builder_stays_unless_all_files_can_change(programs, reason, tmp_path):
    texts, said = across._rewritten(tmp_path, **{"model": MODEL, "task": _task(), **programs})
    assert "class Model" not in texts["model"]
    assert "make_model_fn(3)" in texts["task"]
    assert "model_class" not in texts["task"]
    assert reason in texts["task"] + " ".join(record.reason for record in said)
