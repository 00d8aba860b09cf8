"""Run the Python examples of Markdown files: `python tools/doc_examples.py FILE-OR-FOLDER...`.

Blocks fenced as `python` or `pycon` are run in order, in one namespace per file. Those with
`>>>` are compared with what they print, as doctest does it; the others must only run through.
A block that shall not be run is fenced as something else.
"""

import doctest
import re
import sys
import traceback
from pathlib import Path

BLOCK = re.compile(r"^```(?:python|pycon)[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_block(source: str, path: Path, line: int, namespace: dict[str, object]) -> bool:
    """Run one block, its first line being `line` of the file; report whether it passed."""
    if ">>>" in source:
        test = doctest.DocTestParser().get_doctest(source, {}, str(path), str(path), line - 1)
        test.globs = namespace
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        return runner.run(test, clear_globs=False).failed == 0
    try:
        # The blank lines in front give tracebacks the line numbers of the file.
        exec(compile("\n" * (line - 1) + source, str(path), "exec"), namespace)
    except Exception:
        print(f"{path}:{line}: this example failed")
        traceback.print_exc(file=sys.stdout)
        return False
    return True


def main(arguments: list[str]) -> int:
    """Run all examples of the given files, and of the Markdown files in given folders."""
    files: list[Path] = []
    for path in map(Path, arguments):
        if path.is_dir():
            found = sorted(path.rglob("*.md"))
            files += [file for file in found if "_build" not in file.parts]
        else:
            files.append(path)
    passed = failed = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        namespace: dict[str, object] = {"__name__": "__main__"}
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            if run_block(match[1], path, line, namespace):
                passed += 1
            else:
                failed += 1
    print(f"examples in {len(files)} files: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
