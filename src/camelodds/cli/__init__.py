"""The same answers in a terminal: ``camelodds leg "3:ob 4:g 6:y 7:w 5- 8+"``.

Each command is a function in a module of this folder, imported when it is called.  Its
docstring is its help.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from camelodds.cli.common import SIMPLER, announce_compilation, simpler
from camelodds.errors import CamelOddsError

app = App(
    name="camelodds",
    help="Exact odds and expected values for the Camel Up games.",
    help_format="plaintext",
    version_flags=["--version"],
    suppress_keyboard_interrupt=False,  # `main` says what happened
)
for name, module, what in (
    ("leg", "leg:leg", "Odds of the present leg: places, tickets, landings on tiles."),
    ("race", "race:race", "Who wins the race and who is last."),
    ("values", "values:values", "What each legal action is worth, best first."),
    ("best", "best:best", "What each action is worth if everybody then plays best."),
    ("follow", "follow:follow", "Follow a recorded game: the track and the ranked actions."),
    ("compare", "compare:compare", "Enumeration against sampling: time and error of both."),
    ("tables", "tables:app", "List, build and remove the race tables."),
):
    app.command(f"camelodds.cli.{module}", name=name, help=what)

CUT_SHORT = 141
"""The exit code of a program whose reader has gone: 128 and the number of the signal."""


def _version() -> str:
    from camelodds import __version__

    return __version__


app.version = _version


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if it went well, 2 for an input that cannot be used.

    A character that the output cannot show, of a bar for example, is replaced by a simpler one.

    Parameters
    ----------
    arguments
        The words after ``camelodds``; those of the process if None.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        codecs.register_error(SIMPLER, simpler)
        sys.stdout.reconfigure(errors=SIMPLER)
    try:
        with announce_compilation():
            app(
                arguments if arguments is None else list(arguments),
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
            sys.stdout.flush()
    except CamelOddsError as error:
        print(f"camelodds: {error}", file=sys.stderr)
        return 2
    except CycloptsError as error:
        print(f"camelodds: {error}", file=sys.stderr)
        print("camelodds: see camelodds --help", file=sys.stderr)
        return 2
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            print(f"camelodds: {error}", file=sys.stderr)
        # Nobody reads what is left, as after `head`; Python would try again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CUT_SHORT if isinstance(error, BrokenPipeError) else 1
    except KeyboardInterrupt:
        print("camelodds: interrupted", file=sys.stderr)
        return 130
    return 0
