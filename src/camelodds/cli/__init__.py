"""The same answers in a terminal: ``camelodds leg "3:ob 4:g 6:y 7:w 5- 8+"``.

Each command is a function in a module of this folder, imported when it is called.  Its
docstring is its help.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from camelodds.cli.common import announce_compilation
from camelodds.errors import CamelOddsError

app = App(
    name="camelodds",
    help="Exact odds and expected values for the Camel Up games.",
    help_format="plaintext",
    version_flags=["--version"],
)
app.command("camelodds.cli.leg:leg", name="leg")
app.command("camelodds.cli.race:race", name="race")
app.command("camelodds.cli.values:values", name="values")
app.command("camelodds.cli.follow:follow", name="follow")
app.command("camelodds.cli.tables:app", name="tables")


def _version() -> str:
    from camelodds import __version__

    return __version__


app.version = _version


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if it went well, 2 for an input that cannot be used.

    Parameters
    ----------
    arguments
        The words after ``camelodds``; those of the process if None.
    """
    try:
        with announce_compilation():
            app(
                arguments if arguments is None else list(arguments),
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
    except CamelOddsError as error:
        print(f"camelodds: {error}", file=sys.stderr)
        return 2
    except CycloptsError as error:
        print(f"camelodds: {error}", file=sys.stderr)
        print("camelodds: see camelodds --help", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of a pipe went away, as `head` does.
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        print("camelodds: interrupted", file=sys.stderr)
        return 130
    return 0
