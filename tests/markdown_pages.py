"""README.md and the pages of docs/: their blocks of code, headings and links."""

import contextlib
import io
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").rglob("*.md"))
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_TEXT = re.compile(r"^    (thriftwood .*)$|`(thriftwood [^`]+)`", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """What stands on a page of Markdown.

    `blocks` has the language, the name of a file to write (```csv patients.csv) and the content of each.
    """

    path: Path
    text: str = field(repr=False)
    blocks: tuple[tuple[str, str, str], ...] = field(repr=False)

    @property
    def python(self):
        """The snippets, each with the text block below it or None."""
        return [
            (code, below if kind == "text" else None)
            for (language, _, code), (kind, _, below) in pairwise([*self.blocks, ("", "", "")])
            if language == "python"
        ]

    @property
    def shell(self):
        """The lines of the blocks for a shell."""
        return [line for language, _, code in self.blocks if language == "sh" for line in code.splitlines()]

    @property
    def commands(self):
        """Every command line of thriftwood: in blocks for a shell, indented, and within sentences."""
        outside = [indented or within for indented, within in IN_TEXT.findall(FENCE.sub("", self.text))]
        return [line for line in self.shell if line.startswith("thriftwood ")] + outside

    @property
    def files(self):
        """The files that a page tells its reader to have."""
        return {name: content for _, name, content in self.blocks if name}

    @property
    def anchors(self):
        """What `#...` can point to: GitHub's names of the headings."""
        headings = re.findall(r"^#+ (.*)$", FENCE.sub("", self.text), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

    @property
    def links(self):
        """The targets of links and pictures that are not addresses on the web."""
        found = re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", self.text))
        return [target for target in found if "://" not in target]


def read_page(path):
    text = path.read_text(encoding="utf-8")
    return Page(path, text, tuple((m[1], m[2] or "", m[3]) for m in FENCE.finditer(text)))


def write_files(page):
    """Write what the page tells its reader to have into the current folder."""
    for name, content in page.files.items():
        Path(name).write_text(content, encoding="utf-8")


def run_snippets(page):
    """Give what each snippet prints; they run one after the other, as a reader would type them."""
    names, printed = {}, []
    for code, _ in page.python:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page.path.name, "exec"), names)  # our own file
        printed.append(out.getvalue())
    return printed


def lines(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]
