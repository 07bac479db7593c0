import { createPrivateKey, X509Certificate } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Key and certificate for receiver.example, self-signed and for tests only. */
const KEY =
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9iG3/b8CT99sZzO8KojERQ/PVHkNzG8unfox/1eNvMOhRANCAASY9NUhf1DxTOF4mV+OGmvoNBZSJqB8ZV9/IwN/oJEMcNPYcvy/UY7JEr+MjwOVRyFBrRvUwG6Jaf1PEmn4gggf";
const CERTIFICATE =
  "MIIBqTCCAVCgAwIBAgIUUBe0J8P3CnISvMJYEkPNhiWxQkswCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMjEwNTExNDNaGA8yMTI2MTAyODA1MTE0M1owGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJj01SF/UPFM4XiZX44aa+g0FlImoHxlX38jA3+gkQxw09hy/L9RjskSv4yPA5VHIUGtG9TAbolp/U8SafiCCB+jcDBuMB0GA1UdDgQWBBT5pU35cfGUDR/MqerpQCIlv3M3WDAfBgNVHSMEGDAWgBT5pU35cfGUDR/MqerpQCIlv3M3WDAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHJlY2VpdmVyLmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgfocfDxDp3/zZL5wshTinNs1JfGKOqzbU8dKIGUKuKIoCIFnWqCXTLCyChcxQzZmOIkoDyEceRgwzMmrYiN/pwE+K";

/** The certificate that a test may trust. */
export const RECEIVER_CERTIFICATE = new X509Certificate(Buffer.from(CERTIFICATE, "base64")).toString();

/** Options of a TLS server for receiver.example. */
export const RECEIVER_TLS = {
  key: createPrivateKey({ key: Buffer.from(KEY, "base64"), format: "der", type: "pkcs8" }).export({
    type: "pkcs8",
    format: "pem",
  }),
  cert: RECEIVER_CERTIFICATE,
};

/** Servers of a test on loopback, at ports of the system's choice. */
export class LoopbackServers {
  readonly #running: { server: Server; sockets: Set<Socket> }[] = [];

  async listen(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
    });
    this.#running.push({ server, sockets });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  listenHttp(handler: RequestListener): Promise<number> {
    return this.listen(createServer(handler));
  }

  listenRaw(handler: (socket: Socket) => void): Promise<number> {
    return this.listen(createTcpServer(handler));
  }

  /** Ends every connection and stops listening. */
  async close(): Promise<void> {
    for (const { server, sockets } of this.#running.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
