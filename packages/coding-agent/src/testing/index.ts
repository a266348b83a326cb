// Scripted scenarios
export { createScenario, type Scenario, type ScenarioOptions } from "./scenario.ts";
