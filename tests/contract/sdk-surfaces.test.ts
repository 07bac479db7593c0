import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as sdk from "../../sdk/src/client.ts";
import { Resource } from "../../sdk/src/resource.ts";
import { runProgram, SDK_PYTHON, withoutPython } from "../kit/python.ts";
import { ROOT } from "../kit/repository.ts";

/* The SDKs name resources, methods and errors alike, so that a page about one of them is true of all. */

/** Names that only one SDK has, and why. */
const ONLY_TYPESCRIPT: Record<string, string> = {
  "chats.eventStream": "gives the Response itself; Python has chats.events, which reads it",
};

/** Errors whose name is that of another error in Python. */
const ERRORS: Record<string, string> = {
  ConnectionError: "ParleyConnectionError",
  TimeoutError: "ParleyTimeoutError",
  PermissionError: "PermissionDeniedError",
};

const PROGRAM = `
import inspect, json, sys
sys.path.insert(0, "src")
import parley_sdk

def surface(client):
    resources = {name: one for name, one in vars(client).items() if not name.startswith("_")}
    return sorted(
        f"{name}.{method}"
        for name, one in resources.items()
        for method, _ in inspect.getmembers(one, callable)
        if not method.startswith("_")
    )

errors = sorted(
    name for name, one in vars(parley_sdk).items()
    if inspect.isclass(one) and issubclass(one, parley_sdk.ParleyError)
)
webhooks = [name for name in ("verify", "delivery") if callable(getattr(parley_sdk.webhooks, name, None))]
print(json.dumps({
    "sync": surface(parley_sdk.Parley(api_key="none")),
    "asynchronous": surface(parley_sdk.AsyncParley(api_key="none")),
    "errors": errors,
    "webhooks": webhooks,
}))
`;

interface Surface {
  sync: string[];
  asynchronous: string[];
  errors: string[];
  webhooks: string[];
}

test.skipIf(withoutPython !== "")(
  `the Python SDK has the resources, methods and errors of the TypeScript SDK${withoutPython}`,
  async () => {
    const { code, output } = await runProgram("python3", ["-B", "-c", PROGRAM], { cwd: SDK_PYTHON });
    expect(code, output).toBe(0);
    const python = JSON.parse(output) as Surface;
    const typescript = methodsOf(new sdk.Parley({ apiKey: "none" }));
    expect(typescript.length).toBeGreaterThan(150);
    const shared = typescript.filter((name) => ONLY_TYPESCRIPT[name] === undefined);
    expect(typescript.length - shared.length).toBe(Object.keys(ONLY_TYPESCRIPT).length);
    expect(python.sync).toEqual(shared.map(toSnake).toSorted());
    expect(python.asynchronous).toEqual(python.sync);
    const errors = Object.keys(sdk).filter((name) => /^[A-Z]\w*Error$/.test(name));
    expect(python.errors).toEqual(errors.map((name) => ERRORS[name] ?? name).toSorted());
    expect(python.webhooks).toEqual(Object.keys(sdk.webhooks));
  },
);

test("the page on the SDK names each resource", () => {
  const page = readFileSync(join(ROOT, "docs/sdk.md"), "utf8");
  const [, list = ""] = /Each resource of the API is a property of the client: ([^.]+)\./.exec(page) ?? [];
  const resources = new Set(methodsOf(new sdk.Parley({ apiKey: "none" })).map((name) => name.split(".")[0]));
  expect(new Set([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name))).toEqual(resources);
});

/** Returns the public methods of a client's resources as `resource.method`. */
function methodsOf(client: sdk.Parley): string[] {
  return Object.entries(client).flatMap(([resource, held]) =>
    held instanceof Resource ? [...methodNames(held)].map((method) => `${resource}.${method}`) : [],
  );
}

/** Returns the methods of a resource, those of its generated base among them and those of every resource not. */
function methodNames(resource: Resource): Set<string> {
  const names = new Set<string>();
  for (let level = Object.getPrototypeOf(resource); level !== Resource.prototype; level = Object.getPrototypeOf(level))
    for (const name of Object.getOwnPropertyNames(level)) if (name !== "constructor") names.add(name);
  return names;
}

/** Returns the name in snake_case; Python's own words have an underscore appended. */
function toSnake(name: string): string {
  const text = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return ["import", "from"].some((word) => text.endsWith(`.${word}`)) ? `${text}_` : text;
}
