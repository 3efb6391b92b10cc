"""Tests for constants that are model_fns of other files, and that Estimators train."""

import pytest

from tests.migrate.rewrite import tools
from tests.migrate.rewrite.program.across_files import test_model_fns as across
from tests.oracle import compare

SETTINGS = "import model\n\nSTEPS = 7\nMODEL_FN = model.model_fn\n"
TASK = across._task("import settings", "settings.MODEL_FN")


def _programs(**changed):
    return {"model": across.MODEL, "settings": SETTINGS, "task": TASK, **changed}


def test_a_constant_of_another_file_computes_the_same(tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    for name, text in _programs().items():
        (old / f"{name}.py").write_text(text)
    texts, said = across._rewritten(tmp_path / "new", **_programs())
    assert said == []
    assert "MODEL_FN = model.Model\n" in texts["settings"]
    assert "job = settings.MODEL_FN({" in texts["task"]
    assert "def model_fn(" not in texts["model"]
    run = across.RUN.replace('("model", "task")', '("model", "settings", "task")')
    before = tools.run([run.replace("FOLDER", repr(str(old)))], "old")
    after = tools.run([run.replace("FOLDER", repr(str(tmp_path / "new")))], "plain")
    assert before[0]["x"]["global_step"] == 7, before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize(
    ("settings", "imports", "name", "expected"),
    [
        (
            "from model import model_fn\nFN = model_fn\n",
            "import settings",
            "settings.FN",
            "FN = Model",
        ),
        (
            "from model import model_fn as f\nfn = f\n",
            "from settings import fn",
            "fn",
            "fn = Model",
        ),
    ],
)
def test_other_imports(settings, imports, name, expected, tmp_path):
    task = across._task(imports, name)
    texts, _ = across._rewritten(tmp_path, **_programs(settings=settings, task=task))
    assert expected in texts["settings"]
    assert "from model import Model\n" in texts["settings"]
    assert f"job = {name}({{" in texts["task"]


def test_a_function_with_other_uses_stays_beside_the_class(tmp_path):
    other = "import model\nprint(model.model_fn)\n"
    texts, _ = across._rewritten(tmp_path, **_programs(other=other))
    assert "MODEL_FN = model.Model\n" in texts["settings"]
    assert "def model_fn(" in texts["model"]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"settings": f"{SETTINGS}print(MODEL_FN)\n"}, "not a plain function"),
        ({"settings": f"{SETTINGS}MODEL_FN = None\n"}, "not a plain function"),
        ({"settings": f"{SETTINGS}if STEPS:\n    FN = MODEL_FN = model.start\n"}, "not a plain"),
        ({"other": "import settings\nsettings.MODEL_FN = 3\n"}, "not a plain function"),
        ({"other": "import settings\nprint(settings.MODEL_FN)\n"}, "MODEL_FN has other uses"),
        ({"other": "import settings\nprint(vars(settings))\n"}, "not a plain function"),
        ({"model": across.MODEL.replace("params):", "params, *a):")}, "takes *args"),
    ],
)
def test_a_constant_stays_unless_all_files_can_change(changed, reason, tmp_path):
    texts, _ = across._rewritten(tmp_path, **_programs(**changed))
    assert "MODEL_FN = model.model_fn\n" in texts["settings"]
    assert "class Model" not in texts["model"]
    assert "bridge.KerasModelFn(settings.MODEL_FN" in texts["task"]
    assert reason in texts["task"]
