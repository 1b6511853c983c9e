"""Parse a C file with pycparser and print it again, as a formatter would."""

import sys


def main(path: str) -> int:
    """Return the exit code."""
    from pycparser import c_generator, c_parser
    from pycparser.c_parser import ParseError

    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        tree = c_parser.CParser().parse(text, path)
    except ParseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(c_generator.CGenerator().visit(tree))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
