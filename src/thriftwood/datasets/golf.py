"""Quinlan's fourteen days of golf (or tennis), in the three forms used to explain tree learners.

``golf-nominal`` has four nominal columns, ``golf`` has temperature and humidity as numbers, and
``golf-missing`` is ``golf`` with the outlook of the twelfth day unknown.
"""

from __future__ import annotations

from thriftwood.costs import Costs
from thriftwood.datasets.columns import Column

# outlook, temperature in words and in degrees, humidity in words and in percent, wind, play
_DAYS = """
Sunny    Hot  85 High   85 Weak   No
Sunny    Hot  80 High   90 Strong No
Overcast Hot  83 High   78 Weak   Yes
Rain     Mild 70 High   96 Weak   Yes
Rain     Cool 68 Normal 80 Weak   Yes
Rain     Cool 65 Normal 70 Strong No
Overcast Cool 64 Normal 65 Strong Yes
Sunny    Mild 72 High   95 Weak   No
Sunny    Cool 69 Normal 70 Weak   Yes
Rain     Mild 75 Normal 80 Weak   Yes
Sunny    Mild 75 Normal 70 Strong Yes
Overcast Mild 72 High   90 Strong Yes
Overcast Hot  81 Normal 75 Weak   Yes
Rain     Mild 71 High   80 Strong No
"""
_TWELFTH = 11
_OUTLOOKS = ("Sunny", "Overcast", "Rain")


def golf_columns(form: str) -> list[Column]:
    """Return the columns of one form, the target last and named ``class``.

    >>> [column.name for column in golf_columns("golf")]
    ['Outlook', 'Temperature', 'Humidity', 'Windy', 'class']
    """
    days = [line.split() for line in _DAYS.strip().splitlines()]
    outlook, temp, degrees, humidity, percent, wind, play = (list(cells) for cells in zip(*days, strict=True))
    target = Column.nominal("class", play)
    if form == "golf-nominal":
        return [
            Column.nominal("Outlook", outlook, _OUTLOOKS),
            Column.nominal("Temp", temp, ("Hot", "Mild", "Cool")),
            Column.nominal("Humidity", humidity, ("High", "Normal")),
            Column.nominal("Wind", wind, ("Weak", "Strong")),
            target,
        ]
    known = [
        None if form == "golf-missing" and day == _TWELFTH else value for day, value in enumerate(outlook)
    ]
    return [
        Column.nominal("Outlook", known, _OUTLOOKS),
        Column.numeric("Temperature", [float(value) for value in degrees]),
        Column.numeric("Humidity", [float(value) for value in percent]),
        Column.nominal(
            "Windy", ["true" if value == "Strong" else "false" for value in wind], ("false", "true")
        ),
        target,
    ]


def golf_costs() -> Costs:
    """Return the example price list for the nominal form.

    >>> golf_costs()
    Costs(tests={'Outlook': 4, 'Temp': 1, 'Humidity': 2, 'Wind': 0.5})
    """
    return Costs(tests={"Outlook": 4, "Temp": 1, "Humidity": 2, "Wind": 0.5})
