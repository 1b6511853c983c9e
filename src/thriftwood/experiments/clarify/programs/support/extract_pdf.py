"""Print the text of a PDF file, as pdf2txt does."""

import sys


def main(path: str) -> int:
    """Return the exit code."""
    from pdfminer.high_level import extract_text

    sys.stdout.write(extract_text(path))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
