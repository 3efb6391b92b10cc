"""Tests of `migrate.cluster.old_jobs.sources`, which finds jobs in values, files and folders."""

import io
import json

import pytest

from migrate.cluster import yaml_files
from migrate.cluster.old_jobs import sources
from modern.process import cli
from tests.migrate.cluster import manifests
from tests.migrate.cluster.manifests import CLUSTER, tf_config

ASKED = sources.JobOptions()


def find(source, **asked):
    return sources.find(None if source is None else str(source), sources.JobOptions(**asked))


def names(found):
    return [(job.name, len(job.tasks), len(job.read_tasks)) for job in found]


def test_the_variable(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", tf_config())
    assert names(find(None)) == [("job", 4, 1)]
    monkeypatch.setenv("TF_CONFIG", " ")
    with pytest.raises(cli.UsageError, match="TF_CONFIG is not set"):
        find(None)


def test_the_value_itself():
    assert names(find(tf_config("ps"))) == [("job", 4, 1)]


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(manifests.TFJOB))
    assert names(find("-")) == [("mnist", 5, 5)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", tf_config()),
        ("a.txt", tf_config()),
        ("a.sh", f"export TF_CONFIG='{tf_config()}'\npython train.py\n"),
        ("a.sh", f"TF_CONFIG='{tf_config()}' python train.py"),
        ("a.sh", 'export TF_CONFIG="' + tf_config().replace('"', '\\"') + '"; python x'),
        ("a.env", f"A=1\nTF_CONFIG={tf_config()}\n"),
        ("a.yaml", json.dumps({"services": {"x": {"environment": {"TF_CONFIG": tf_config()}}}})),
        ("a.yaml", json.dumps({"services": {"x": {"environment": ["TF_CONFIG=" + tf_config()]}}})),
        (
            "a.yaml",
            json.dumps(
                {
                    "kind": "Pod",
                    "spec": {
                        "containers": [{"env": [{"name": "TF_CONFIG", "value": tf_config()}]}]
                    },
                }
            ),
        ),
    ],
)
def test_a_file(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert names(find(tmp_path / name)) == [("a", 4, 1)]


@pytest.mark.parametrize("spec", ["", "{}", "[TF_CONFIG]", "{completions: many}"])
def test_a_manifest_of_something_else(tmp_path, spec):
    (tmp_path / "a.yaml").write_text(f"kind: Job # without a TF_CONFIG\nspec: {spec}")
    with pytest.raises(cli.UsageError, match="no TFJob and no TF_CONFIG"):
        find(tmp_path)


def test_a_folder_of_tasks_is_a_job(tmp_path):
    folder = tmp_path / "mnist"
    folder.mkdir()
    for task_type, index in [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0)]:
        (folder / f"{task_type}-{index}.json").write_text(tf_config(task_type, index))
    (folder / "README.md").write_text("TF_CONFIG='{'")
    (job,) = find(folder)
    assert (job.name, job.errors, job.warnings) == ("mnist", (), ())
    assert job.read_tasks == ("chief-0", "ps-0", "worker-0", "worker-1")


def test_folders_are_jobs_of_their_own_and_hidden_ones_are_passed_over(tmp_path):
    for folder in ("a", "b", ".git"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "chief.json").write_text(tf_config())
    (tmp_path / "all.yaml").write_text(f"{manifests.TFJOB}---\n{manifests.COLLECTIVE}")
    assert [name for name, _, _ in names(find(tmp_path))] == ["mnist", "mirrored", "a", "b"]


def test_values_in_one_file_belong_together_by_their_addresses(tmp_path):
    other = {"worker": ["x:1", "y:1"]}
    shrunk = {**CLUSTER, "worker": ["b:2222"]}
    texts = [
        tf_config(), tf_config("worker", 0, other), tf_config("worker", 1, other),
        tf_config("ps", 0, shrunk),
    ]  # fmt: skip
    (tmp_path / "all.sh").write_text("\n".join(f"TF_CONFIG='{text}' run" for text in texts))
    synchronous, served = find(tmp_path / "all.sh")
    assert (synchronous.read_tasks, synchronous.errors) == (("worker-0", "worker-1"), ())
    assert served.read_tasks == ("chief-0", "ps-0")
    assert "names another cluster" in served.errors[0]
    assert (synchronous.name, served.name) == ("all", "all-2")


def test_a_file_that_is_wrong_does_not_hide_the_others(tmp_path):
    (tmp_path / "bad.yaml").write_text("kind: TFJob\na: [")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    (tmp_path / "chart.yaml").write_text("{{ a template of something else")
    (tmp_path / "good.yaml").write_text(manifests.TFJOB)
    (tmp_path / "half.json").write_text('{"cluster": ')
    bad, binary, good, half = find(tmp_path)
    assert "is not YAML" in bad.errors[0]
    assert "cannot be read" in binary.errors[0]
    assert good.errors == ()
    assert "is not JSON" in half.errors[0]


def test_jobs_of_one_name_have_files_of_their_own(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(manifests.TFJOB)
    (tmp_path / "c.yaml").write_text(manifests.TFJOB.replace("name: mnist\n", "name: mnist-2\n"))
    found = find(tmp_path)
    assert [job.name for job in found] == ["mnist", "mnist-2", "mnist-2-2"]
    assert [job.workload.name for job in found] == ["mnist", "mnist", "mnist-2"]


def test_nothing_there(tmp_path):
    with pytest.raises(cli.UsageError, match="no TFJob and no TF_CONFIG"):
        find(tmp_path)
    with pytest.raises(cli.UsageError, match="there is no such file"):
        find(tmp_path / "absent.yaml")


def test_a_name_is_for_one_job(tmp_path):
    (tmp_path / "a.yaml").write_text(manifests.TFJOB)
    (job,) = find(tmp_path, name="other")
    assert (job.name, job.workload.name) == ("other", "other")
    assert job.tasks[0].address == "other-chief-0.research.svc:2222"
    (tmp_path / "b.yaml").write_text(manifests.COLLECTIVE)
    with pytest.raises(cli.UsageError, match="--name=other is for one job, and there are 2"):
        find(tmp_path, name="other")


@pytest.mark.parametrize("metadata", ["", "metadata:", "metadata: {}"])
def test_a_name_for_a_job_that_has_none(tmp_path, metadata):
    path = tmp_path / "a.yaml"
    path.write_text(manifests.COLLECTIVE.replace("metadata: {name: mirrored}", metadata))
    (job,) = find(path, name="other")
    assert (job.name, job.errors) == ("other", ())
    path.write_text(
        manifests.COLLECTIVE.replace("metadata: {name: mirrored}", "metadata: mirrored")
    )
    (job,) = find(path, name="other")
    assert "metadata is" in job.errors[0]


def test_what_the_command_line_says_is_told_to_each_job():
    (job,) = find(tf_config(), evaluator=True, train_distribute="parameter_server")
    assert (job.has_evaluator, job.train_distribute) == (True, "parameter_server")


EXPERIMENT = """
kind: Experiment
metadata: {name: search}
spec: {trialTemplate: {trialSpec: %s}}
"""
WORKFLOW = """
kind: Workflow
metadata: {generateName: flow-}
spec: {templates: [{resource: {manifest: %s}}]}
"""


def nested():
    (document,) = yaml_files.parse(manifests.COLLECTIVE)
    return document


@pytest.mark.parametrize(
    ("outer", "inner", "name"),
    [
        (EXPERIMENT, json.dumps(nested()), "mirrored"),
        (EXPERIMENT, json.dumps({**nested(), "metadata": None}), "search"),
        (WORKFLOW, json.dumps(manifests.COLLECTIVE), "mirrored"),
        (
            WORKFLOW,
            json.dumps(manifests.COLLECTIVE.replace("metadata: {name: mirrored}", "")),
            "flow",
        ),
    ],
)
def test_a_tfjob_within_another_object(tmp_path, outer, inner, name):
    (tmp_path / "a.yaml").write_text(outer % inner)
    assert names(find(tmp_path / "a.yaml")) == [(name, 3, 3)]


def test_the_definition_of_the_kind_is_no_job(tmp_path):
    path = tmp_path / "crd.yaml"
    path.write_text("kind: CustomResourceDefinition\nspec: {names: {kind: TFJob}}")
    with pytest.raises(cli.UsageError, match="no TFJob and no TF_CONFIG"):
        find(path)


@pytest.mark.parametrize(
    "text",
    [
        manifests.COLLECTIVE.replace("name: mirrored", "name: {{ .Release.Name }}"),
        WORKFLOW % json.dumps(manifests.COLLECTIVE.replace("image: ", "image: {{image}} ")),
    ],
)
def test_a_template_is_told_to_be_rendered(tmp_path, text):
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(cli.UsageError, match="It is a template: give the rendered file"):
        find(tmp_path / "a.yaml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sh", "export TF_CONFIG=" + tf_config().replace('"', '\\"').replace(" ", "") + "; x"),
        ("a.json", "\ufeff" + tf_config()),
        ("README", f"Set it:\n\n```sh\nexport TF_CONFIG='{tf_config()}'\n```\n"),
    ],
)
def test_values_as_people_write_them(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert names(find(tmp_path / name)) == [(name.partition(".")[0], 4, 1)]


def test_a_file_of_any_name_may_be_a_manifest(tmp_path):
    (tmp_path / "job").write_text(manifests.COLLECTIVE)
    (tmp_path / "pod").write_text(f"env: [{{name: TF_CONFIG, value: '{tf_config()}'}}]")
    assert names(find(tmp_path / "job")) == [("mirrored", 3, 3)]
    assert names(find(tmp_path / "pod")) == [("pod", 4, 1)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "os.environ['TF_CONFIG'] = json.dumps({'cluster': {}})\nif x:\n  y: z: a\n"),
        ("a.sh", "export TF_CONFIG=$(python config.py)"),
        ("a.yaml", "command: [sh, -c, 'export TF_CONFIG=$(config) python train.py']"),
    ],
)
def test_a_value_that_does_not_stand_there(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(cli.UsageError, match="It mentions TF_CONFIG, but its value is computed"):
        find(tmp_path / name)


def test_python_is_no_json(tmp_path):
    (tmp_path / "a.json").write_text(repr({"cluster": CLUSTER}))
    (job,) = find(tmp_path / "a.json")
    assert "is not JSON" in job.errors[0]


def test_an_evaluator_that_names_only_itself_belongs_to_the_only_job(tmp_path):
    own = {"evaluator": ["e:1"]}
    (tmp_path / "a.json").write_text(tf_config("evaluator", 0, own))
    (tmp_path / "b.json").write_text(tf_config())
    (job,) = find(tmp_path)
    assert (job.errors, job.read_tasks) == ((), ("chief-0", "evaluator-0"))
    (tmp_path / "c.json").write_text(tf_config("worker", 0, {"worker": ["x:1", "y:1"]}))
    assert len(find(tmp_path)) == 3
