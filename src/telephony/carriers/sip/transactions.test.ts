import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RequestEvents } from "./client-transaction.ts";
import type { Flow } from "./flow.ts";
import { parseMessage } from "./parse-message.ts";
import { createResponse } from "./response.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import { SipHeaders, type SipMessage, type SipRequest, type SipResponse } from "./sip-message.ts";
import { Transactions } from "./transactions.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a flow that records what is sent, with the milliseconds since its start. */
function createFlow(transport: Flow["transport"] = "UDP") {
  const began = Date.now();
  const sent: { atMs: number; message: SipMessage }[] = [];
  const flow: Flow = {
    key: transport,
    transport,
    remote: { address: "192.0.2.9", port: 5060 },
    local: { address: "192.0.2.1", port: 5070 },
    send: (bytes) => sent.push({ atMs: Date.now() - began, message: parseMessage(bytes) as SipMessage }),
  };
  return { flow, sent, times: () => sent.map(({ atMs }) => atMs) };
}

function createRequest(method: string): SipRequest {
  const headers = new SipHeaders();
  headers.add("Max-Forwards", "70");
  headers.add("From", "<sip:a@example.com>;tag=one");
  headers.add("To", "<sip:b@example.com>");
  headers.add("Call-ID", "call");
  headers.add("CSeq", `7 ${method}`);
  return { kind: "REQUEST", method, uri: "sip:b@example.com", headers, body: Buffer.alloc(0) };
}

function watch() {
  const responses: number[] = [];
  const failures: string[] = [];
  const events: RequestEvents = {
    onResponse: (response) => responses.push(response.status),
    onFailure: (kind) => failures.push(kind),
  };
  return { responses, failures, events };
}

function answer(sent: SipMessage, status: number, toTag = "two"): SipResponse {
  return createResponse(sent as SipRequest, status, { toTag });
}

function createUser() {
  const requests: ServerTransaction[] = [];
  const acks: SipRequest[] = [];
  const cancelled: ServerTransaction[] = [];
  const transactions = new Transactions({
    onRequest: (transaction) => requests.push(transaction),
    onAck: (request) => acks.push(request),
    onCancel: (invite) => cancelled.push(invite),
  });
  return { transactions, requests, acks, cancelled };
}

/** Creates a request as received from the far end. */
function arriving(method: string, branch: string): SipRequest {
  const request = createRequest(method);
  request.headers.prepend("Via", `SIP/2.0/UDP 192.0.2.9:5060;branch=${branch};rport`);
  return request;
}

test("an INVITE without an answer is sent after 0.5, 1, 2 ... seconds, and given up after 32 (timers A and B)", () => {
  const { transactions } = createUser();
  const { flow, times } = createFlow();
  const { events, failures } = watch();
  transactions.send(createRequest("INVITE"), flow, events);
  vi.advanceTimersByTime(31_999);
  expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
  expect(failures).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(failures).toEqual(["TIMEOUT"]);
  vi.advanceTimersByTime(100_000);
  expect(times()).toHaveLength(7);
});

test("any other request is repeated every 4 s at most, and after a provisional answer every 4 s (timers E and F)", () => {
  const { transactions } = createUser();
  const { flow, times, sent } = createFlow();
  const { events, failures } = watch();
  transactions.send(createRequest("OPTIONS"), flow, events);
  vi.advanceTimersByTime(31_999);
  expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
  vi.advanceTimersByTime(1);
  expect(failures).toEqual(["TIMEOUT"]);

  const slow = createFlow();
  transactions.send(createRequest("OPTIONS"), slow.flow, watch().events);
  transactions.take(answer(slow.sent[0]?.message as SipMessage, 100), slow.flow);
  vi.advanceTimersByTime(9_000);
  expect(slow.times()).toEqual([0, 4_000, 8_000]);
  expect(sent).toHaveLength(11);
});

test("over a connection nothing is sent twice, and a connection that breaks ends what waits on it", () => {
  const { transactions } = createUser();
  const { flow, times } = createFlow("TCP");
  const { events, failures } = watch();
  transactions.send(createRequest("INVITE"), flow, events);
  transactions.send(createRequest("OPTIONS"), flow, events);
  vi.advanceTimersByTime(20_000);
  expect(times()).toEqual([0, 0]);
  transactions.breakOff(flow, "closed");
  expect(failures).toEqual(["BROKEN", "BROKEN"]);
});

test("a refusal is told once and acknowledged each time, with the branch of the INVITE and the tag of the refusal", () => {
  const { transactions } = createUser();
  const { flow, sent } = createFlow();
  const { events, responses, failures } = watch();
  const request = createRequest("INVITE");
  request.headers.add("Route", "<sip:proxy.example.com;lr>");
  transactions.send(request, flow, events);
  const invite = sent[0]?.message as SipRequest;
  for (const status of [100, 180, 486, 486]) transactions.take(answer(invite, status), flow);
  expect(responses).toEqual([100, 180, 486]);
  const acks = sent.slice(1).map(({ message }) => message as SipRequest);
  expect(acks.map(({ method }) => method)).toEqual(["ACK", "ACK"]);
  const [ack] = acks;
  expect(ack?.headers.get("Via")).toBe(invite.headers.get("Via"));
  expect(ack?.headers.get("CSeq")).toBe("7 ACK");
  expect(ack?.headers.get("To")).toContain("tag=two");
  expect(ack?.headers.get("Route")).toBe("<sip:proxy.example.com;lr>");
  expect(ack?.uri).toBe(invite.uri);
  vi.advanceTimersByTime(40_000);
  transactions.take(answer(invite, 486), flow);
  expect(sent).toHaveLength(3);
  expect(failures).toEqual([]);
});

test("every copy of a 2xx is told for 32 s, whoever of several answered (RFC 6026), and none is acknowledged here", () => {
  const { transactions } = createUser();
  const { flow, sent } = createFlow();
  const { events, responses } = watch();
  transactions.send(createRequest("INVITE"), flow, events);
  const invite = sent[0]?.message as SipMessage;
  transactions.take(answer(invite, 200), flow);
  transactions.take(answer(invite, 200, "three"), flow);
  vi.advanceTimersByTime(31_000);
  transactions.take(answer(invite, 200), flow);
  vi.advanceTimersByTime(2_000);
  transactions.take(answer(invite, 200), flow);
  expect(responses).toEqual([200, 200, 200]);
  expect(sent).toHaveLength(1);
});

test("a CANCEL goes the INVITE's way with its branch; branches hold 128 random bits", () => {
  const { transactions } = createUser();
  const { flow, sent } = createFlow();
  const invite = transactions.send(createRequest("INVITE"), flow, watch().events);
  transactions.take(answer(sent[0]?.message as SipMessage, 180), flow);
  const { events, responses } = watch();
  transactions.cancel(invite, events);
  const [first, cancel] = sent.map(({ message }) => message as SipRequest);
  expect(cancel?.headers.get("Via")).toBe(first?.headers.get("Via"));
  expect(cancel?.headers.get("Via")).toMatch(/branch=z9hG4bK[0-9a-f]{32}/);
  expect(cancel?.headers.get("CSeq")).toBe("7 CANCEL");
  transactions.take(answer(cancel as SipMessage, 200), flow);
  expect(responses).toEqual([200]);
});

test("a response to nothing of ours, or with several Vias, changes nothing", () => {
  const { transactions } = createUser();
  const { flow, sent } = createFlow();
  const { events, responses } = watch();
  transactions.send(createRequest("OPTIONS"), flow, events);
  const doubled = answer(sent[0]?.message as SipMessage, 200);
  doubled.headers.add("Via", "SIP/2.0/UDP 192.0.2.77;branch=z9hG4bKx");
  transactions.take(doubled, flow);
  const foreign = answer(sent[0]?.message as SipMessage, 200);
  foreign.headers.set("CSeq", "7 BYE");
  transactions.take(foreign, flow);
  expect(responses).toEqual([]);
});

test("a request that comes again gets the same answer and is told once; its source is noted in Via", () => {
  const { transactions, requests } = createUser();
  const { flow, sent } = createFlow();
  transactions.take(arriving("BYE", "z9hG4bKa"), flow);
  transactions.take(arriving("BYE", "z9hG4bKa"), flow);
  expect(sent).toEqual([]);
  const [bye] = requests as [ServerTransaction];
  bye.respond(createResponse(bye.request, 200));
  transactions.take(arriving("BYE", "z9hG4bKa"), flow);
  expect(requests).toHaveLength(1);
  expect(sent.map(({ message }) => (message as SipResponse).status)).toEqual([200, 200]);
  expect(sent[0]?.message.headers.get("Via")).toBe(
    "SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bKa;rport=5060;received=192.0.2.9",
  );
});

test("our refusal of an INVITE is repeated until its ACK, for 32 s at most (timers G and H)", () => {
  const { transactions, requests, acks } = createUser();
  const { flow, times } = createFlow();
  transactions.take(arriving("INVITE", "z9hG4bKb"), flow);
  const [invite] = requests as [ServerTransaction];
  invite.respond(createResponse(invite.request, 486, { toTag: "ours" }));
  vi.advanceTimersByTime(8_000);
  expect(times()).toEqual([0, 0, 500, 1_500, 3_500, 7_500]);
  transactions.take(arriving("ACK", "z9hG4bKb"), flow);
  vi.advanceTimersByTime(60_000);
  expect(times()).toHaveLength(6);
  expect(acks).toHaveLength(1);
});

test("a CANCEL of an INVITE that is not answered is answered and told; of nothing it gets 481", () => {
  const { transactions, requests, cancelled } = createUser();
  const { flow, sent } = createFlow();
  transactions.take(arriving("INVITE", "z9hG4bKc"), flow);
  transactions.take(arriving("CANCEL", "z9hG4bKc"), flow);
  expect(cancelled).toEqual(requests);
  transactions.take(arriving("CANCEL", "z9hG4bKd"), flow);
  expect(sent.map(({ message }) => (message as SipResponse).status)).toEqual([100, 200, 481]);
});

test("the same request by two ways is refused the second time with 482 (8.2.2.2)", () => {
  const { transactions, requests } = createUser();
  const { flow, sent } = createFlow();
  transactions.take(arriving("INVITE", "z9hG4bKe"), flow);
  transactions.take(arriving("INVITE", "z9hG4bKf"), flow);
  expect(requests).toHaveLength(1);
  expect(sent.map(({ message }) => (message as SipResponse).status)).toEqual([100, 482]);
});
