"""One page about a model and some cases, which opens in any browser without a network.

The words of this room:

- the *page* is one HTML file: styles, script and data are inside it, and it forbids itself to load anything;
- the *opening* is what it begins with: which test to order for whom, what a case costs, and what that saves;
- a *section* is a part of the page that is written here, as HTML, and needs no script;
- the *data* of the page are what its script draws: the nodes, the frontier's points, the *journeys*;
- the *outline* is the tree as lists of lists, for narrow windows, paper and readers without scripts;
- a *journey* is the way of one case through the tree, with what was bought at every step.

Nothing is computed here that a bill, a tree or a frontier knows. Names come from users, so every one is
escaped where it is written.

Its policy (CSP, by hash) forbids every script and style but its own. Names reach it escaped by
`markup.tag`, or as JSON that its script sets as text, never as markup. It has no date: the same input
gives the same page.
"""

from thriftwood.report.page import Report, make_report

__all__ = ["Report", "make_report"]
