"""Environment of the pods of written Jobs, as Kubernetes makes it."""

import re

from modern.cluster import tf_config

INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"


def main_container(job):
    """Returns the container of a Job's pods. Job templates of a JobSet are Jobs here, too."""
    return job["spec"]["template"]["spec"]["containers"][0]


def tf_configs(job):
    """Yields the TF_CONFIG of each pod. Kubernetes replaces $(NAME) of earlier variables."""
    assert job["spec"]["parallelism"] == job["spec"]["completions"]
    assert job["spec"]["completionMode"] == "Indexed"
    for index in range(job["spec"]["completions"]):
        env = {}
        for entry in main_container(job)["env"]:
            reference = entry.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
            value = str(index) if reference == INDEX else entry.get("value", "secret")
            env[entry["name"]] = re.sub(
                r"\$\((\w+)\)", lambda match, known=env: known[match[1]], value
            )
        yield tf_config.parse(env["TF_CONFIG"])
