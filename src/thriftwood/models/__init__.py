"""What has been learnt and can be asked: trees, panels, boosters, cascades, models of other libraries.

Words
-----
model
    Whatever has been learnt and can be asked (`Model`). Every fitted estimator of ours gives its own as
    ``model_``, and `conversion.as_model` turns anything a user may pass into one: a search, a pipeline, an
    estimator of scikit-learn, a booster of LightGBM.
table
    What a model made of the user's X, read once (``model.table(X)``), and then asked for *answers* (class
    numbers, or numbers), for *shares* of the classes and for the *ledger* of what each row buys (`ledger`).
part
    A tree that a model is made of: itself, the members of a panel, the stages of a booster.
tree
    The finished tree (`Tree`): what users hold, read, save and ask.
panel
    Finished trees that are asked one after the other, each only when its answer is needed (`Panel`).
booster
    The *stages* of gradient boosting (`Booster`): small trees whose steps add up to scores of the classes.
cascade
    Tests bought in *stages* (`Cascade`), each with a *score card* of all that was bought so far.
ensemble
    Trees or estimators that are all asked, and answer together (`ensemble.EnsembleModel`).
answer rule
    Another model's tests, and answers by what they cost (`answer_rule.AnswerRuleModel`).
adapter
    An estimator of another library, seen as a model that asks for tests (`adapters.ForeignModel`).
"""

from thriftwood.models.booster import Booster
from thriftwood.models.cascade import Cascade
from thriftwood.models.files.loading import load
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel
from thriftwood.models.tree import Node, Tree

__all__ = ["Booster", "Cascade", "Model", "Node", "Panel", "Tree", "load"]
