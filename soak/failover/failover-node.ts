import { join } from "node:path";
import type { LocalCluster } from "../../deploy/ha/local-cluster.ts";
import type { Member } from "../../deploy/ha/render.ts";
import { ServerProcess } from "../../tests/kit/server-process.ts";
import { shiftableClock } from "../shifted-clock.ts";

/** A Parley node on one of the three machines, whose clock can be shifted. */
export interface FailoverNode {
  server: ServerProcess;
  /** File that holds the shift of its clock. */
  clockPath: string;
}

/** Starts the node of a machine, which dials at the carrier of this address. */
export async function startNode(cluster: LocalCluster, member: Member, carrierUrl: string): Promise<FailoverNode> {
  const { machines, settings } = cluster;
  const clockPath = join(process.env.PARLEY_TEST_FOLDER as string, `clock-${member}`);
  const listen = (host: string) => `http://${host}:${settings.HA_NODE_PORT}`;
  const env = {
    // Finds the programs that enter a machine.
    PATH: process.env.PATH ?? "",
    HOST: machines.address(member) === machines.publicAddress(member) ? machines.address(member) : "0.0.0.0",
    DATABASE_URL: cluster.databaseUrl(member),
    PARLEY_URL: cluster.apiUrl(member),
    PARLEY_NODE_URL: listen(machines.address(member)),
    SANDBOX_CARRIER_URL: carrierUrl,
    LOG_LEVEL: "warn",
    ...shiftableClock(clockPath),
  };
  const url = listen(machines.publicAddress(member));
  const server = await ServerProcess.create(env, [], { url, enter: machines.enter(member) });
  await server.start();
  return { server, clockPath };
}
