import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findMissing } from "../../deploy/ha/programs.ts";
import { findBlocks } from "../kit/pages/blocks.ts";
import { runOnMachine, withoutMachine } from "../kit/pages/machine.ts";
import { KUBECTL } from "../kit/pages/stand-ins/kubectl.ts";

/* Commands of the documentation for root, containers and clusters, each on a machine of its own that is thrown away. */

const blocks = findBlocks().filter(({ test: { kind } }) => kind === "MACHINE");

/** Returns what a block needs and this machine does not have. */
function findWanting(text: string): string {
  if (/^kubectl/m.test(text) && !existsSync(KUBECTL)) return "kubectl is not installed";
  const missing = /^apt-get install/m.test(text) ? findMissing() : [];
  return missing.length > 0 ? `${missing.join(", ")} are not installed` : "";
}

test
  .skipIf(withoutMachine)
  .for(blocks.map((block) => [`${block.page}:${block.line}${withoutMachine}`, block] as const))(
  "%s",
  { timeout: 300_000 },
  async ([, { text }], { skip }) => {
    const wanting = findWanting(text);
    if (wanting) return skip(wanting);
    const { code, output } = await runOnMachine(text);
    expect(code, output).toBe(0);
  },
);

test.skipIf(withoutMachine)(`a fault of a command is found${withoutMachine}`, async () => {
  const faults = [
    ["docker run --privilege parley", "privilege"],
    ["docker build --tag parley docs", "Dockerfile"],
    ["helm install parley deploy/helm/parley --set imag.tag=1", "no value imag"],
    ["systemctl restart parly", "Unit parly.service not found"],
    ["cd deploy/compose && docker compose exec parley parley setup-link", "not running"],
    ["ls /opt/parley/nowhere", "nowhere"],
    ["curl -Lo /tmp/model https://github.com/snakers4/silero.onnx", "404"],
    ["npm install --prefix /srv onnx-runtime", "404"],
  ] as const;
  for (const [command, fault] of faults) {
    const { code, output } = await runOnMachine(command);
    expect([command, code === 0, output]).toEqual([command, false, expect.stringContaining(fault)]);
  }
});
