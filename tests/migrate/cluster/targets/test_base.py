"""Tests of `migrate.cluster.targets.base`, which writes a job for a target, and collects notes."""

import pytest

from migrate.cluster.targets import base
from tests.migrate.cluster import manifests


def test_what_is_said_of_several_types_is_one_note():
    notes = base.Notes()
    notes.add("same", "chief")
    notes.add("alone")
    notes.add("same", "worker")
    notes.add("same", "worker")
    assert notes.lines() == ("chief, worker: same", "alone")


def test_other_resources_of_the_old_chief_are_said():
    text = manifests.TFJOB.replace(
        "Worker: {replicas: 2, restartPolicy: OnFailure, template: *trainer}",
        "Worker: {template: {spec: {containers: [{name: tensorflow, image: i}]}}}",
    )
    _, written = manifests.written(text, "parameter_server", "kubernetes")
    assert any("replaces the old chief" in note for note in written.notes)
    _, written = manifests.written(manifests.TFJOB, "parameter_server", "kubernetes")
    assert not any("replaces the old chief" in note for note in written.notes)


def test_a_program_that_names_its_strategy_is_taken_for_the_new_one():
    text = manifests.COLLECTIVE.replace(
        "[printenv, TF_CONFIG]", "[python, --strategy=multi_worker_mirrored]"
    )
    _, written = manifests.written(text, "multi_worker_mirrored", "kubernetes")
    assert not any("must be the new program" in note for note in written.notes)
    _, written = manifests.written(text, "parameter_server", "kubernetes")
    assert any("must be the new program" in note for note in written.notes)


def test_what_is_not_started_any_more_is_said():
    _, written = manifests.written(manifests.TFJOB, "multi_worker_mirrored", "compose")
    assert "ps: no longer started, so its pod template is dropped." in written.notes


def test_a_remote_model_dir_needs_no_volume():
    text = manifests.COLLECTIVE.replace("printenv, TF_CONFIG", "python, --model_dir=gs://b/m")
    _, written = manifests.written(text, "multi_worker_mirrored", "compose")
    assert not any("no volume is shared" in note for note in written.notes)


def test_a_remote_model_dir_may_come_from_a_variable():
    text = manifests.COLLECTIVE.replace(
        "[printenv, TF_CONFIG]",
        "[python, --model_dir=$(DIR)], env: [{name: DIR, value: 'gs://b/m'}]",
    )
    _, written = manifests.written(text, "multi_worker_mirrored", "compose")
    assert not any("no volume is shared" in note for note in written.notes)


@pytest.mark.parametrize("url", ["s3://bucket/m", "hdfs://namenode:8020/m"])
def test_a_remote_model_dir_without_a_file_system_is_said(url):
    text = manifests.COLLECTIVE.replace("printenv, TF_CONFIG", f"python, '--model_dir={url}'")
    _, written = manifests.written(text, "multi_worker_mirrored", "compose")
    scheme = url.partition("/")[0]
    lacking = [note for note in written.notes if "no file system for" in note]
    assert len(lacking) == 1
    assert lacking[0].startswith(f"{url} cannot be read or written: this TensorFlow has no file")
    assert f"for {scheme}//." in lacking[0]
    assert any("no volume is shared" in note for note in written.notes)


def test_a_scheme_is_said_beside_a_shared_volume():
    text = manifests.TFJOB.replace("--model_dir=$(MODEL_DIR)", "--model_dir=s3://b/m")
    _, written = manifests.written(text, "parameter_server", "kubernetes")
    assert any("no file system for s3://" in note for note in written.notes)
    assert not any("no volume is shared" in note for note in written.notes)


@pytest.mark.parametrize(("target", "shared"), [("kubernetes", False), ("compose", True)])
def test_a_folder_of_the_machine_is_shared_where_there_is_one_machine(target, shared):
    text = manifests.TFJOB.replace(
        "persistentVolumeClaim: {claimName: claim}", "hostPath: {path: /data}"
    )
    _, written = manifests.written(text, "parameter_server", target)
    assert any("no volume is shared" in note for note in written.notes) != shared


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("kubernetes", "it computes no gradients. Look at its node selector and tolerations."),
        ("compose", "it computes no gradients."),
        ("slurm", None),  # all tasks get the same resources
    ],
)
def test_that_the_coordinator_has_no_accelerator_is_said_where_it_is_so(target, said):
    _, written = manifests.written(manifests.TFJOB, "parameter_server", target)
    told = [note for note in written.notes if note.startswith("chief: without")]
    assert told == ([f"chief: without nvidia.com/gpu: 1: {said}"] if said else [])


def test_a_strategy_may_be_named_within_a_word():
    text = manifests.COLLECTIVE.replace(
        "[printenv, TF_CONFIG]", '[sh, -c, "exec python x --strategy=multi_worker_mirrored"]'
    )
    _, written = manifests.written(text, "multi_worker_mirrored", "kubernetes")
    assert not any("must be the new program" in note for note in written.notes)
