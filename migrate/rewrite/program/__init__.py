"""Rewrites all files of a program with one plan.

Files in reading order:
run                rewrites files in parallel, and prints diffs, suggestions and counts
program_files      groups files into programs, and collects facts about each file
program_plan       decides once per program what becomes of its files
drafts             reads files as rules would see them under a plan
shared_inputs      decides about functions that return tensors to Estimators of other files
shared_estimators  decides about functions that return Estimators to other files
shared_model_fns   decides about model_fns that Estimators of other files use
lost_lines         finds evaluations that log less than before
messages           groups the messages of a run by their kind
summary            counts the changes of a run, and names the check to run next
"""
