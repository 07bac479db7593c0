import { renderTemplate, stripMarkup, TemplateError } from "#src/platform/template/template.ts";
import { clockOf } from "./local-clock.ts";
import type { SessionState } from "./session-state.ts";

/** Returns what the model is told of its request for a human in a chat. */
export function describeRequest(session: SessionState): string {
  const { isOpen = true, opensAt = null } = session.plan.handoff ?? {};
  const text = handoffText(session);
  const read = text === "" ? "" : ` The person reads this next, so do not repeat it: ${text}`;
  if (isOpen) return `ok: a colleague was asked to take over; nobody has answered yet.${read}`;
  const until = opensAt === null ? "" : ` before ${opensAt}`;
  return `ok: it is noted for a colleague, but nobody is there${until}. Go on helping the person yourself.${read}`;
}

/** Renders what the person reads once a human was asked for; empty when the flow has no text for it. */
export function handoffText({ plan, variables }: SessionState): string {
  const { message = "", opensAt = null } = plan.handoff ?? {};
  try {
    const globals = {
      memory: plan.memory,
      language: plan.flow.language,
      flowName: plan.flow.name,
      channel: plan.channel,
    };
    return renderTemplate(message, { ...variables, opensAt: opensAt ?? "" }, globals, clockOf(plan)).trim();
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown;
    return stripMarkup(message).trim();
  }
}
