export { type CollectedEvents, collectEvents, type EventSource, eventLine } from "./collect-events.ts";
