"""Finds the layers of a forward pass, and keeps the names of their variables.

Files in reading order:
objects         turns calls of layers into objects that __init__ makes
calls           replaces the calls, one kind per file
object_maker    makes the objects, and the texts of their calls
surroundings    reads the loops, conditions and scopes around a call
loop_nests      finds loops of which __init__ repeats the structure to make their layers
shared_objects  finds the layers and variables that several calls share
numbering       decides which classes number their layers when they are made
idle_averages   keeps the averages of batch normalization that no step updated
object_lines    writes the lines of __init__ that make objects, and the loops over them
parts           turns functions with layers into layer classes
naming          chooses names for the attributes of layers
variable_names  writes names of layers, so that variables keep their names
"""
