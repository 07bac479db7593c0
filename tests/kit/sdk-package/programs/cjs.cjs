/* oxlint-disable import/no-commonjs -- what this program tries */
const process = require("node:process");
const sdk = require("@parley/sdk");
const { fileFrom } = require("@parley/sdk/node");

async function main() {
  const { journey } = await import("./journey.mjs");
  const settings = JSON.parse(process.env.JOURNEY);
  settings.file = await fileFrom(settings.path, "text/plain");
  console.log(JSON.stringify(await journey(sdk, settings)));
}

void main();
