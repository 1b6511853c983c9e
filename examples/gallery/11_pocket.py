"""A consultation for the pocket.

One question at a time with the running bill: a page that needs no library, for a phone.
"""

from pathlib import Path

import thriftwood as tw

golf = tw.load_dataset("golf-nominal")
model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
Path("pocket.html").write_text(tw.export_html(model, title="When do we play?"), encoding="utf-8")
