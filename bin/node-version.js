/** True for a Node that runs TypeScript by itself without a warning: 24.12, 25.2, 26 and later. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return (major === 24 && minor >= 12) || (major === 25 && minor >= 2) || major >= 26;
}
