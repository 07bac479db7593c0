import { type Command, Option } from "commander";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";

interface Provider {
  key: string;
  name: string;
  issuer: string;
  domains: string[];
  refusesPasswords: boolean;
}

interface Token {
  id: string;
  last4: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Adds `sign-on list|passwords|tokens|token|revoke-token`, which control the companies' identity providers. */
export function addSignOnCommands(program: Command, run: Run): void {
  const signOn = program.command("sign-on").description("identity providers of companies (operator)");
  signOn
    .command("list")
    .description("list the identity providers")
    .action(() => listProviders(run));
  signOn
    .command("passwords <key>")
    .description("let the people of a provider sign in by password again, when it does not answer, or forbid it")
    .addOption(new Option("--set <state>", "on: passwords work").choices(["on", "off"]).makeOptionMandatory())
    .action(async (key: string, { set }: { set: string }) => {
      const done = await callOperator(run.system.env, "sign-on.passwords", { key, allowed: set === "on" });
      await run.print(done, `Passwords are ${set} for the people of ${key}.`);
    });
  addTokenCommands(signOn, run);
}

function addTokenCommands(signOn: Command, run: Run): void {
  signOn
    .command("tokens <key>")
    .description("list the SCIM tokens of a provider")
    .action(async (key: string) => {
      const tokens = await callOperator<Token[]>(run.system.env, "sign-on.tokens", { key });
      const rows = tokens.map((one) => [one.id, `…${one.last4}`, show(one.createdAt), show(one.lastUsedAt)]);
      await run.print(tokens, renderTable(["ID", "TOKEN", "CREATED", "LAST USED"], rows));
    });
  signOn
    .command("token <key>")
    .description("make a SCIM token of a provider; it is shown this once")
    .action(async (key: string) => {
      const made = await callOperator<Token & { token: string }>(run.system.env, "sign-on.token", { key });
      await run.print(made, renderFields({ id: made.id, token: made.token }));
      run.hint("Only its digest is stored: it cannot be shown again.");
    });
  signOn
    .command("revoke-token <id>")
    .description("revoke a SCIM token; its next request is refused")
    .action(async (id: string) => {
      const done = await callOperator(run.system.env, "sign-on.revoke-token", { id });
      await run.print(done, `Revoked ${id}.`);
    });
}

async function listProviders(run: Run): Promise<void> {
  const providers = await callOperator<Provider[]>(run.system.env, "sign-on.list", {});
  const rows = providers.map((one) => [
    one.key,
    one.name,
    one.issuer,
    one.domains.join(", "),
    one.refusesPasswords ? "no passwords" : "",
  ]);
  await run.print(providers, renderTable(["KEY", "NAME", "ISSUER", "DOMAINS", ""], rows));
}
