"""How do I show a tree and its costs to others?

Writes a picture of the tree and one of the bill (with the extra ``plots``), and a page with everything in it
that opens in any browser without a network, into the folder given as argument, or into a temporary one.
"""

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import thriftwood as tw

golf = tw.load_dataset("golf-nominal")
model = tw.algorithm("csgain", costs=golf.costs, gamma=0.01).fit(golf.X, golf.y)
found = tw.frontier(model, golf.X, golf.y, values=[0, 0.01, 0.02, 0.05, 0.1], cv=5, random_state=0)

with tempfile.TemporaryDirectory() as temporary:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
    if find_spec("matplotlib"):
        tw.plot_tree(model).figure.savefig(folder / "tree.svg")
        tw.plot_bill(tw.bill(model, golf.X, golf.y)).figure.savefig(folder / "bill.svg")
    page = model.report(golf.X, golf.y, folder / "report.html", frontier=found, title="When do we play?")
    for file in sorted(folder.iterdir()):
        print(f"{file.name}: {page if file.suffix == '.html' else f'{file.stat().st_size // 1024 + 1} kB'}")
