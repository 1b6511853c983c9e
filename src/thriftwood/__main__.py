"""``python -m thriftwood`` is ``thriftwood``: for environments whose scripts are not on the path."""

from thriftwood.cli import app

if __name__ == "__main__":
    app(prog_name="thriftwood")
