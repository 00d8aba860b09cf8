"""Sphinx configuration."""

from camelodds import __version__

project = "camelodds"
author = "The camelodds authors"
copyright = "2026, the camelodds authors"
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_nb",
]
exclude_patterns = ["_build"]
nb_execution_mode = "off"  # the notebooks are executed by `make notebooks`
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signatures are in the numpydoc sections
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"camelodds {__version__}"
