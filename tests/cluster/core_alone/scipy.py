"""Not there, as in an installation of the core: tf_keras takes half a second to import it."""

raise ModuleNotFoundError("scipy is hidden: the tests of clusters run on the core", name="scipy")
