#!/usr/bin/env python3
"""Renders Liquid templates with python-liquid, for comparison with Belfry.

Reads a JSON list of {"template", "data"} from the file named, and prints a JSON list: for each the text, or null where
python-liquid refuses. The data are the device's attributes and, by their names, its columns.
"""
import json
import os
import sys
import time

from liquid import Environment
from liquid.exceptions import LiquidError

# A Unix time is formatted in the process's time zone.
os.environ["TZ"] = "UTC"
time.tzset()


def render(case):
    data = case["data"]
    if "locale" in data:
        data["language"] = data["locale"].split("-")[0]
    try:
        return Environment().from_string(case["template"]).render(**data, attributes=data)
    except (LiquidError, ValueError):  # ValueError: a date out of range.
        return None


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([render(case) for case in json.load(file)]))
