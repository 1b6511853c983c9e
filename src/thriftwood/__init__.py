"""thriftwood: decision trees that know what every test and every mistake costs.

Customary import: ``import thriftwood as tw``. Names are loaded when they are first used, so that importing
the package, and every command of its command line, starts quickly.
"""

from __future__ import annotations

from importlib import import_module

from thriftwood.base.moved_modules import tell_of_moved_modules

TYPE_CHECKING = False  # the one of typing, which a program that explains itself need not load
if TYPE_CHECKING:
    from typing import Any

    from thriftwood.baselines import (
        EverythingClassifier,
        FixedPanelClassifier,
        NobodyClassifier,
        TodayClassifier,
    )
    from thriftwood.consult import Consultation
    from thriftwood.costs import CostError, Costs, CostWarning, Test, Today
    from thriftwood.datasets import Scan, list_datasets, load_dataset, read_table, scan
    from thriftwood.ensembles import (
        BaggedTreesClassifier,
        BayesAnswers,
        BoostedTreesClassifier,
        CheapestAnswer,
        CocostClassifier,
        CostBagClassifier,
        CostBoostClassifier,
        CostForestClassifier,
        CostGradientBoostingClassifier,
        CostingClassifier,
        InverseBoostedTreesClassifier,
        LazyOptionTreesClassifier,
        LpCsbClassifier,
        MetaCostClassifier,
        ShortcutForestClassifier,
    )
    from thriftwood.evaluation import (
        BreakEvens,
        Contender,
        Frontier,
        Verdict,
        WhatIf,
        bill,
        break_even,
        compare,
        cost_scorer,
        decision_curve,
        frontier,
        learning_curve,
        read_batches,
        savings_score,
        savings_scorer,
        total_bill,
        verdict,
        watchdog,
        what_if,
    )
    from thriftwood.evolution import EccoClassifier, Evolution, IcetClassifier
    from thriftwood.export import (
        arrow_scorer,
        export_c,
        export_html,
        export_javascript,
        export_json,
        export_onnx,
        export_python,
        export_rules,
        export_sql,
        export_xlsx,
    )
    from thriftwood.learners import algorithm, algorithms, trusted_types
    from thriftwood.learning import (
        MDL,
        CostComplexity,
        CostTreeClassifier,
        CostTreeRegressor,
        CrossValidatedComplexity,
        ExpectedCost,
        ExpectedLoss,
        GatedTreeClassifier,
        Growth,
        LookAhead,
        OptimalTreeClassifier,
        Pessimistic,
        ReducedError,
        ThriftClassifier,
        fit_many,
    )
    from thriftwood.models import Booster, Cascade, Panel, Tree, load
    from thriftwood.plots import (
        plot_bill,
        plot_decision_curve,
        plot_frontier,
        plot_frontiers,
        plot_history,
        plot_learning_curve,
        plot_stream,
        plot_tree,
        plot_what_if,
    )
    from thriftwood.report import Report, make_report

    __version__: str
    from thriftwood.streams import (
        HoeffdingTreeClassifier,
        IncrementalTreeClassifier,
        StreamHistory,
        StreamingTree,
        evaluate_stream,
        make_stream,
    )
    from thriftwood.studio import Studio, make_studio

tell_of_moved_modules()

__all__ = [
    "MDL",
    "BaggedTreesClassifier",
    "BayesAnswers",
    "BoostedTreesClassifier",
    "Booster",
    "BreakEvens",
    "Cascade",
    "CheapestAnswer",
    "CocostClassifier",
    "Consultation",
    "Contender",
    "CostBagClassifier",
    "CostBoostClassifier",
    "CostComplexity",
    "CostError",
    "CostForestClassifier",
    "CostGradientBoostingClassifier",
    "CostTreeClassifier",
    "CostTreeRegressor",
    "CostWarning",
    "CostingClassifier",
    "Costs",
    "CrossValidatedComplexity",
    "EccoClassifier",
    "EverythingClassifier",
    "Evolution",
    "ExpectedCost",
    "ExpectedLoss",
    "FixedPanelClassifier",
    "Frontier",
    "GatedTreeClassifier",
    "Growth",
    "HoeffdingTreeClassifier",
    "IcetClassifier",
    "IncrementalTreeClassifier",
    "InverseBoostedTreesClassifier",
    "LazyOptionTreesClassifier",
    "LookAhead",
    "LpCsbClassifier",
    "MetaCostClassifier",
    "NobodyClassifier",
    "OptimalTreeClassifier",
    "Panel",
    "Pessimistic",
    "ReducedError",
    "Report",
    "Scan",
    "ShortcutForestClassifier",
    "StreamHistory",
    "StreamingTree",
    "Studio",
    "Test",
    "ThriftClassifier",
    "Today",
    "TodayClassifier",
    "Tree",
    "Verdict",
    "WhatIf",
    "__version__",
    "algorithm",
    "algorithms",
    "arrow_scorer",
    "bill",
    "break_even",
    "compare",
    "cost_scorer",
    "decision_curve",
    "evaluate_stream",
    "export_c",
    "export_html",
    "export_javascript",
    "export_json",
    "export_onnx",
    "export_python",
    "export_rules",
    "export_sql",
    "export_xlsx",
    "fit_many",
    "frontier",
    "learning_curve",
    "list_datasets",
    "load",
    "load_dataset",
    "make_report",
    "make_stream",
    "make_studio",
    "plot_bill",
    "plot_decision_curve",
    "plot_frontier",
    "plot_frontiers",
    "plot_history",
    "plot_learning_curve",
    "plot_stream",
    "plot_tree",
    "plot_what_if",
    "read_batches",
    "read_table",
    "savings_score",
    "savings_scorer",
    "scan",
    "total_bill",
    "trusted_types",
    "verdict",
    "watchdog",
    "what_if",
]

# Where names live; all others are in the room that learns trees.
_ROOMS = {
    "BaggedTreesClassifier": "ensembles",
    "BayesAnswers": "ensembles",
    "BoostedTreesClassifier": "ensembles",
    "Booster": "models",
    "BreakEvens": "evaluation",
    "Cascade": "models",
    "CheapestAnswer": "ensembles",
    "CocostClassifier": "ensembles",
    "CostForestClassifier": "ensembles",
    "CostGradientBoostingClassifier": "ensembles",
    "Consultation": "consult",
    "Contender": "evaluation",
    "CostBagClassifier": "ensembles",
    "CostBoostClassifier": "ensembles",
    "CostingClassifier": "ensembles",
    "InverseBoostedTreesClassifier": "ensembles",
    "LazyOptionTreesClassifier": "ensembles",
    "LpCsbClassifier": "ensembles",
    "MetaCostClassifier": "ensembles",
    "NobodyClassifier": "baselines",
    "Panel": "models",
    "ShortcutForestClassifier": "ensembles",
    "CostError": "costs",
    "CostWarning": "costs",
    "Costs": "costs",
    "EccoClassifier": "evolution",
    "EverythingClassifier": "baselines",
    "Evolution": "evolution",
    "FixedPanelClassifier": "baselines",
    "Frontier": "evaluation",
    "HoeffdingTreeClassifier": "streams",
    "IcetClassifier": "evolution",
    "IncrementalTreeClassifier": "streams",
    "Report": "report",
    "StreamHistory": "streams",
    "StreamingTree": "streams",
    "Studio": "studio",
    "Scan": "datasets",
    "Test": "costs",
    "Today": "costs",
    "TodayClassifier": "baselines",
    "Tree": "models",
    "Verdict": "evaluation",
    "WhatIf": "evaluation",
    "algorithm": "learners",
    "algorithms": "learners",
    "arrow_scorer": "export",
    "bill": "evaluation",
    "break_even": "evaluation",
    "compare": "evaluation",
    "cost_scorer": "evaluation",
    "decision_curve": "evaluation",
    "evaluate_stream": "streams",
    "export_c": "export",
    "export_html": "export",
    "export_javascript": "export",
    "export_json": "export",
    "export_onnx": "export",
    "export_python": "export",
    "export_rules": "export",
    "export_sql": "export",
    "export_xlsx": "export",
    "frontier": "evaluation",
    "learning_curve": "evaluation",
    "list_datasets": "datasets",
    "load": "models",
    "load_dataset": "datasets",
    "make_report": "report",
    "make_stream": "streams",
    "make_studio": "studio",
    "plot_bill": "plots",
    "plot_decision_curve": "plots",
    "plot_frontier": "plots",
    "plot_frontiers": "plots",
    "plot_history": "plots",
    "plot_learning_curve": "plots",
    "plot_stream": "plots",
    "plot_tree": "plots",
    "plot_what_if": "plots",
    "read_batches": "evaluation",
    "read_table": "datasets",
    "savings_score": "evaluation",
    "savings_scorer": "evaluation",
    "scan": "datasets",
    "total_bill": "evaluation",
    "trusted_types": "learners",
    "what_if": "evaluation",
    "verdict": "evaluation",
    "watchdog": "evaluation",
}


_RENAMED = {
    "Sampling": "LookAhead now, and belongs to a criterion: criterion=tw.Act(look_ahead=tw.LookAhead(r=5))",
}


def _criteria() -> list[str]:
    """Name the criteria with parameters: classes that are made from the core's list, such as CsGain."""
    core = import_module("thriftwood._core")
    return [facts.value_object for facts in core.criteria() if facts.value_object]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # Not at once: it takes 20 ms, which a program that explains itself need not wait for.
        from importlib.metadata import version

        globals()[name] = version("thriftwood")
        return globals()[name]
    if name in __all__:
        room = _ROOMS.get(name, "learning")
    elif name in _RENAMED:
        raise AttributeError(f"thriftwood.{name} is {_RENAMED[name]}.")
    elif not name.startswith("_") and name in _criteria():
        room = "learning.criteria"
    else:
        raise AttributeError(f"module 'thriftwood' has no attribute {name!r}")
    value = getattr(import_module(f"thriftwood.{room}"), name)
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_criteria()])
