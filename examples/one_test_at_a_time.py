"""How do I run the tree at the bedside, one test at a time?

A consultation names the next test and its price, takes the value, and keeps the running bill. What is known
already is free; a test that cannot be had is answered with None.
"""

import thriftwood as tw

golf = tw.load_dataset("golf-nominal")
model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
print(model.tree_)
print()

measured = {"Outlook": "Rain", "Temp": "Mild", "Humidity": "High", "Wind": None}  # the anemometer is broken

case = model.consult(known={"Temp": "Mild"})
while not case.finished:
    test, price = case.next_test, case.price
    case.answer(measured[test])
    print(f"{test} for {price:g}: {measured[test]}, bill so far {case.bill:g}")
print("Answer:", case.result, {name: round(share, 2) for name, share in case.probabilities.items()})
print(case.why)
