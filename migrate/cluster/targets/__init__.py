"""Writers of a converted job for a scheduler.

Files in reading order:
base         writes a job for a target, and collects notes
containers   splits a pod template for targets that run no pods
pods         makes the Kubernetes objects that several targets share
kubernetes   writes Indexed Jobs and a Service
jobset       writes a JobSet
tfjob        writes a TFJob for the new strategies
trainjob     writes a TrainJob of Kubeflow Trainer, and its TrainingRuntime
slurm        writes an sbatch script
compose      writes a file for Docker compose
vertex       writes a CustomJobSpec of Vertex AI
whole_files  writes all files of a job or none
"""
