const PATHS = {
  home: "M4 11.5 12 4l8 7.5V20h-5.5v-5.5h-5V20H4z",
  phone:
    "M6 3.5h3.2l1.6 4.3-2 1.7a12 12 0 0 0 5.7 5.7l1.7-2 4.3 1.6V18a2.5 2.5 0 0 1-2.7 2.5A16.3 16.3 0 0 1 3.5 6.2 2.5 2.5 0 0 1 6 3.5z",
  live: "M12 12h.01M8.5 15.500a5 5 0 0 1 0-7M15.5 8.500a5 5 0 0 1 0 7M5.5 18.500a9.2 9.2 0 0 1 0-13M18.5 5.500a9.2 9.2 0 0 1 0 13",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  chat: "M4 5h16v11H11l-4.5 3.500V16H4z",
  flow: "M6 4v6a4 4 0 0 0 4 4h4a4 4 0 0 1 4 4v2M6 4 3.5 6.500M6 4l2.5 2.500M18 20l-2.5-2.500M18 20l2.5-2.5",
  tool: "M14.5 6.500a4 4 0 0 1 5-1l-2.7 2.7 1.5 1.500L21 7a4 4 0 0 1-5.6 4.600L8 19a2.1 2.1 0 0 1-3-3l7.4-7.400a4 4 0 0 1 2.1-2.100z",
  output:
    "M8 4H6.500A2.5 2.5 0 0 0 4 6.500V9a3 3 0 0 1-1.5 3A3 3 0 0 1 4 15v2.500A2.5 2.5 0 0 0 6.5 20H8M16 4h1.500A2.5 2.5 0 0 1 20 6.500V9a3 3 0 0 0 1.5 3 3 3 0 0 0-1.5 3v2.500a2.5 2.5 0 0 1-2.5 2.500H16",
  book: "M5 4h5a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM19 4h-5a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h5z",
  data: "M4 6c0-1.4 3.6-2.5 8-2.500S20 4.6 20 6s-3.6 2.5-8 2.500S4 7.4 4 6zM4 6v12c0 1.4 3.6 2.5 8 2.500s8-1.1 8-2.500V6M4 12c0 1.4 3.6 2.5 8 2.500s8-1.1 8-2.5",
  number: "M9 4 7 20M17 4l-2 16M4 9h17M3 15h17",
  key: "M12 15.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10.8 12.7 20 3.5M15.5 8l3 3",
  audio: "M4 10v4M8 6v12M12 9v6M16 4v16M20 10v4",
  report: "M6 3.500h8l4.5 4.500v12.500H6zM14 3.500V8h4.500M9 13h6M9 16.500h6",
  chart: "M4 4v16h16M8.5 16v-5M13 16V7M17.5 16v-7",
  code: "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.5 4.500l-3 15",
  settings:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.600l2.1 2.100M16.3 16.300l2.1 2.100M18.4 5.600l-2.1 2.100M7.7 16.300l-2.1 2.1",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500V4M12 20v1.500M2.5 12H4M20 12h1.500M5.3 5.300l1 1M17.7 17.700l1 1M18.7 5.300l-1 1M6.3 17.700l-1 1",
  moon: "M20 14.500A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.500z",
  auto: "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 3.500v17M15 6v12M18 8v8",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  download: "M12 4v11M7 10.500l5 5 5-5M4 20h16",
  upload: "M12 16V5M7 9.500l5-5 5 5M4 20h16",
  right: "M9 5l7 7-7 7",
  left: "M15 5l-7 7 7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  down: "M5 9l7 7 7-7",
  up: "M5 15l7-7 7 7",
  updown: "M8 9l4-4 4 4M8 15l4 4 4-4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  play: "M7 4.500v15l12.5-7.500z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  alert: "M12 4 2.5 20h19zM12 10v4.500M12 17.300h.01",
  info: "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 8h.01",
  trash: "M4 6.500h16M9 6.500V4h6v2.500M6 6.5 7 20.500h10l1-14M10 11v5.500M14 11v5.5",
  edit: "M4 20h4L19.5 8.500l-4-4L4 16z",
  columns: "M4 5h16v14H4zM9.500 5v14M14.500 5v14",
  filter: "M4 5h16l-6 7.500V19l-4-2v-4.500z",
  star: "M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z",
  out: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.500a7.5 7.5 0 0 1 15 0",
  refresh: "M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4L20 15M20 20v-5h-5",
  undo: "M4 9h10a6 6 0 0 1 0 12h-3M8 5 4 9l4 4",
  redo: "M20 9H10a6 6 0 0 0 0 12h3M16 5l4 4-4 4",
  keyboard: "M3 6.500h18v11H3zM7 10.500h.01M11 10.500h.01M15 10.500h.01M8 14h8",
  test: "M9.5 3.500h5M10.5 3.500v6L5 18.500a1.4 1.4 0 0 0 1.2 2h11.600a1.4 1.4 0 0 0 1.2-2l-5.5-9v-6M7.5 15h9",
  ear: "M7 10a5 5 0 0 1 10 0c0 4-4 4.500-4 8a2.7 2.7 0 0 1-5 1.300M10 10a2 2 0 0 1 4 0c0 1.500-1.500 1.800-1.5 3.5",
  microphone:
    "M12 3.500a3 3 0 0 0-3 3V11a3 3 0 0 0 6 0V6.500a3 3 0 0 0-3-3zM5.500 11a6.500 6.500 0 0 0 13 0M12 17.500v3",
  hangUp: "M3.500 14.500c0-6 17-6 17 0v1.500l-4.500 1v-3a13 13 0 0 0-8 0v3l-4.500-1z",
  send: "M4 12 20.500 4 16 20l-4.500-6zM11.500 14l9-10",
  note: "M5 4h14v10.500L13.500 20H5zM19 14.500h-5.500V20M8.500 8.500h7M8.500 12h4",
  outgoing: "M7 17 17 7M9 7h8v8",
  incoming: "M17 7 7 17M15 17H7V9",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.700l1-1",
} as const;

/** The names of the icons. */
export type IconName = keyof typeof PATHS;

/** A line icon; screen readers ignore it, so the element around it needs a name of its own. */
export function Icon({ name, size = 16, strokeWidth = 1.7 }: { name: IconName; size?: number; strokeWidth?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flexShrink: 0 }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
