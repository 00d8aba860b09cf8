"""Packages that only some things need: imported when they are, explained when missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from camelodds.errors import MissingExtraError, Problem


def needed(module: str, extra: str) -> Any:
    """A module of an optional package.

    Parameters
    ----------
    module
        Its name, for example ``"matplotlib.pyplot"``.
    extra
        The extra of this package that brings it.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or package).partition(".")[0] != package:
            raise  # the package is there, but something that it needs is not
        tip = f'pip install "camelodds[{extra}]"'
        raise MissingExtraError(Problem(package, "is not installed", tip=tip)) from None
