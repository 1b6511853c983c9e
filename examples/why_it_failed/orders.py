"""Adds up an order from a JSON file. Whatever is wrong with it, the user reads the same sentence."""

import json
import sys
from datetime import date
from decimal import Decimal

CUSTOMERS = {"ada": "Ada", "bob": "Bob", "eve": "Eve"}


def price(text):
    return Decimal(text)


def day(text):
    return date.fromisoformat(text)


def prices(basket):
    return [price(item["price"]) for item in basket]


def days(basket):
    return [day(item["day"]) for item in basket]


def items(order):
    basket = order["items"]
    return list(zip([item["name"] for item in basket], prices(basket), days(basket), strict=True))


def customer(order):
    return CUSTOMERS[order["customer"]]


def dearest(bought):
    return max(bought, key=lambda item: item[1])


def bill(order):
    bought = items(order)
    name = customer(order)
    first = dearest(bought)
    return f"{name}: {sum(item[1] for item in bought)}, most of it for {first[0]}"


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print(bill(json.load(file)))
    except Exception:
        print("orders: the file could not be processed", file=sys.stderr)
        sys.exit(1)


main()
