import { createSocket, type RemoteInfo, type Socket } from "node:dgram";

const HOST = "127.0.0.1";
/** Shortest first calls, as a share of the length: they end one by one, as in a service that has run for a while. */
const LEAST_SHARE = 0.2;

/** Callers behind the trunk. */
export interface TrunkOptions {
  /** RTP ports of the callers, by their index. */
  ports: readonly number[];
  /** Time after which a caller hangs up. */
  lengthMs: number;
  onAnswered(caller: number, serverPort: number): void;
  onEnded(caller: number): void;
}

interface TrunkCall {
  caller: number;
  answer: string;
  hangUp: NodeJS.Timeout;
}

/**
 * A SIP trunk over UDP that answers each call at once with a free caller, who hangs up after a while and takes the next
 * call.
 */
export class BenchTrunk {
  readonly #socket: Socket = createSocket("udp4");
  readonly #options: TrunkOptions;
  readonly #free: number[];
  readonly #calls = new Map<string, TrunkCall>();
  #answered = 0;
  /** INVITEs for which no caller was free. */
  #refused = 0;

  private constructor(options: TrunkOptions) {
    this.#options = options;
    this.#free = options.ports.map((_, i) => i);
    this.#socket.on("message", (bytes, from) => this.#take(bytes.toString(), from));
  }

  static async open(options: TrunkOptions): Promise<BenchTrunk> {
    const trunk = new BenchTrunk(options);
    await new Promise<void>((resolve) => trunk.#socket.bind(0, HOST, resolve));
    trunk.#socket.setRecvBufferSize(1 << 20);
    return trunk;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Calls that last now. */
  get live(): number {
    return this.#calls.size;
  }

  get counts(): { answered: number; refused: number } {
    return { answered: this.#answered, refused: this.#refused };
  }

  close(): void {
    for (const { hangUp } of this.#calls.values()) clearTimeout(hangUp);
    this.#calls.clear();
    this.#socket.close();
  }

  #take(text: string, from: RemoteInfo): void {
    const [method = ""] = text.split(" ", 1);
    if (method === "INVITE") this.#invite(text, from);
    else if (method === "BYE" || method === "CANCEL") this.#end(text, from);
    else if (method !== "ACK" && method !== "SIP/2.0") this.#send(reply(text, "200 OK"), from.port);
  }

  #invite(text: string, from: RemoteInfo): void {
    const callId = fieldOf(text, "Call-ID");
    const known = this.#calls.get(callId);
    if (known) return this.#send(known.answer, from.port);
    const serverPort = Number(/^m=audio (\d+) /m.exec(text)?.[1]);
    const caller = this.#free.pop();
    if (caller === undefined || !serverPort) {
      this.#refused++;
      return this.#send(reply(text, "503 Service Unavailable"), from.port);
    }
    const isFirst = this.#answered++ < this.#options.ports.length;
    const share = isFirst ? LEAST_SHARE + Math.random() * (1 - LEAST_SHARE) : 1;
    const contact = `Contact: <sip:far@${HOST}:${this.port}>`;
    const answer = reply(text, "200 OK", [contact], describeAudio(this.#options.ports[caller] as number));
    const hangUp = setTimeout(() => this.#hangUp(callId, text, from), share * this.#options.lengthMs);
    this.#calls.set(callId, { caller, answer, hangUp });
    this.#send(reply(text, "180 Ringing", [contact]), from.port);
    this.#send(answer, from.port);
    this.#options.onAnswered(caller, serverPort);
  }

  /** The caller hangs up. */
  #hangUp(callId: string, invite: string, from: RemoteInfo): void {
    this.#forget(callId);
    const target = /<([^>]+)>/.exec(fieldOf(invite, "Contact"))?.[1] ?? "";
    const lines = [
      `BYE ${target} SIP/2.0`,
      `Via: SIP/2.0/UDP ${HOST}:${this.port};branch=z9hG4bK${callId.replaceAll(/\W/g, "")}bye`,
      "Max-Forwards: 70",
      `From: ${fieldOf(invite, "To")};tag=far`,
      `To: ${fieldOf(invite, "From")}`,
      `Call-ID: ${callId}`,
      "CSeq: 1 BYE",
      "Content-Length: 0",
    ];
    this.#send(`${lines.join("\r\n")}\r\n\r\n`, from.port);
  }

  /** The server hangs up. */
  #end(text: string, from: RemoteInfo): void {
    this.#forget(fieldOf(text, "Call-ID"));
    this.#send(reply(text, "200 OK"), from.port);
  }

  #forget(callId: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    clearTimeout(call.hangUp);
    this.#calls.delete(callId);
    this.#free.push(call.caller);
    this.#options.onEnded(call.caller);
  }

  #send(text: string, port: number): void {
    this.#socket.send(text, port, HOST, () => undefined);
  }
}

function reply(request: string, status: string, more: string[] = [], body = ""): string {
  const copied = request.split("\r\n").filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line));
  const to = fieldOf(request, "To");
  const lines = [
    `SIP/2.0 ${status}`,
    ...copied,
    `To: ${to}${to.includes("tag=") ? "" : ";tag=far"}`,
    ...more,
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${body.length}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

function describeAudio(port: number): string {
  const lines = [
    "v=0",
    `o=- 1 1 IN IP4 ${HOST}`,
    "s=-",
    `c=IN IP4 ${HOST}`,
    "t=0 0",
    `m=audio ${port} RTP/AVP 0 101`,
    "a=rtpmap:0 PCMU/8000",
    "a=rtpmap:101 telephone-event/8000",
    "a=sendrecv",
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function fieldOf(text: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*?)\\r?$`, "im").exec(text)?.[1] ?? "";
}
