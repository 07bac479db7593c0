import type { Flow, PhoneNumber } from "@parley/sdk";

/** The value for a field of a job that is left empty: the default of the workspace, the only one there is, or none. */
type Fallback = { kind: "DEFAULT" } | { kind: "ONLY"; value: string } | { kind: "NONE"; hasChoices: boolean };

/** Fallbacks of a job's flow and of the number that it calls from. */
export interface JobDefaults {
  flow: Fallback;
  number: Fallback;
}

/** The part of the workspace's settings that says what its defaults are. */
export interface Defaults {
  defaultFlowId: string | null;
}

/** Returns the fallbacks; what is not read yet passes for a default, because the server decides in the end. */
export function toJobDefaults(
  settings: Defaults | undefined,
  flows: Pick<Flow, "id">[] | undefined,
  numbers: Pick<PhoneNumber, "phoneNumber" | "status" | "isDefault">[] | undefined,
): JobDefaults {
  const usable = numbers?.filter(({ status }) => status === "ACTIVE");
  const flowIds = settings && flows?.map(({ id }) => id);
  return {
    flow: fallbackOf(settings?.defaultFlowId != null, flowIds),
    number: fallbackOf(
      usable?.some(({ isDefault }) => isDefault) ?? false,
      usable?.map(({ phoneNumber }) => phoneNumber),
    ),
  };
}

function fallbackOf(hasDefault: boolean, choices: string[] | undefined): Fallback {
  if (hasDefault || choices === undefined) return { kind: "DEFAULT" };
  const [only, ...others] = choices;
  return only !== undefined && others.length === 0
    ? { kind: "ONLY", value: only }
    : { kind: "NONE", hasChoices: choices.length > 0 };
}

/** Flow and numbers that a person chose for a job. */
interface Chosen {
  flowId: string | null;
  numbers: string[];
}

/** Chooses what there is only one of and that has no default. */
export function chooseOnly<T extends Chosen>(form: T, { flow, number }: JobDefaults): T {
  return {
    ...form,
    flowId: form.flowId ?? (flow.kind === "ONLY" ? flow.value : null),
    numbers: form.numbers.length === 0 && number.kind === "ONLY" ? [number.value] : form.numbers,
  };
}
