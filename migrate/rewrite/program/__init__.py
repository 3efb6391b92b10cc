"""Rewrites all files of a program with one plan.

Files in reading order:
run                 rewrites files in parallel, and prints diffs, suggestions and counts
file_contents       reads the facts that a file contains by itself
program_files       groups files into programs, and collects the facts that follow from other files
program_plan        decides once per program how its files change
drafts              reads files as rules would see them under a plan
shared_factories    decides about functions that make specs and configs for other files
silent_functions    decides about functions that only write summaries for other files
shared_experiments  decides about functions that return Experiments to other files
shared_inputs       decides about functions that return tensors to Estimators of other files
shared_methods      finds methods and attributes that give Estimators to other files
shared_estimators   decides about functions that return Estimators to other files
shared_model_fns    decides about model_fns that Estimators of other files use
shared_sessions     decides about programs that run sessions in other files
lost_lines          finds evaluations that log less than before
messages            groups the messages of a run by their kind
summary             counts the changes of a run, and names the check to run next
"""
