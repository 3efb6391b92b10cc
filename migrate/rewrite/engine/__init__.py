"""Applies rewriting rules to one file at a time.

Files in reading order:
rule            defines a rule: its metadata, and the changes that it finds
parsed_text     parses a text, and derives facts from its tree alone
source_file     gives rules the text, the tree and the TensorFlow names of a file
plan            holds the plan for a file: facts about its program, and decisions
fixed_point     applies rules to a text until none finds a change
arguments       edits the arguments of a call, and keeps its comments and layout
rebinding       finds names of modules that code binds indirectly, for example by `globals()`
bindings        finds the statements that bind a name
mentions        finds names of other files that a file may use
new_names       chooses names for new code, each with one meaning
imports         adds imports that new code needs, and removes unused ones
texts           writes literals, names and sums for new code
wrapping        breaks long statements into lines
files           reads and writes files as a whole
notebook_cells  extracts the Python of a notebook, and writes it back
"""
