"""The studio: prices that are changed in the browser while the tree, its bill and its frontier follow.

The words of this room:

- the *page* is one HTML file with styles, scripts, data and the compiled core inside; it forbids itself to
  load anything, and runs no script but its own (CSP, by hash);
- the *core* of the page is `core/` compiled to WebAssembly (`wasm/`, `make wasm`), which runs in a worker;
- a *scenario* is what the address holds: prices, mistakes and the learner.

The scripts are in `assets/`, one noun a file. Names come from users: they reach the page as JSON, and its
scripts set them as text, never as markup.
"""

from thriftwood.studio.page import Studio, make_studio

__all__ = ["Studio", "make_studio"]
