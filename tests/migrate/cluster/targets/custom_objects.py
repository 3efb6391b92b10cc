"""Validation of objects that Kubernetes, operators and Vertex AI read, with published schemas."""

import json
import pathlib

import jsonschema
import kubernetes_validate

VERSION = "1.33"
_SCHEMAS = {
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): "job_set",
    ("kubeflow.org/v1", "TFJob"): "tf_job",
    ("trainer.kubeflow.org/v1alpha1", "TrainJob"): "train_job",
    ("trainer.kubeflow.org/v1alpha1", "TrainingRuntime"): "training_runtime",
}


def validate(document):
    """Validates an object of Kubernetes or of an operator. Raises an error with the wrong field."""
    name = _SCHEMAS.get((document["apiVersion"], document["kind"]))
    if name is None:
        kubernetes_validate.validate(document, VERSION, strict=True)
        return
    with_schema(document, name)
    _core({"apiVersion": "v1", "kind": "ConfigMap", "metadata": document["metadata"]})
    for replicas in document["spec"].get("tfReplicaSpecs", {}).values():
        _pod_template(replicas["template"])
    for job in replicated_jobs(document):
        _core({"apiVersion": "batch/v1", "kind": "Job", **job["template"]})
        _pod_template(job["template"]["spec"]["template"])


def with_schema(document, name):
    """Validates a document with a file of the folder `schemas`."""
    path = pathlib.Path(__file__).with_name("schemas") / f"{name}.json"
    jsonschema.validate(document, json.loads(path.read_text()), cls=jsonschema.Draft202012Validator)


def replicated_jobs(document):
    """Returns the replicated Jobs of a JobSet, or of a TrainingRuntime's JobSet."""
    spec = document["spec"]
    spec = spec["template"]["spec"] if document["kind"] == "TrainingRuntime" else spec
    return spec.get("replicatedJobs", [])


def _pod_template(template):
    _core({"apiVersion": "v1", "kind": "PodTemplate", "template": template})


def _core(document):
    kubernetes_validate.validate(document, VERSION, strict=True)
