"""Holds the API document against the specification, and every example in it against its schema.

    check.py api/openapi.json
"""

import json
import sys

from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

METHODS = ("get", "put", "post", "delete", "patch")


def operations(document):
    """Every operation with a name for people: of the API, and of the events that it posts."""
    for group in ("paths", "webhooks"):
        for place, item in document.get(group, {}).items():
            for method in METHODS:
                if method in item:
                    yield f"{method.upper()} {place}", item[method]


def examples(operation):
    """Every example of an operation with its schema and where it is."""
    for one in operation.get("parameters", []):
        for example in one["schema"].get("examples", []):
            yield f"parameter {one['name']}", one["schema"], example
    contents = [("request", operation.get("requestBody", {}))]
    contents += [(f"answer {status}", answer) for status, answer in operation["responses"].items()]
    for where, part in contents:
        for kind, content in part.get("content", {}).items():
            if "example" in content:
                yield f"{where} {kind}", content["schema"], content["example"]


def main(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    wrong = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
             for error in OpenAPIV31SpecValidator(document).iter_errors()]
    seen = 0
    for place, operation in operations(document):
        for where, schema, example in examples(operation):
            seen += 1
            # References are resolved from the root of the document.
            whole = {"$id": "urn:windfall", "components": document["components"], "allOf": [schema]}
            for error in OAS31Validator(whole).iter_errors(example):
                wrong.append(f"{place}, {where}: {error.json_path}: {error.message[:200]}")
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong or seen < 200:
        sys.exit(f"{path}: {len(wrong)} faults, {seen} examples looked at")
    print(f"{path} is valid, and so are its {seen} examples")


if __name__ == "__main__":
    main(*sys.argv[1:])
