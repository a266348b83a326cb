export { ClosingRepo } from "./closing-repo.ts";
export { type ConformanceCase, type ConformanceOptions, sessionRepoCases } from "./conformance.ts";
export { FailingFiles, type Failure } from "./failing-files.ts";
export { assistantMessage, toolResultMessage, userMessage } from "./sample-messages.ts";
export { playSteps, type TreeStep, treeSteps } from "./tree-steps.ts";
