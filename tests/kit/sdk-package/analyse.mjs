// Prints what @arethetypeswrong/core finds in the tarball. A program of its own: a test runner imports its sources.
import { readFileSync } from "node:fs";
import process from "node:process";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";

const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(process.argv[2]))));
// TypeScript has dropped node10, which knows no exports.
const problems = analysis.types ? analysis.problems.filter((one) => one.resolutionKind !== "node10") : ["no types"];
console.log(JSON.stringify(problems));
