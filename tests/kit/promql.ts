import { parser } from "@prometheus-io/lezer-promql";

/** A metric that a query reads, and the names of the labels by which it chooses or groups its samples. */
export interface QueriedMetric {
  name: string;
  labels: Set<string>;
}

type Node = ReturnType<typeof parser.parse>["topNode"];

/** Parses a PromQL expression and returns the metrics that it reads; throws where it cannot be parsed. */
export function readQuery(query: string): QueriedMetric[] {
  const text = ({ from, to }: Node): string => query.slice(from, to);
  const found: QueriedMetric[] = [];
  const visit = (node: Node, grouped: string[]): void => {
    if (node.type.isError) throw new Error(`This is no PromQL at ${node.from}: ${query}`);
    if (node.name === "VectorSelector") {
      const name = node.getChild("Identifier");
      const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
      const chosen = matchers.flatMap((matcher) => matcher.getChildren("LabelName").map(text));
      found.push({ name: name ? text(name) : "", labels: new Set([...grouped, ...chosen]) });
    }
    const by = node.name === "AggregateExpr" ? node.getChild("AggregateModifier")?.getChild("GroupingLabels") : null;
    const inner = [...grouped, ...(by?.getChildren("LabelName").map(text) ?? [])];
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child, inner);
  };
  visit(parser.parse(query).topNode, []);
  return found;
}
