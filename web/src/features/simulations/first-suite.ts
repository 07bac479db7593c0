/** Returns the initial suite in the editor of a new run, with personas and expectations. */
export function firstSuite(flowApiId: string): string {
  return `# Who answers the flow, and what must come of it.
suite: First look
flow: ${flowApiId}

scenarios:
  - name: says yes
    persona: agrees
    expect:
      outcome: COMPLETED

  - name: hangs up at once
    persona: hangs-up-at-once

  - name: is a voicemail
    persona: voicemail

  - name: wants to be left alone
    persona: opts-out
    expect:
      optOut: true
`;
}
