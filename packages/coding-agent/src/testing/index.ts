// Scripted scenarios
export { createScenario, type Scenario, type ScenarioOptions } from "./scenario.ts";
// Environments and tools
export {
  createMemoryEnvironment,
  type MemoryEnvironment,
  type MemoryEnvironmentOptions,
} from "./memory-environment.ts";
export { MemoryFiles } from "./memory-files.ts";
export { runTool, type RunToolOptions, type ToolOutcome } from "./run-tool.ts";
// Time
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
// Secrets
export { type SeededSecret, seededSecrets } from "./seeded-secrets.ts";
