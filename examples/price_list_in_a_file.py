"""How do I keep the price list in a file?

Prices change more often than trees. A TOML (or JSON) file holds the price of every test, what tests share,
and what every mistake costs; a name that the table does not have is an error, so the file cannot rot unseen.
"""

from pathlib import Path

import pandas as pd

import thriftwood as tw

costs = tw.Costs.from_file(Path(__file__).with_name("clinic.toml"))
print("cholesterol costs", costs.effective_price("cholesterol"))
print("cholesterol once sugar was paid costs", costs.effective_price("cholesterol", paid=["sugar"]))

patients = pd.DataFrame(
    {
        "age": [63, 41, 58, 37, 66, 45, 61, 39],
        "cholesterol": [210, 180, 310, 320, 190, 210, 200, 335],
        "sugar": [92, 88, 140, 99, 180, 95, 170, 160],
    }
)
states = ["healthy", "healthy", "sick", "healthy", "sick", "healthy", "sick", "sick"]
model = tw.CostTreeClassifier("entropy", costs=costs).fit(patients, states)
print(model.tree_)

dearer = costs.replace(shared={"blood draw": 6.5})
print(f"mean test cost: {tw.bill(model, patients).mean_test_cost:.2f}")
print(f"with dearer blood draws: {tw.bill(model, patients, costs=dearer).mean_test_cost:.2f}")
