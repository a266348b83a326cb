#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`coppice needs Node >= 22.19; this is ${process.version}.`);
  process.exit(1);
}
await import("../dist/main.js");
