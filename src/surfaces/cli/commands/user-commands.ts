import { type Command, Option } from "commander";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";
import { workspaceOf } from "./credential-commands.ts";

const ROLES = ["owner", "builder", "operator", "viewer"];

interface Link {
  url: string;
  expiresAt: string;
}

interface InviteOptions {
  workspace?: string;
  role: string;
  email?: string;
  name?: string;
}

interface User {
  email: string;
  name: string;
  isInstallationOwner: boolean;
  disabledAt: string | null;
  lastSignedInAt: string | null;
  memberships: { workspaceName: string; role: string }[];
}

/** Adds `setup-link` and `user list|invite|reset|reset-second-factor|disable|enable`, which control sign-in to the dashboard. */
export function addUserCommands(program: Command, run: Run): void {
  program
    .command("setup-link")
    .description("print a new link that makes the dashboard's first account; valid 30 minutes (operator)")
    .action(async () => printLink(run, await callOperator<Link>(run.system.env, "setup-link", {})));
  const user = program.command("user").description("people of the dashboard (operator)");
  user
    .command("list")
    .description("list all accounts")
    .action(() => listUsers(run));
  user
    .command("invite")
    .description("print a link with which somebody joins a workspace; valid 7 days")
    .option("--workspace <id>", "workspace; default: your profile's")
    .addOption(new Option("--role <role>", "what the person may do there").choices(ROLES).makeOptionMandatory())
    .option("--email <address>", "whom it is for")
    .option("--name <name>", "the person's name")
    .action(async ({ workspace, role, ...rest }: InviteOptions) => {
      const body = { workspaceId: workspaceOf(run, workspace), role: role.toUpperCase(), ...rest };
      await printLink(run, await callOperator<Link>(run.system.env, "user.invite", body));
    });
  user
    .command("reset <email>")
    .description("print a link with which somebody sets a new password; valid 24 hours")
    .action(async (email: string) => printLink(run, await callOperator<Link>(run.system.env, "user.reset", { email })));
  user
    .command("reset-second-factor <email>")
    .description("remove somebody's authenticator app, passkeys and recovery codes; every session ends")
    .action(async (email: string) => {
      const done = await callOperator<User>(run.system.env, "user.reset-second-factor", { email });
      await run.print(done, `${done.email} has no second factor any more, and sets one up at the next sign-in.`);
    });
  user
    .command("disable <email>")
    .description("keep somebody out: every session ends at once, and none begins")
    .action(async (email: string) => {
      const done = await callOperator<User>(run.system.env, "user.disable", { email });
      await run.print(done, `Disabled ${done.email}.`);
    });
  user
    .command("enable <email>")
    .description("let somebody who was disabled sign in again")
    .action(async (email: string) => {
      const done = await callOperator<User>(run.system.env, "user.enable", { email });
      await run.print(done, `Enabled ${done.email}.`);
    });
}

async function listUsers(run: Run): Promise<void> {
  const users = await callOperator<User[]>(run.system.env, "user.list", {});
  const rows = users.map((one) => [
    one.email,
    one.name,
    one.isInstallationOwner
      ? "owner of the installation"
      : one.memberships.map(({ workspaceName, role }) => `${workspaceName}: ${role.toLowerCase()}`).join(", "),
    show(one.lastSignedInAt),
    one.disabledAt === null ? "" : "disabled",
  ]);
  await run.print(users, renderTable(["EMAIL", "NAME", "ROLES", "LAST SIGNED IN", ""], rows));
}

async function printLink(run: Run, link: Link): Promise<void> {
  await run.print(link, renderFields({ ...link }));
  run.hint("Whoever has the link may use it, once. Nothing was sent to anybody.");
}
