export { createDemoProvider, DEMO_MODEL } from "./demo-provider.ts";
export { DEMO_NOTE } from "./planner.ts";
