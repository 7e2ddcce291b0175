"""assay asks a black-box agent the right questions and returns a model of what it can do."""
