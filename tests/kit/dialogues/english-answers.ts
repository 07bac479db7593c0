import { ask } from "./fields.ts";
import type { Script } from "./script.ts";

const BYE = "AGENT: That was all.";

/** Answers of every kind, in the many ways people give them. */
export const ENGLISH_ANSWERS: Script[] = [
  {
    title: "a plain conversation from the greeting to the goodbye",
    language: "en-US",
    asks: ask("coming", "people", "payment", "name"),
    said: ["Hello?", "Yes, I will.", "Two of us.", "By card, please.", "My name is Anna Berg."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 2, payment: "CARD", name: "Anna Berg" },
      inOrder: ["AGENT: Hello Anna Berg", "Will you come", "PERSON: Yes", "How many people", "How will you pay", BYE],
    },
  },
  ...(
    [
      ["Yeah, sure thing.", true],
      ["Absolutely!", true],
      ["I'll be there.", true],
      ["You bet.", true],
      ["Yup, see you then.", true],
      ["I wouldn't miss it.", true],
      ["Why wouldn't I?", true],
      ["Count me in.", true],
      ["I'm afraid I can't make it.", false],
      ["Nope, something came up.", false],
      ["I don't think so, no.", false],
      ["No way.", false],
      ["I won't be able to.", false],
      ["Sadly I have to cancel.", false],
      ["That's not going to work.", false],
      ["Yes, no problem at all.", true],
    ] as const
  ).map(([said, coming]): Script => ({
    title: `"${said}" is a ${coming ? "yes" : "no"}`,
    language: "en-US",
    asks: ask("coming"),
    said: ["Hello?", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming }, asked: ["Will you come", 1] },
  })),
  ...(
    [
      ["A couple.", 2],
      ["Just me.", 1],
      ["It's only me.", 1],
      ["Me and my wife.", 2],
      ["A dozen.", 12],
      ["Three or so.", 3],
      ["The two of us.", 2],
      ["There will be seventeen of us.", 17],
      ["4", 4],
      ["About five people.", 5],
      ["Half a dozen.", 6],
      ["Not two, three.", 3],
      ["Nobody but me.", 1],
    ] as const
  ).map(([said, people]): Script => ({
    title: `"${said}" is ${people}`,
    language: "en-US",
    asks: ask("people"),
    said: ["Hello?", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { people }, asked: ["How many people", 1] },
  })),
  {
    title: "a range is asked again until it is one number",
    language: "en-US",
    asks: ask("people"),
    said: ["Hi.", "Two or three.", "Let's say three."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 3 }, asked: ["How many people", 2] },
  },
  {
    title: "a number outside the limits is asked again",
    language: "en-US",
    asks: ask("rating"),
    said: ["Hi.", "Ten out of ten!", "Okay, five then."],
    expected: { end: "AGENT_ENDED_CALL", fields: { rating: 5 }, asked: ["How would you rate us", 2] },
  },
  {
    title: "keys pressed on the phone answer a number",
    language: "en-US",
    asks: ask("rating", "people"),
    said: ["Hi.", { digits: "4" }, { digits: "12" }],
    expected: { end: "AGENT_ENDED_CALL", fields: { rating: 4, people: 12 } },
  },
  ...(
    [
      ["Fifty dollars.", 50],
      ["$1,250.50", 1250.5],
      ["About twelve hundred.", 1200],
      ["Two thousand five hundred dollars.", 2500],
      ["Five grand.", 5000],
      ["No more than 80 bucks.", 80],
      ["One hundred and twenty-five.", 125],
      ["Nineteen dollars and ninety-nine cents.", 19.99],
      ["A hundred.", 100],
    ] as const
  ).map(([said, budget]): Script => ({
    title: `"${said}" is ${budget} dollars`,
    language: "en-US",
    asks: ask("budget"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { budget }, asked: ["How much", 1] },
  })),
  ...(
    [
      ["It's 202 555 0147.", "2025550147"],
      ["+1 (202) 555-0147", "+12025550147"],
      ["Two oh two, five five five, oh one four seven.", "2025550147"],
      ["two zero two triple five zero one double four", "2025550144"],
      ["plus four four, twenty, seventy-nine, forty-six, oh one, twenty-three", "+442079460123"],
    ] as const
  ).map(([said, phoneNumber]): Script => ({
    title: `"${said}" is a phone number`,
    language: "en-US",
    asks: ask("phone"),
    said: ["Hi.", said, "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { phoneNumber }, asked: ["phone number", 1] },
  })),
  ...(
    [
      ["Tuesday.", "2026-11-24"],
      ["Next Tuesday, please.", "2026-11-24"],
      ["Tomorrow works.", "2026-11-22"],
      ["The day after tomorrow.", "2026-11-23"],
      ["In two weeks.", "2026-12-05"],
      ["A week from Monday.", "2026-11-30"],
      ["Monday week.", "2026-11-30"],
      ["December third.", "2026-12-03"],
      ["The third of December.", "2026-12-03"],
      ["12/3", "2026-12-03"],
      ["the 30th", "2026-11-30"],
      ["On Christmas Eve.", "2026-12-24"],
      ["New Year's Day.", "2027-01-01"],
      ["Any day is fine, but best would be Thursday.", "2026-11-26"],
      ["How about Friday?", "2026-11-27"],
      ["Not Monday, Wednesday would be better.", "2026-11-25"],
      ["Can we do the twenty-fifth?", "2026-11-25"],
    ] as const
  ).map(([said, day]): Script => ({
    title: `"${said}" is ${day}`,
    language: "en-US",
    asks: ask("day"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { day }, asked: ["Which day", 1] },
  })),
  ...(
    [
      ["Half past two.", "14:30:00Z"],
      ["At ten in the morning.", "10:00:00Z"],
      ["Quarter to five.", "16:45:00Z"],
      ["3 pm", "15:00:00Z"],
      ["two thirty", "14:30:00Z"],
      ["14:15", "14:15:00Z"],
      ["Around noon.", "12:00:00Z"],
      ["Let's say eight in the evening.", "20:00:00Z"],
      ["nine-ish", "09:00:00Z"],
      ["ten past four", "16:10:00Z"],
    ] as const
  ).map(([said, time]): Script => ({
    title: `"${said}" is ${time.slice(0, 5)}`,
    language: "en-US",
    asks: ask("time"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { time }, asked: ["What time of day", 1] },
  })),
  {
    title: "tomorrow at half past two is one moment",
    language: "en-US",
    asks: ask("when"),
    said: ["Hi.", "Tomorrow at half past two."],
    expected: { end: "AGENT_ENDED_CALL", fields: { when: "2026-11-22T14:30:00Z" } },
  },
  {
    title: "a moment given in two halves is put together",
    language: "en-US",
    asks: ask("when"),
    said: ["Hi.", "On Tuesday.", "At three in the afternoon."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { when: "2026-11-24T15:00:00Z" },
      inOrder: ["When would you like to come", "PERSON: On Tuesday", "AGENT", "PERSON: At three", BYE],
      never: /did not get that/,
    },
  },
  ...(
    [
      ["With my Visa.", "CARD"],
      ["credit card", "CARD"],
      ["By wire.", "BANK_TRANSFER"],
      ["I'll pay cash.", "CASH"],
      ["The second one.", "BANK_TRANSFER"],
      ["The last one.", "CASH"],
      ["Not cash, a transfer.", "BANK_TRANSFER"],
      ["Anything but cash, so card.", "CARD"],
    ] as const
  ).map(([said, payment]): Script => ({
    title: `"${said}" chooses ${payment}`,
    language: "en-US",
    asks: ask("payment"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { payment }, asked: ["How will you pay", 1] },
  })),
  ...(
    [
      ["The biggest you have.", "large"],
      ["The smallest.", "small"],
      ["Big, please.", "large"],
      ["The middle one.", "medium"],
      ["A regular one.", "medium"],
    ] as const
  ).map(([said, size]): Script => ({
    title: `"${said}" means ${size}`,
    language: "en-US",
    asks: ask("size"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { size }, asked: ["Which size", 1] },
  })),
  ...(
    [
      ["Breakfast and parking.", ["breakfast", "parking"]],
      ["All of them.", ["breakfast", "parking", "late check-out"]],
      ["None, thanks.", []],
      ["Just parking, no breakfast.", ["parking"]],
      ["Everything except breakfast.", ["parking", "late check-out"]],
      ["Only the late checkout.", ["late check-out"]],
    ] as const
  ).map(([said, extras]): Script => ({
    title: `"${said}" chooses ${extras.length === 0 ? "nothing" : extras.join(" and ")}`,
    language: "en-US",
    asks: ask("extras"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { extras: [...extras] }, asked: ["Which extras", 1] },
  })),
  {
    title: "a list in one breath becomes its items",
    language: "en-US",
    asks: ask("allergies"),
    said: ["Hi.", "Nuts, milk and shellfish."],
    expected: { end: "AGENT_ENDED_CALL", fields: { allergies: ["Nuts", "milk", "shellfish"] } },
  },
  {
    title: "no allergies are an empty list",
    language: "en-US",
    asks: ask("allergies", "coming"),
    said: ["Hi.", "None that I know of.", "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { allergies: [], coming: true } },
  },
  {
    title: "a name and an address spelled out",
    language: "en-US",
    asks: ask("name", "email"),
    said: ["Speaking.", "It's Anna Berg, B E R G.", "Yes.", "anna dot berg at example dot com", "That's right."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { name: "Anna Berg", email: "anna.berg@example.com" },
      inOrder: ["Anna Berg, A-n-n-a B-e-r-g", "a-n-n-a dot b-e-r-g at example dot com. Is that right?"],
    },
  },
  {
    title: "nothing to add leaves the comment empty",
    language: "en-US",
    asks: ask("comment"),
    said: ["Hi.", "No, that's all, thank you."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, asked: ["Is there anything you would like", 1] },
  },
];
