import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { container } from "./image.ts";
import { KubernetesServer, type Pod } from "./kubernetes-server.ts";
import { run } from "./service.ts";
import { ofMachine } from "./settings.ts";

/** The real kubectl, beside which this one stands. */
export const KUBECTL = "/usr/bin/kubectl";

/** Runs the real kubectl against a server of ours; a pod that it creates is run as a process, to its end. */
export async function kubectl(args: string[]): Promise<number> {
  const server = new KubernetesServer();
  server.http.listen(0, "127.0.0.1");
  await once(server.http, "listening");
  const url = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
  // A process has no console that could be attached to: its output is that of this program anyway.
  const kept = args.filter((word) => word !== "--attach" && word !== "--rm");
  const child = spawn(KUBECTL, [`--server=${url}`, "--kubeconfig=/dev/null", ...kept], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  server.http.close();
  server.http.closeAllConnections();
  if (code !== 0) return code ?? 1;
  for (const pod of server.pods) {
    const ended = await runPod(pod);
    if (ended !== 0) return ended;
  }
  return 0;
}

function runPod({ spec: { containers } }: Pod): Promise<number> {
  const [first] = containers;
  if (first?.envFrom?.[0]?.secretRef.name !== "parley") throw new Error("the pod does not have the Secret's settings");
  const env = { DATABASE_URL: ofMachine("MACHINE_DATABASE_URL"), PARLEY_SECRET: ofMachine("MACHINE_SECRET") };
  return run(container(first.args ?? [], env));
}
