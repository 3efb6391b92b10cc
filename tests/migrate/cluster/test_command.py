"""Tests of the command `migrate cluster`."""

import json
import subprocess
import sys

import pytest

from migrate import __main__
from migrate.cluster import command, marks, yaml_files
from modern.cluster import tf_config
from modern.process import cli
from tests.migrate.cluster import commands, manifests
from tests.migrate.cluster.manifests import CLUSTER


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "mnist.yaml"
    path.write_text(manifests.TFJOB)
    return str(path)


def test_one_way_alone(capsys):
    out = commands.run(capsys, manifests.tf_config(), "--to=multi_worker_mirrored").out
    assert "Under MultiWorkerMirroredStrategy" in out
    assert "ParameterServerStrategy" not in out


def test_a_tfjob_that_stays_one_keeps_the_names_of_its_operator(capsys, job):
    (found,) = commands.as_json(capsys, job)["jobs"]
    tasks = {task["task"]: task["address"] for task in found["parameter_server"]["tasks"]}
    assert tasks["worker-2"] == "mnist-worker-2.research.svc:2222"
    assert tasks["evaluator-0"] is None


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        ([], 0, "job: right: 1 chief, 2 worker, 1 ps; 3 train, asynchronously"),
        (["--to=parameter_server"], 0, "right"),
        (["--to=multi_worker_mirrored"], 1, "  - TF_CONFIG names 1 ps"),
        (["--train-distribute=collective_all_reduce"], 1, "  - TF_CONFIG names 1 ps"),
    ],
)
def test_check(capsys, argv, code, said):
    captured = commands.run(capsys, manifests.tf_config(), "--check", *argv, code=code)
    assert said in captured.out
    assert captured.err.startswith("1 job checked for ")


def test_check_of_what_cannot_be_read(capsys):
    assert "is not JSON" in commands.run(capsys, "{", "--check", code=1).out
    (found,) = commands.as_json(capsys, "{", "--check", code=1)["jobs"]
    assert "is not JSON" in found["problems"][0]


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("kubernetes", "mnist.yaml"),
        ("jobset", "mnist.yaml"),
        ("tfjob", "mnist.yaml"),
        ("trainjob", "mnist.yaml"),
        ("slurm", "mnist.sbatch"),
        ("compose", "mnist.compose.yaml"),
        ("vertex", "mnist.vertex.yaml"),
    ],
)
def test_a_target_goes_to_standard_output_or_to_a_file(capsys, tmp_path, job, target, name):
    argv = [job, "--to=parameter_server", f"--target={target}"]
    captured = commands.run(capsys, *argv)
    assert "not carried over: spec.runPolicy.cleanPodPolicy" in captured.err
    folder = tmp_path / "new" / "out"
    written = commands.run(capsys, *argv, f"--write={folder}")
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_text() == captured.out
    assert written.err == f"Wrote {folder / name}\n"
    assert "Not carried over, or to be checked:" in written.out


@pytest.mark.parametrize("target", ["kubernetes", "jobset", "trainjob", "compose"])
@pytest.mark.parametrize("way", ["parameter_server", "multi_worker_mirrored"])
def test_what_is_written_can_be_checked(capsys, tmp_path, job, target, way):
    commands.run(capsys, job, f"--to={way}", f"--target={target}", f"--write={tmp_path / 'out'}")
    (path,) = (tmp_path / "out").iterdir()
    (found,) = commands.as_json(capsys, str(path), "--check", f"--to={way}")["jobs"]
    assert (found["problems"], "1 evaluator" in found["summary"]) == ([], True)
    path.write_text(path.read_text().replace(':2222"', ':2223"', 1))
    assert "names another" in commands.run(capsys, str(path), "--check", f"--to={way}", code=1).out


def test_a_script_for_slurm_is_passed_over(capsys, tmp_path, job):
    commands.run(capsys, job, "--to=parameter_server", "--target=slurm", f"--write={tmp_path}")
    assert [found["name"] for found in commands.as_json(capsys, str(tmp_path))["jobs"]] == ["mnist"]


def test_a_tf_config_requests_no_cpus(capsys):
    argv = [manifests.tf_config(), "--to=parameter_server", "--command=python train.py"]
    note = "cpu: no task requests any, so SLURM gives each task one."
    assert note in commands.run(capsys, *argv, "--target=slurm").err
    assert note not in commands.run(capsys, *argv, "--target=compose", "--image=i").err


def test_program_and_image_may_be_replaced(capsys, job):
    argv = [job, "--to=multi_worker_mirrored", "--target=kubernetes", "--image=new:2"]
    program = "python -m modern.train --strategy=multi_worker_mirrored --job='a b'"
    captured = commands.run(capsys, *argv, f"--command={program}")
    for document in yaml_files.parse(captured.out)[3:]:
        (container,) = document["spec"]["template"]["spec"]["containers"]
        assert container["image"] == "new:2"
        assert container["command"][2:] == [
            "modern.train", "--strategy=multi_worker_mirrored", "--job=a b",
        ]  # fmt: skip
        assert "args" not in container
    assert "must be the new program" not in captured.err
    assert "chief, worker, evaluator: runs `python train.py" in commands.run(capsys, *argv).err


def test_a_bare_tf_config_is_written_with_what_the_flags_say(capsys):
    captured = commands.run(
        capsys, manifests.tf_config(), "--to=parameter_server", "--target=compose", "--name=mine",
        "--command=python train.py", "--image=i", "--volume=data:/mnt",
    )  # fmt: skip
    (document,) = yaml_files.parse(captured.out)
    assert document["name"] == "mine"
    (mount,) = document["services"]["ps-0"]["volumes"]
    assert mount == {"type": "volume", "source": "data", "target": "/mnt"}
    # The words before it restart the program.
    assert document["services"]["ps-0"]["entrypoint"][-2:] == ["python", "train.py"]


def test_each_tf_config_as_a_file(capsys, tmp_path):
    folder = tmp_path / "out"
    commands.run(capsys, manifests.tf_config(), "--to=multi_worker_mirrored", f"--write={folder}")
    synchronous = folder / "job" / "multi_worker_mirrored"
    assert sorted(path.stem for path in synchronous.iterdir()) == [
        "chief-0",
        "worker-0",
        "worker-1",
    ]
    config = tf_config.parse((synchronous / "worker-1.json").read_text())
    assert config.name == "worker-1"
    assert commands.run(
        capsys, str(synchronous), "--check", "--to=multi_worker_mirrored"
    ).out.startswith("multi_worker_mirrored: right: 1 chief, 2 worker; 3 train, synchronously")


def test_nothing_is_overwritten_unasked(capsys, tmp_path):
    argv = [manifests.tf_config(), "--to=parameter_server", f"--write={tmp_path}"]
    commands.run(capsys, *argv)
    path = tmp_path / "job" / "parameter_server" / "ps-0.json"
    path.write_text("mine")
    (path.parent / "chief-0.json").unlink()
    with pytest.raises(cli.UsageError, match="is there already, and 3 more"):
        command.main(argv)
    assert path.read_text() == "mine"
    assert not (path.parent / "chief-0.json").exists()
    commands.run(capsys, *argv, "--overwrite")
    assert tf_config.parse(path.read_text()).name == "ps-0"


def test_one_job_that_fails_does_not_stop_the_others(capsys, tmp_path, job):
    (tmp_path / "broken.json").write_text(manifests.tf_config("ps", 7))
    out = tmp_path / "out"
    argv = [str(tmp_path), "--to=parameter_server", "--target=kubernetes", f"--write={out}"]
    captured = commands.run(capsys, *argv, code=2)
    assert [path.name for path in out.iterdir()] == ["mnist.yaml"]
    assert "has the task index 7" in captured.err
    assert captured.err.endswith("1 job converted, 1 not\n")
    value = commands.as_json(capsys, str(tmp_path), code=2)
    # The written files are read again, as a separate job.
    assert [found["name"] for found in value["jobs"]] == ["mnist", "out"]
    assert list(value["failed"]) == [tmp_path.name]


def test_why_a_job_cannot_be_converted_is_a_line(capsys, tmp_path):
    (tmp_path / "a.json").write_text('{\n  // the cluster\n  "cluster": {}\n}\n')
    (tmp_path / "b.yaml").write_text("kind: TFJob\nmetadata: {name: {{ .name }}}")
    template, broken, counted = commands.run(capsys, str(tmp_path), code=2).err.splitlines()
    assert ': { // the cluster "cluster": {} }. Write it like' in broken
    assert template.endswith("It is a template: give the rendered file.")
    assert counted == "0 jobs converted, 2 not"


@pytest.mark.parametrize("target", ["kubernetes", "jobset", "tfjob", "trainjob"])
def test_several_jobs_are_one_stream_of_manifests(capsys, tmp_path, job, target):
    (tmp_path / "mirrored.yaml").write_text(manifests.COLLECTIVE)
    argv = [str(tmp_path), "--to=parameter_server", f"--target={target}"]
    found = yaml_files.parse(commands.run(capsys, *argv).out)
    names = {d["metadata"]["name"] for d in found if d["kind"] == "NetworkPolicy"}
    assert names == {"mnist", "mirrored"}


@pytest.mark.parametrize("target", ["slurm", "compose", "vertex"])
def test_several_jobs_need_a_folder_for_other_files(tmp_path, job, target):
    (tmp_path / "mirrored.yaml").write_text(manifests.COLLECTIVE)
    argv = [str(tmp_path), "--to=parameter_server"]
    with pytest.raises(cli.UsageError, match="2 jobs need as many files"):
        command.main([*argv, f"--target={target}"])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--target=slurm"], "needs --to="),
        (["--batch-size=0"], "--batch-size=0: must be greater than 0"),
        (["--learning-rate=nan"], "--learning-rate=nan: must be"),
        (["--command=x"], "--command needs --target"),
        (["--to=parameter_server", "--target=slurm", "--command='x"], "No closing quotation"),
        (["--check", "--write=x"], "--check writes nothing"),
        (["--address=worker-2"], "must be TASK=HOST:PORT"),
        (["--name=../x"], "cannot be a path"),
        (["--overwrite"], "--overwrite needs --write"),
        (["--to=parameter_server", "--target=slurm", "--address=a-0=b:1"], "leave it out"),
        (["--to=parameter_server", "--target=slurm", "--volume=data"], "must be NAME:PATH"),
    ],
)
def test_misuse(argv, message):
    with pytest.raises(cli.UsageError, match=message):
        command.main([manifests.tf_config(), *argv])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--batch-size=2", "--to=multi_worker_mirrored"], "cannot be split over 3 trainers"),
        (["--to=parameter_server", "--target=slurm"], "give --command="),
        (["--to=parameter_server", "--target=compose", "--command=x"], "and --image"),
        (["--address=worker-9=e:1"], "the tasks are chief-0"),
    ],
)
def test_a_job_that_cannot_be_converted(capsys, argv, message):
    assert message in commands.run(capsys, manifests.tf_config(), *argv, code=2).err


def test_a_volume_is_not_for_a_tfjob(capsys, job):
    argv = ["--to=parameter_server", "--target=compose", "--volume=a:/b"]
    assert "has its own volumes" in commands.run(capsys, job, *argv, code=2).err


def test_the_variable_is_read_without_tensorflow(monkeypatch):
    """The command reads TF_CONFIG without importing TensorFlow."""
    program = (
        "import sys; from migrate.__main__ import main; code = main(['cluster']); "
        "sys.exit(code or 'tensorflow' in sys.modules)"
    )
    monkeypatch.setenv("TF_CONFIG", manifests.tf_config("worker", 1, CLUSTER))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "the variable TF_CONFIG" in done.stdout


def test_migrate_knows_the_command(capsys):
    assert __main__.main(["cluster", "absent.yaml"]) == 2
    assert capsys.readouterr().err == (
        "migrate cluster: absent.yaml: there is no such file or folder.\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: TFJob", "kind: List\nitems: 5 # TFJob", "has a List whose items are 5"),
        ("kind: TFJob", "kind: Job\nx: &x [*x, TFJob]", "an alias within the value of its own"),
        ("[printenv, TF_CONFIG]", "!!bool TFJob", "the value 'TFJob' is no bool"),
        ("[printenv, TF_CONFIG]", "&c [*c]", "an alias within the value of its own anchor"),
        ("{name: mirrored}", '{name: "a\\nb"}', r"metadata.name is 'a\nb'"),
        ("{name: mirrored}", "{name: ..}", "metadata.name is '..'"),
        ("replicas: 3", "replicas: 1000000000000", "at most 1000"),
        ("replicas: 3", "a: {b: .inf}", "spec.tfReplicaSpecs.Worker.a.b is Infinity"),
        ("replicas: 3", "a: !!set {b}", "Worker.a is"),
    ],
)
def test_a_wrong_manifest_ends_with_one_line(tmp_path, capsys, old, new, said):
    path = tmp_path / "job.yaml"
    assert old in manifests.COLLECTIVE
    path.write_text(manifests.COLLECTIVE.replace(old, new))
    assert __main__.main(["cluster", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"migrate cluster: {path}: ")
    assert said in line


def test_an_indexed_job_of_too_many_pods(tmp_path, capsys):
    text = '{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}'
    value = {"name": "TF_CONFIG", "value": text.replace("0}", marks.INDEX + "}")}
    pod = {"spec": {"containers": [{"env": [value]}]}}
    job = {"kind": "Job", "spec": {"completions": 10**15, "template": pod}}
    path = tmp_path / "job.yaml"
    path.write_text(json.dumps(job))
    assert __main__.main(["cluster", str(path)]) == 2
    assert "out of range" in capsys.readouterr().err
