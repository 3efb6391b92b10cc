"""Marks in the files that this package writes, by which it recognizes them when it reads."""

SIGNATURE = "Written by `python -m migrate cluster`."
# In TF_CONFIG of an Indexed Job's pods, Kubernetes replaces INDEX by the index of the pod.
INDEX_VARIABLE = "JOB_COMPLETION_INDEX"
INDEX = f"$({INDEX_VARIABLE})"
