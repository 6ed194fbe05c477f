// The texts of the API reference in English. Its summaries and descriptions are the server's own, in English.

export default {
  reference: {
    search: "Search operations", contents: "Operations", back: "All operations", download: "openapi.json", missing: "There is no operation “{id}”. Choose one from the list.",
    startTitle: "The API of {title}", startText: "These pages use the same API: {count} operations. Choose one from the list, or search by name, path or word.", firstTitle: "A first request",
    accessTitle: "Access",
    access: {
      secretKey: "Any secret API key", publishableKey: "A publishable API key, as apps have it", session: "A person who is signed in", nobody: "Everybody. No key is needed.",
    },
    permitted: { secretKey: "A secret API key with the permission {permission}", session: "A person who is signed in and has the permission {permission}" },
    exampleTitle: "Example", exampleText: "$BELFRY_KEY is your API key. Words in capital letters and … are for you to fill in.",
    parameters: "Parameters", in: { path: "in the path", query: "in the query", header: "header", cookie: "cookie" }, body: "Body", answers: "Answers", schema: "Members", headers: "Headers:",
    problems: { one: "{count} status for problems", other: "{count} statuses for problems" }, problemsLabel: "Problems",
    problemsText: "A problem is a JSON document with status, code, detail for people, and the members that are wrong. Programs decide by the code.",
    status: "Status", meaning: "Meaning", codes: "Codes, such as", required: "required", writeOnly: "never returned", values: "Values", example: "such as", anyName: "any name", option: "Form {count}",
    orNull: "{type} or null", listOf: "list of {type}",
    type: { string: "text", integer: "whole number", number: "number", boolean: "true or false", object: "object", array: "list", any: "anything", time: "time" },
    limit: {
      numberFrom: "at least {from}", numberTo: "at most {to}", numberRange: "{from} to {to}", lengthFrom: "{from} or more characters", lengthTo: "up to {to} characters", lengthRange: "{from} to {to} characters",
      itemsFrom: "{from} or more elements", itemsTo: "up to {to} elements", itemsRange: "{from} to {to} elements", unique: "no element twice", pattern: "pattern {pattern}", default: "default {value}",
    },
  },
};
