import type pg from "pg";
import type { Contribution, Dimensions, SumPart } from "./contribution.ts";
import { type FieldValue, keepOrRest, nameOfValue } from "./field-values.ts";
import { type FieldPlace, listKept, type SumRow, type ValueRow } from "./fold-store.ts";

/** Differences that a batch of calls makes, by key: each key is written once. */
export class Sums {
  readonly #sums = new Map<string, SumRow>();
  readonly #values = new Map<string, ValueRow>();

  /** Takes out what a call added before. */
  remove(workspaceId: string, fact: Contribution): void {
    for (const part of fact.sums) this.#count(workspaceId, part, -1);
    if (!fact.values) return;
    for (const value of fact.values.fields) this.#countValue(workspaceId, fact.values.under, value, -1);
  }

  /** Adds what calls add now, by `workspace|row`; values beyond those that a field keeps become REST in place. */
  async add(client: pg.ClientBase, fresh: ReadonlyMap<string, Contribution>): Promise<void> {
    const kept = await listKept(client, placesOf(fresh));
    for (const [name, contribution] of fresh) {
      const workspaceId = workspaceOf(name);
      for (const part of contribution.sums) this.#count(workspaceId, part, 1);
      const { values } = contribution;
      if (!values) continue;
      values.fields = values.fields.map((value) => {
        const place = JSON.stringify([workspaceId, ...values.under, value.field]);
        const known = kept.get(place) ?? new Set();
        const counted = keepOrRest(value, known);
        kept.set(place, known.add(nameOfValue(counted)));
        return counted;
      });
      for (const value of values.fields) this.#countValue(workspaceId, values.under, value, 1);
    }
  }

  /** The differences of `result_sums`, in the order of their keys. */
  get sumRows(): SumRow[] {
    return inOrder(this.#sums);
  }

  /** The differences of `result_values`, in the order of their keys. */
  get valueRows(): ValueRow[] {
    return inOrder(this.#values);
  }

  #count(workspaceId: string, { key, figures, billed, simulated }: SumPart, sign: 1 | -1): void {
    const name = JSON.stringify([workspaceId, ...key]);
    const row = this.#sums.get(name) ?? { key: [workspaceId, ...key], figures: figures.map(() => 0), money: [] };
    row.figures = row.figures.map((figure, i) => figure + sign * (figures[i] ?? 0));
    row.money.push({ sign, billed, simulated });
    this.#sums.set(name, row);
  }

  #countValue(workspaceId: string, under: Dimensions, { field, kind, value, total }: FieldValue, sign: 1 | -1): void {
    const key: ValueRow["key"] = [workspaceId, ...under, field, kind, value];
    const name = JSON.stringify(key);
    const row = this.#values.get(name) ?? { key, calls: 0, totals: [] };
    row.calls += sign;
    if (total !== 0) row.totals.push(sign * total);
    this.#values.set(name, row);
  }
}

function inOrder<Row>(rows: Map<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function workspaceOf(name: string): string {
  return name.slice(0, name.indexOf("|"));
}

function placesOf(fresh: ReadonlyMap<string, Contribution>): FieldPlace[] {
  const places = new Map<string, FieldPlace>();
  for (const [name, { values }] of fresh) {
    for (const { field } of values?.fields ?? []) {
      const place: FieldPlace = [workspaceOf(name), ...(values as { under: Dimensions }).under, field];
      places.set(JSON.stringify(place), place);
    }
  }
  return [...places.values()];
}
