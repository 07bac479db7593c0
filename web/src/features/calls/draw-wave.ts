import WaveSurfer from "wavesurfer.js";

const LOUDEST = 255;

/** Draws the two waves of a recording from the server's peaks; the browser decodes nothing. */
export function drawWave(
  container: HTMLElement,
  url: string,
  { channels, durationMs }: { channels: { peaks: number[] }[]; durationMs: number },
): WaveSurfer {
  const style = getComputedStyle(container);
  const [agent, customer] = [style.getPropertyValue("--parley-agent"), style.getPropertyValue("--parley-customer")];
  const shared = { barWidth: 2, barGap: 1, barRadius: 2, height: 48, normalize: true };
  const faint = (color: string) => `color-mix(in srgb, ${color} 45%, transparent)`;
  return WaveSurfer.create({
    container,
    url,
    peaks: channels.map(({ peaks }) => peaks.map((peak) => peak / LOUDEST)),
    duration: durationMs / 1000,
    cursorColor: style.color,
    cursorWidth: 2,
    ...shared,
    splitChannels: [
      { ...shared, waveColor: faint(agent), progressColor: agent },
      { ...shared, waveColor: faint(customer), progressColor: customer },
    ],
  });
}
