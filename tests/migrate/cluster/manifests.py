"""TFJobs and TF_CONFIGs that the tests share, and functions to read them."""

import json

from migrate.cluster import conversion, yaml_files
from migrate.cluster.old_jobs import jobs, tfjob
from migrate.cluster.targets import base

CLUSTER = {"chief": ["a:2222"], "worker": ["b:2222", "c:2222"], "ps": ["d:2222"]}

# A manifest with all the common fields of a training job.
TFJOB = """
apiVersion: kubeflow.org/v1
kind: TFJob
metadata:
  name: mnist
  namespace: research
  labels: {team: vision}
  uid: 1234
spec:
  runPolicy:
    cleanPodPolicy: Running
    ttlSecondsAfterFinished: 3600
    activeDeadlineSeconds: 86400
    backoffLimit: 3
    schedulingPolicy: {queue: gpu}
  tfReplicaSpecs:
    Chief:
      restartPolicy: OnFailure
      template: &trainer
        metadata: {annotations: {sidecar.istio.io/inject: "false"}, labels: {tier: train}}
        spec:
          serviceAccountName: trainer
          tolerations: [{key: gpu, operator: Exists}]
          affinity:
            podAntiAffinity:
              preferredDuringSchedulingIgnoredDuringExecution:
              - weight: 1
                podAffinityTerm:
                  topologyKey: kubernetes.io/hostname
                  labelSelector: {matchExpressions: [{key: tier, operator: In, values: [train]}]}
              requiredDuringSchedulingIgnoredDuringExecution:
              - topologyKey: kubernetes.io/hostname
                labelSelector: {matchLabels: {exclusive: "true"}}
          topologySpreadConstraints:
          - maxSkew: 1
            topologyKey: zone
            whenUnsatisfiable: ScheduleAnyway
            labelSelector: {matchLabels: {tier: train}}
          initContainers: [{name: fetch, image: busybox, command: [fetch, /mnt]}]
          containers:
          - name: tensorflow
            image: registry/mnist:1
            command: [python, train.py]
            args: ["--model_dir=$(MODEL_DIR)", --price=$$5]
            workingDir: /src
            env:
            - {name: MODEL_DIR, value: /mnt/mnist}
            - {name: TOKEN, valueFrom: {secretKeyRef: {name: secrets, key: token}}}
            - {name: RATE, value: "1e-3"}
            resources: {limits: {nvidia.com/gpu: 1, memory: 8Gi, cpu: "4"}}
            ports: [{name: tfjob-port, containerPort: 2222}]
            volumeMounts: [{name: data, mountPath: /mnt}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: claim}}]
    Worker: {replicas: 2, restartPolicy: OnFailure, template: *trainer}
    PS:
      restartPolicy: ExitCode
      template:
        spec:
          containers:
          - name: tensorflow
            image: registry/mnist:1
            command: [python, train.py, --ps]
            resources: {requests: {memory: 2Gi, cpu: 500m}}
    Evaluator: {template: *trainer}
status: {conditions: []}
"""

COLLECTIVE = """
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: mirrored}
spec:
  tfReplicaSpecs:
    Worker:
      replicas: 3
      template:
        spec:
          containers: [{name: tensorflow, image: registry/two:1, command: [printenv, TF_CONFIG]}]
"""

FIRST_VERSION = """
apiVersion: tensorflow.org/v1alpha1
kind: TfJob
metadata: {name: old}
spec:
  tfImage: tensorflow/tensorflow:1.3.0
  replicaSpecs:
  - replicas: 1
    tfReplicaType: MASTER
    tfPort: 3333
    template: {spec: {containers: [{name: tensorflow, image: i}], restartPolicy: OnFailure}}
  - replicas: 1
    tfReplicaType: WORKER
    template: {spec: {containers: [{name: tensorflow, image: i}], restartPolicy: OnFailure}}
  - replicas: 2
    tfReplicaType: PS
"""


def tf_config(task_type="chief", index=0, cluster=CLUSTER):
    return json.dumps({"cluster": cluster, "task": {"type": task_type, "index": index}})


def job(cluster=CLUSTER, **options):
    """Returns the job of a TF_CONFIG."""
    task_type = next(t for t in ("chief", "master", "worker") if t in cluster)
    return jobs.from_texts("mnist", [("mnist.json", tf_config(task_type, 0, cluster))], **options)


def read(text, **options):
    """Returns the job of a TFJob."""
    (document,) = yaml_files.parse(text)
    return tfjob.read(document, "mnist.yaml", **options)


def written(text, way, target):
    """Converts a TFJob for a target, and returns the conversion and the written files."""
    found = read(text)
    named = base.address_fn(target, found.workload)
    made = conversion.convert(found, way, address_of=named)
    return made, base.write(target, made, found.workload)
